import unittest

from cache import Cache, Missing


class CacheTest(unittest.TestCase):
    def test_put_get(self):
        c = Cache()
        c.put("a", 1)
        self.assertEqual(c.get("a"), 1)
        self.assertEqual(len(c), 1)

    def test_missing(self):
        with self.assertRaises(Missing):
            Cache().get("a")
