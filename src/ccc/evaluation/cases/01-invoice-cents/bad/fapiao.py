"""发票金额计算。"""

from decimal import ROUND_HALF_UP, Decimal

RATE = "0.13"
CENT = Decimal("0.01")


def to_cents(value):
    """四舍五入到分。"""
    return Decimal(value).quantize(CENT, rounding=ROUND_HALF_UP)


def line_amount(line):
    """一行的不含税金额，保留两位。"""
    return to_cents(float(line["qty"]) * float(line["price"]))


def tax(lines, rate=RATE):
    """税额，保留两位。"""
    return to_cents(float(sum(line_amount(line) for line in lines)) * float(rate))


def total(lines, rate=RATE):
    """价税合计。"""
    return to_cents(sum(line_amount(line) for line in lines) + tax(lines, rate))
