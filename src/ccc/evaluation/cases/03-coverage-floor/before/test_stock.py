import unittest

from shelf import stock


class StockTest(unittest.TestCase):
    def test_add_and_take(self):
        shelf = {}
        stock.add(shelf, "glue", 3)
        stock.take(shelf, "glue", 1)
        self.assertEqual(shelf, {"glue": 2})

    def test_refusals(self):
        with self.assertRaises(ValueError):
            stock.add({}, "glue", 0)
        with self.assertRaises(ValueError):
            stock.take({}, "glue", 1)
