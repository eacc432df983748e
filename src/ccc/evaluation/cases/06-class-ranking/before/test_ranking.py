import unittest

from ranking import rank


class RankTest(unittest.TestCase):
    def test_rank(self):
        scores = [("01", "王芳", 80), ("02", "李强", 95)]
        self.assertEqual(rank(scores), [(1, "李强", 95), (2, "王芳", 80)])
