import unittest

from durations import format, parse


class ParseTest(unittest.TestCase):
    def test_time(self):
        self.assertEqual(parse("PT1H30M"), 5400)
        self.assertEqual(parse("PT45S"), 45)

    def test_days_and_weeks(self):
        self.assertEqual(parse("P1D"), 86400)
        self.assertEqual(parse("P2W"), 1209600)
        self.assertEqual(parse("P1DT12H"), 129600)

    def test_fraction(self):
        self.assertEqual(parse("PT0.5S"), 0.5)
        self.assertEqual(parse("PT1M1.25S"), 61.25)

    def test_invalid(self):
        for text in ("", "P", "PT", "P1DT", "1H", "PT5", "PT1M2H"):
            with self.assertRaises(ValueError):
                parse(text)


class FormatTest(unittest.TestCase):
    def test_format(self):
        self.assertEqual(format(5400), "PT1H30M")
        self.assertEqual(format(86400), "P1D")
        self.assertEqual(format(129600), "P1DT12H")

    def test_zero(self):
        self.assertEqual(format(0), "PT0S")

    def test_fraction(self):
        self.assertEqual(format(61.25), "PT1M1.25S")


if __name__ == "__main__":
    unittest.main()
