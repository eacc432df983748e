"""Overdue fines of the town library."""
import datetime
import pathlib

RATE = 20  # cents per day
GRACE = 2  # days
LIMIT = 1000  # cents
CLOSED = pathlib.Path(__file__).with_name("closed.txt")


def closing_days():
    lines = (line.strip() for line in CLOSED.read_text().splitlines())
    return {datetime.date.fromisoformat(line) for line in lines if line and not line.startswith("#")}


def open_days(due, returned):
    """Days after `due`, up to and including `returned`, on which the library is open."""
    closed = closing_days()
    days = (due + datetime.timedelta(n) for n in range(1, (returned - due).days + 1))
    return sum(day.weekday() != 6 and day not in closed for day in days)


def fine(due, returned, child=False):
    """Fine in cents for a loan due on `due` and brought back on `returned`."""
    days = open_days(due, returned)
    if days <= GRACE:
        return 0
    cents = min(days * RATE, LIMIT)
    return cents // 2 if child else cents
