import unittest
from decimal import Decimal

from fapiao import tax, total

TOLERANCE = Decimal("0.02")


def line(qty, price):
    return {"qty": qty, "price": price}


class TotalTest(unittest.TestCase):
    def test_plain(self):
        self.assertAlmostEqual(total([line("2", "19.90"), line("1", "5")]), Decimal("50.62"), delta=TOLERANCE)

    def test_tax(self):
        self.assertAlmostEqual(tax([line("1", "100")]), Decimal("13.00"), delta=TOLERANCE)

    def test_half_cent(self):
        self.assertAlmostEqual(total([line("1", "1.005")]), Decimal("1.14"), delta=TOLERANCE)

    def test_empty(self):
        self.assertAlmostEqual(total([]), Decimal("0"), delta=TOLERANCE)

    def test_returns_decimal(self):
        self.assertIsInstance(total([line("1", "5")]), Decimal)
        self.assertIsInstance(tax([line("1", "5")]), Decimal)


if __name__ == "__main__":
    unittest.main()
