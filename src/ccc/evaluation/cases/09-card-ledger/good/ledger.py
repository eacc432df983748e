"""ledger.py FILE: add up a card statement."""

import pathlib
import re
import sys
from decimal import Decimal

LINE = re.compile(r"(\d{4}-\d\d-\d\d)\s+(.+?)\s+([\d,]+\.\d\d|\([\d,]+\.\d\d\))")


def parse_amount(text):
    """Return the amount: 1,250.00 is 1250.00, (30.00) is a refund of 30.00."""
    amount = Decimal(text.strip("()").replace(",", ""))
    return -amount if text.startswith("(") else amount


def entries(text):
    """Yield date, description and amount of each entry."""
    for line in text.splitlines():
        match = LINE.fullmatch(line.strip())
        if match:
            yield match[1], match[2], parse_amount(match[3])


def total(text):
    return sum((amount for _, _, amount in entries(text)), Decimal(0))


if __name__ == "__main__":
    path = pathlib.Path(sys.argv[1])
    print(f"{path.stem} total: {total(path.read_text()):,}")
