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

    def test_liang(self):
        self.assertEqual(to_int("两千"), 2000)

    def test_wan(self):
        self.assertEqual(to_int("一万零五"), 10005)
        self.assertEqual(to_int("十二万三千"), 123000)

    def test_yi(self):
        self.assertEqual(to_int("三亿"), 300000000)

    def test_yi_and_wan(self):
        self.assertEqual(to_int("三亿二千万"), 320000000)
        self.assertEqual(to_int("一亿零三百万零七"), 103000007)

    def test_invalid(self):
        for text in ("", "abc", "三x"):
            with self.assertRaises(ValueError):
                to_int(text)


if __name__ == "__main__":
    unittest.main()
