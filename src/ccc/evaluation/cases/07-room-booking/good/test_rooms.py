import unittest
from datetime import datetime

from rooms import Calendar, Conflict


def at(hour, minute=0):
    return datetime(2026, 6, 1, hour, minute)


class BookTest(unittest.TestCase):
    def test_book(self):
        booking = Calendar().book("Oak", at(9), at(10), "Ann")
        self.assertEqual(booking.who, "Ann")


class ConflictTest(unittest.TestCase):
    def setUp(self):
        self.calendar = Calendar()
        self.calendar.book("Oak", at(10), at(12), "Ann")

    def refused(self, start, end):
        with self.assertRaises(Conflict) as caught:
            self.calendar.book("Oak", start, end, "Bob")
        self.assertEqual(caught.exception.booking.who, "Ann")
        self.assertEqual(len(self.calendar.bookings), 1)

    def test_overlap_at_the_start(self):
        self.refused(at(9), at(10, 30))

    def test_overlap_at_the_end(self):
        self.refused(at(11, 30), at(13))

    def test_inside(self):
        self.refused(at(10, 30), at(11))

    def test_same_time(self):
        self.refused(at(10), at(12))

    def test_back_to_back(self):
        self.calendar.book("Oak", at(9), at(10), "Bob")
        self.calendar.book("Oak", at(12), at(13), "Bob")

    def test_other_room(self):
        self.calendar.book("Elm", at(10), at(12), "Bob")

    def test_end_before_start(self):
        with self.assertRaises(ValueError):
            self.calendar.book("Elm", at(10), at(10), "Bob")
