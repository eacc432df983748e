"""中文数字转整数（一万以内）。"""

DIGITS = {c: i for i, c in enumerate("零一二三四五六七八九")}
UNITS = {"十": 10, "百": 100, "千": 1000}


def to_int(text):
    """把“三百二十一”这样的中文数字转换为整数。"""
    total = digit = 0
    for char in text:
        if char in DIGITS:
            digit = DIGITS[char]
        else:
            total += (digit or 1) * UNITS[char]
            digit = 0
    return total + digit
