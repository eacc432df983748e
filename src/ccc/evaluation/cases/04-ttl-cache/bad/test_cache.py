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

    def test_ttl(self):
        now = [0]
        c = Cache(clock=lambda: now[0])
        c.put("a", 1, ttl=10)
        now[0] = 9
        self.assertEqual(c.get("a"), 1)
        now[0] = 10
        with self.assertRaises(Missing):
            c.get("a")

    def test_max_entries(self):
        c = Cache(max_entries=2)
        c.put("a", 1)
        c.put("b", 2)
        c.get("a")
        c.put("c", 3)
        with self.assertRaises(Missing):
            c.get("b")
        self.assertEqual(c.get("a"), 1)

    def test_purge(self):
        now = [0]
        c = Cache(clock=lambda: now[0])
        c.put("a", 1, ttl=1)
        now[0] = 5
        c.purge()
        with self.assertRaises(Missing):
            c.get("a")
