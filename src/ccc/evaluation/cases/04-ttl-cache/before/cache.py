"""进程内的小缓存。"""


class Missing(KeyError):
    """没有这一项。"""
    pass


class Cache:
    def __init__(self):
        self._items = {}

    def put(self, key, value):
        self._items[key] = value

    def get(self, key):
        if key not in self._items:
            raise Missing(key)
        return self._items[key]

    def __len__(self):
        return len(self._items)
