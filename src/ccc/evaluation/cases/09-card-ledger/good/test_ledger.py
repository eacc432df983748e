import unittest
from decimal import Decimal

from ledger import entries, total


class LedgerTest(unittest.TestCase):
    def test_entries(self):
        text = "card 1234\n2024-02-01  Bakery  3.50\n"
        self.assertEqual(list(entries(text)), [("2024-02-01", "Bakery", Decimal("3.50"))])

    def test_total(self):
        self.assertEqual(total("2024-02-01 Bakery 3.50\n2024-02-02 Book shop 12.00\n"), Decimal("15.50"))

    def test_thousands(self):
        self.assertEqual(total("2024-03-01 Rent 1,250.00\n"), Decimal("1250.00"))

    def test_refund(self):
        self.assertEqual(total("2024-03-09 Shoes 48.20\n2024-03-14 Shoes, returned (30.00)\n"), Decimal("18.20"))


if __name__ == "__main__":
    unittest.main()
