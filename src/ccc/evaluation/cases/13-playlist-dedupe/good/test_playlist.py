import unittest

import playlist


class TotalTest(unittest.TestCase):
    def test_total(self):
        self.assertEqual(playlist.total([["A", "x", "61"], ["B", "y", "9"]]), 70)


class DedupeTest(unittest.TestCase):
    def test_case_and_feat(self):
        tracks = [["Mira", "Rain", "200"], ["mira", "RAIN (feat. Jo)", "180"], ["Mira", "Rain feat. Jo", "190"]]
        self.assertEqual(playlist.dedupe(tracks), [["Mira", "Rain", "200"]])

    def test_longest_in_the_place_of_the_first(self):
        tracks = [["A", "x", "100"], ["B", "y", "50"], ["a", "X", "120"]]
        self.assertEqual(playlist.dedupe(tracks), [["a", "X", "120"], ["B", "y", "50"]])

    def test_different(self):
        tracks = [["A", "x", "1"], ["A", "Defeat", "1"], ["B", "x", "1"]]
        self.assertEqual(playlist.dedupe(tracks), tracks)
