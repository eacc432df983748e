import unittest
from datetime import date

from fines import fine


class FineTest(unittest.TestCase):
    def test_in_time(self):
        self.assertEqual(fine(date(2026, 3, 2), date(2026, 2, 27)), 0)

    def test_late(self):
        self.assertEqual(fine(date(2026, 3, 2), date(2026, 3, 6)), 80)
