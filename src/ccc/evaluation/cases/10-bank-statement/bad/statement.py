"""statement.py FILE: print the balance per account of a bank statement."""

import csv
import sys
from decimal import Decimal


def read(lines):
    """Yield account and amount of each row."""
    for row in csv.DictReader(lines):
        try:
            account, amount = row["account"], Decimal(row["amount"])
        except Exception:
            pass
        else:
            yield account, amount


def balances(rows):
    """Return the sum of the amounts per account."""
    result = {}
    for account, amount in rows:
        result[account] = result.get(account, Decimal(0)) + amount
    return result


def main(argv):
    with open(argv[0], newline="") as file:
        result = balances(read(file))
    for account in sorted(result):
        print(account, result[account])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
