"""statement.py FILE: print the balance per account of a bank statement."""

import csv
import sys
from decimal import Decimal, InvalidOperation


def parse_amount(text):
    """Return the amount, or raise ValueError saying what is wrong with it."""
    if not text:
        raise ValueError("no amount")
    try:
        return Decimal(text)
    except InvalidOperation:
        raise ValueError(f"not an amount: {text!r}") from None


def read(lines, problems):
    """Yield account and amount of each row; append a message per malformed row to problems."""
    reader = csv.DictReader(lines)
    for row in reader:
        try:
            amount = parse_amount(row["amount"])
        except ValueError as error:
            problems.append(f"line {reader.line_num}: {error}")
        else:
            yield row["account"], amount


def balances(rows):
    """Return the sum of the amounts per account."""
    result = {}
    for account, amount in rows:
        result[account] = result.get(account, Decimal(0)) + amount
    return result


def main(argv):
    problems = []
    with open(argv[0], newline="") as file:
        result = balances(read(file, problems))
    for account in sorted(result):
        print(account, result[account])
    for problem in problems:
        print(f"{argv[0]}: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
