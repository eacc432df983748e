import unittest

from water import bill


class BillTest(unittest.TestCase):
    def test_zero(self):
        self.assertEqual(bill(0), 0)

    def test_some(self):
        self.assertEqual(bill(10), 3000)
