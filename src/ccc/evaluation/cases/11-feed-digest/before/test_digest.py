import unittest

from mailer.digest import build_digest


class DigestTest(unittest.TestCase):
    def test_one(self):
        feeds = [{"items": [{"title": "A", "date": "2026-02-01", "link": "https://a.example/1"}]}]
        self.assertEqual(build_digest(feeds), "- A (2026-02-01)\n  https://a.example/1\n")
