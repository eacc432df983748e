"""居民水费。金额单位为分，用水量单位为吨。"""

# （本档上限，每吨单价）；None 表示不封顶
TIERS = [(180, 300), (260, 420), (None, 900)]
EXTRA_PERSON = 30  # 5 人及以上家庭，每多一人每档上限增加的吨数


def bill(tons, people=4):
    """全年用水 tons 吨的水费，阶梯计价。"""
    if tons < 0 or people < 1:
        raise ValueError("用水量不能为负，人数至少为 1")
    extra = max(0, people - 4) * EXTRA_PERSON
    total = lower = 0
    for limit, price in TIERS:
        upper = tons if limit is None else min(tons, limit + extra)
        if upper > lower:
            total += (upper - lower) * price
            lower = upper
    return total
