import unittest

import playlist


class TotalTest(unittest.TestCase):
    def test_total(self):
        self.assertEqual(playlist.total([["A", "x", "61"], ["B", "y", "9"]]), 70)
