"""中文数字转整数。"""

DIGITS = {c: i for i, c in enumerate("零一二三四五六七八九")}
DIGITS["两"] = 2
UNITS = {"十": 10, "百": 100, "千": 1000}
SECTIONS = {"万": 10**4, "亿": 10**8}


def to_int(text):
    """把“三百二十一”这样的中文数字转换为整数，不合法时抛出 ValueError。"""
    if not text:
        raise ValueError("空字符串")
    total = digit = 0
    for char in text:
        if char in DIGITS:
            digit = DIGITS[char]
        elif char in UNITS:
            total += (digit or 1) * UNITS[char]
            digit = 0
        elif char in SECTIONS:
            total = (total + digit) * SECTIONS[char]
            digit = 0
        else:
            raise ValueError(f"不是中文数字：{text!r}")
    return total + digit
