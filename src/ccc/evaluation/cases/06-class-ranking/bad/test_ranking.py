import unittest

from ranking import rank


class RankTest(unittest.TestCase):
    def test_rank(self):
        scores = [("01", "王芳", 80), ("02", "李强", 95)]
        self.assertEqual(rank(scores), [(1, "李强", 95), (2, "王芳", 80)])

    def test_same_score_same_place(self):
        scores = [("01", "王芳", 90), ("02", "李强", 95), ("03", "赵敏", 95), ("04", "周杰", 70)]
        self.assertEqual([place for place, _, _ in rank(scores)], [1, 1, 3, 4])

    def test_same_score_by_number(self):
        scores = [("07", "周杰", 88), ("03", "赵敏", 88)]
        self.assertEqual([name for _, name, _ in rank(scores)], ["赵敏", "周杰"])

    def test_empty(self):
        self.assertEqual(rank([]), [])
