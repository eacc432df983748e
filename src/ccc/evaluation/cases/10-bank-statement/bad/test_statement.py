import unittest
from decimal import Decimal

from statement import balances, read


class StatementTest(unittest.TestCase):
    def test_balances(self):
        lines = ["account,amount\n", "giro,10.00\n", "savings,5.50\n", "giro,-2.25\n"]
        self.assertEqual(balances(read(lines)), {"giro": Decimal("7.75"), "savings": Decimal("5.50")})

    def test_malformed_lines(self):
        lines = ["account,amount\n", "giro,10.00\n", "giro,ten\n", "giro\n", "giro,1.00\n"]
        self.assertEqual(balances(read(lines)), {"giro": Decimal("11.00")})


if __name__ == "__main__":
    unittest.main()
