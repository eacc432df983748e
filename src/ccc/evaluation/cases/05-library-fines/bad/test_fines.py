import unittest
from datetime import date

from fines import fine


class FineTest(unittest.TestCase):
    def test_in_time(self):
        self.assertEqual(fine(date(2026, 3, 2), date(2026, 2, 27)), 0)

    def test_late(self):
        self.assertEqual(fine(date(2026, 3, 2), date(2026, 3, 6)), 80)

    def test_sunday_is_not_counted(self):
        self.assertEqual(fine(date(2026, 3, 13), date(2026, 3, 17)), 60)

    def test_grace(self):
        self.assertEqual(fine(date(2026, 3, 2), date(2026, 3, 4)), 0)
        self.assertEqual(fine(date(2026, 3, 2), date(2026, 3, 5)), 60)

    def test_limit(self):
        self.assertEqual(fine(date(2026, 1, 2), date(2026, 12, 30)), 1000)

    def test_child(self):
        self.assertEqual(fine(date(2026, 3, 2), date(2026, 3, 6), child=True), 40)
