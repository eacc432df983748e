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
