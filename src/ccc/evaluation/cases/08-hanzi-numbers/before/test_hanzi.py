import unittest

from hanzi import to_int


class ToIntTest(unittest.TestCase):
    def test_small(self):
        self.assertEqual(to_int("七"), 7)
        self.assertEqual(to_int("十五"), 15)
        self.assertEqual(to_int("三百二十一"), 321)

    def test_zero(self):
        self.assertEqual(to_int("零"), 0)
        self.assertEqual(to_int("九千零三"), 9003)


if __name__ == "__main__":
    unittest.main()
