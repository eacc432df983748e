import json
import unittest
from datetime import date

from catalog import to_json, to_xml


class JsonTest(unittest.TestCase):
    def test_json(self):
        self.assertEqual(json.loads(to_json([{"title": "Dune", "year": 1965}])), [{"title": "Dune", "year": 1965}])

    def test_json_chinese(self):
        self.assertIn("红楼梦", to_json([{"title": "红楼梦"}]))

    def test_json_date(self):
        books = [{"title": "三体", "added": date(2024, 3, 2)}]
        self.assertEqual(json.loads(to_json(books))[0]["added"], "2024-03-02")


class XmlTest(unittest.TestCase):
    def test_xml(self):
        self.assertEqual(to_xml([{"title": "Dune"}]), "<catalog><book><title>Dune</title></book></catalog>")

    def test_xml_escape(self):
        self.assertIn("&lt;", to_xml([{"title": "a < b"}]))


if __name__ == "__main__":
    unittest.main()
