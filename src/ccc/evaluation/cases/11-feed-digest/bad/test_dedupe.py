import unittest

from prototype.digest import build_digest


class DedupeTest(unittest.TestCase):
    def test_same_link_once(self):
        first = {"title": "A", "date": "2026-02-01", "link": "https://a.example/1/"}
        again = {"title": "A!", "date": "2026-02-01", "link": "https://a.example/1#top"}
        text = build_digest([{"items": [first]}, {"items": [again]}])
        self.assertEqual(text.count("https://a.example/1"), 1)
        self.assertIn("* A\n", text)

    def test_newest_first(self):
        old = {"title": "Old", "date": "2026-01-30", "link": "https://a.example/1"}
        new = {"title": "New", "date": "2026-02-02", "link": "https://a.example/2"}
        text = build_digest([{"items": [old, new]}])
        self.assertLess(text.index("New"), text.index("Old"))
