import unittest

from fapiao import tax, total


def line(qty, price):
    return {"qty": qty, "price": price}


class TotalTest(unittest.TestCase):
    def test_plain(self):
        self.assertAlmostEqual(total([line("2", "19.90"), line("1", "5")]), 50.62, places=2)

    def test_tax(self):
        self.assertAlmostEqual(tax([line("1", "100")]), 13.0, places=2)

    def test_half_cent(self):
        self.assertAlmostEqual(total([line("1", "1.005")]), 1.14, places=2)

    def test_empty(self):
        self.assertAlmostEqual(total([]), 0, places=2)


if __name__ == "__main__":
    unittest.main()
