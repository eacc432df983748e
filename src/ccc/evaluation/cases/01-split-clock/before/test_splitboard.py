import unittest

from splitboard import clock, gap


class ClockTest(unittest.TestCase):
    def test_minutes(self):
        self.assertEqual(clock(0), "0:00")
        self.assertEqual(clock(75.2), "1:15")

    def test_hours(self):
        self.assertEqual(clock(3600), "1:00:00")
        self.assertEqual(clock(3725), "1:02:05")

    def test_carry(self):
        self.assertEqual(clock(59.7), "1:00")
        self.assertEqual(clock(3599.8), "1:00:00")

    def test_negative(self):
        with self.assertRaises(ValueError):
            clock(-1)


class GapTest(unittest.TestCase):
    def test_gap(self):
        self.assertEqual(gap(60, 75), "+0:15")


if __name__ == "__main__":
    unittest.main()
