"""发票金额计算。"""

RATE = "0.13"


def line_amount(line):
    """一行的不含税金额，保留两位。"""
    return round(float(line["qty"]) * float(line["price"]), 2)


def tax(lines, rate=RATE):
    """税额，保留两位。"""
    return round(sum(line_amount(line) for line in lines) * float(rate), 2)


def total(lines, rate=RATE):
    """价税合计。"""
    return sum(line_amount(line) for line in lines) + tax(lines, rate)
