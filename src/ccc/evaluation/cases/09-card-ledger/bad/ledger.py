"""ledger.py FILE: add up a card statement."""

import pathlib
import re
import sys
from decimal import Decimal

LINE = re.compile(r"(\d{4}-\d\d-\d\d)\s+(.+?)\s+([\d,]+\.\d\d)")


def entries(text):
    """Yield date, description and amount of each entry."""
    for line in text.splitlines():
        match = LINE.fullmatch(line.strip())
        if match:
            yield match[1], match[2], Decimal(match[3].replace(",", ""))


def total(text):
    return sum((amount for _, _, amount in entries(text)), Decimal(0))


if __name__ == "__main__":
    path = pathlib.Path(sys.argv[1])
    print(f"{path.stem} total: {total(path.read_text()):,}")
