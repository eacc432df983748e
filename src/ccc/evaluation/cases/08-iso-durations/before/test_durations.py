import unittest

from durations import parse


class ParseTest(unittest.TestCase):
    def test_time(self):
        self.assertEqual(parse("PT1H30M"), 5400)
        self.assertEqual(parse("PT45S"), 45)

    def test_invalid(self):
        for text in ("", "PT", "1H", "PT5", "PT1M2H"):
            with self.assertRaises(ValueError):
                parse(text)


if __name__ == "__main__":
    unittest.main()
