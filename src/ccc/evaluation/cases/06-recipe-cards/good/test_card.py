import unittest

from card import card
from order import order

SOUP = {"name": "Soup", "portions": 4, "ingredients": [[1.0, "l", "stock"], [3.0, "pc", "leek"]]}


class CardTest(unittest.TestCase):
    def test_card(self):
        self.assertEqual(card(SOUP, 8), "Soup\n====\n2 l stock\n6 pc leek\n")

    def test_fractions(self):
        self.assertEqual(card(SOUP, 6), "Soup\n====\n1 ½ l stock\n4 ½ pc leek\n")
        self.assertEqual(card(SOUP, 1), "Soup\n====\n¼ l stock\n¾ pc leek\n")

    def test_thirds(self):
        third = {"name": "T", "portions": 3, "ingredients": [[1.0, "cup", "rice"]]}
        self.assertEqual(card(third, 2), "T\n=\n⅔ cup rice\n")

    def test_other_amounts_stay_decimal(self):
        self.assertIn("0.1 l", card({"name": "T", "portions": 1, "ingredients": [[0.1, "l", "oil"]]}, 1))


class OrderTest(unittest.TestCase):
    def test_decimal(self):
        self.assertEqual(order([{"ingredients": [[1.25, "l", "stock"], [0.25, "l", "stock"]]}]), "stock;1.5;l\n")
