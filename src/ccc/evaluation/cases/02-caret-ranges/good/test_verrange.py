import unittest

from verrange import satisfies


class RangeTest(unittest.TestCase):
    def test_exact(self):
        self.assertTrue(satisfies("1.4.2", "1.4.2"))
        self.assertFalse(satisfies("1.4.3", "1.4.2"))

    def test_tilde(self):
        self.assertTrue(satisfies("1.4.9", "~1.4.2"))
        self.assertFalse(satisfies("1.5.0", "~1.4.2"))

    def test_caret(self):
        self.assertTrue(satisfies("1.9.0", "^1.4.2"))
        self.assertFalse(satisfies("2.0.0", "^1.4.2"))
        self.assertFalse(satisfies("1.4.1", "^1.4.2"))

    def test_caret_below_one(self):
        self.assertTrue(satisfies("0.2.9", "^0.2.3"))
        self.assertFalse(satisfies("0.3.0", "^0.2.3"))
        self.assertTrue(satisfies("0.0.3", "^0.0.3"))
        self.assertFalse(satisfies("0.0.4", "^0.0.3"))
