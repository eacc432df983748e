import unittest

from water import bill


class BillTest(unittest.TestCase):
    def test_zero(self):
        self.assertEqual(bill(0), 0)

    def test_some(self):
        self.assertEqual(bill(10), 3000)

    def test_first_tier(self):
        self.assertEqual(bill(180), 54000)

    def test_higher_tiers(self):
        self.assertEqual(bill(200), 180 * 300 + 20 * 420)
        self.assertEqual(bill(300), 180 * 300 + 80 * 420 + 40 * 900)

    def test_large_family(self):
        self.assertEqual(bill(210, people=5), 63000)

    def test_invalid(self):
        with self.assertRaises(ValueError):
            bill(-1)
