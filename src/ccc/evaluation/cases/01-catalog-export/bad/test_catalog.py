import json
import unittest

from catalog import to_json


class JsonTest(unittest.TestCase):
    def test_json(self):
        self.assertEqual(json.loads(to_json([{"title": "Dune", "year": 1965}])), [{"title": "Dune", "year": 1965}])

    def test_json_chinese(self):
        self.assertIn("红楼梦", to_json([{"title": "红楼梦"}]))


if __name__ == "__main__":
    unittest.main()
