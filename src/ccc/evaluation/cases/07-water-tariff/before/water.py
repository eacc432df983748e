"""居民水费。金额单位为分，用水量单位为吨。"""

PRICE = 300


def bill(tons):
    return tons * PRICE
