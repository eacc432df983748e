"""中文数字转整数。"""

DIGITS = {c: i for i, c in enumerate("零一二三四五六七八九")}
DIGITS["两"] = 2
UNITS = {"十": 10, "百": 100, "千": 1000}
SECTIONS = {"亿": 10**8, "万": 10**4}


def to_int(text):
    """把“三百二十一”这样的中文数字转换为整数，不合法时抛出 ValueError。"""
    if not text:
        raise ValueError("空字符串")
    for name, size in SECTIONS.items():
        high, found, low = text.rpartition(name)
        if found:
            return to_int(high) * size + (to_int(low) if low else 0)
    return _section(text)


def _section(text):
    """一万以内的部分。"""
    total = digit = 0
    for char in text:
        if char in DIGITS:
            digit = DIGITS[char]
        elif char in UNITS:
            total += (digit or 1) * UNITS[char]
            digit = 0
        else:
            raise ValueError(f"不是中文数字：{text!r}")
    return total + digit
