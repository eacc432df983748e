import unittest
from datetime import date
from decimal import Decimal

from rates import Rates
from report import total

TABLE = {
    date(2024, 4, 29): {"USD": Decimal("0.93"), "GBP": Decimal("1.17")},
    date(2024, 4, 30): {"USD": Decimal("0.94"), "GBP": Decimal("1.17")},
}


class RatesTest(unittest.TestCase):
    def setUp(self):
        self.rates = Rates(TABLE)

    def test_convert(self):
        self.assertEqual(self.rates.convert(Decimal("10"), "USD", date(2024, 4, 29)), Decimal("9.30"))

    def test_total(self):
        expenses = [(date(2024, 4, 30), Decimal("10"), "USD"), (date(2024, 4, 30), Decimal("5"), "EUR")]
        self.assertEqual(total(expenses, self.rates), Decimal("14.40"))


if __name__ == "__main__":
    unittest.main()
