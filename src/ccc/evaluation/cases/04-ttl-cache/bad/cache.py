"""进程内的小缓存。"""
import time
from collections import OrderedDict


class Missing(KeyError):
    """没有这一项。"""
    pass


class Cache:
    def __init__(self, max_entries=None, clock=time.monotonic):
        self._items = OrderedDict()
        self._max = max_entries
        self._clock = clock

    def put(self, key, value, ttl=None):
        expires = None if ttl is None else self._clock() + ttl
        self._items[key] = (value, expires)
        self._items.move_to_end(key)
        if self._max is not None and len(self._items) > self._max:
            self._items.popitem(last=False)

    def get(self, key):
        if key not in self._items:
            raise Missing(key)
        value, expires = self._items[key]
        if expires is not None and expires <= self._clock():
            raise Missing(key)
        self._items.move_to_end(key)
        return value

    def purge(self):
        """清除所有过期项，返回清除的个数。"""
        pass

    def __len__(self):
        return len(self._items)
