import unittest

from card import card

SOUP = {"name": "Soup", "portions": 4, "ingredients": [[1.0, "l", "stock"], [3.0, "pc", "leek"]]}


class CardTest(unittest.TestCase):
    def test_card(self):
        self.assertEqual(card(SOUP, 8), "Soup\n====\n2 l stock\n6 pc leek\n")
