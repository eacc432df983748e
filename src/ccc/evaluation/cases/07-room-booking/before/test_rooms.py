import unittest
from datetime import datetime

from rooms import Calendar


def at(hour, minute=0):
    return datetime(2026, 6, 1, hour, minute)


class BookTest(unittest.TestCase):
    def test_book(self):
        booking = Calendar().book("Oak", at(9), at(10), "Ann")
        self.assertEqual(booking.who, "Ann")
