"""Overdue fines of the town library."""
import datetime

RATE = 20  # cents per day
GRACE = 2  # days
LIMIT = 1000  # cents


def open_days(due, returned):
    """Days after `due`, up to and including `returned`, on which the library is open."""
    days = (due + datetime.timedelta(n) for n in range(1, (returned - due).days + 1))
    return sum(day.weekday() != 6 for day in days)


def fine(due, returned, child=False):
    """Fine in cents for a loan due on `due` and brought back on `returned`."""
    days = open_days(due, returned)
    if days <= GRACE:
        return 0
    cents = min(days * RATE, LIMIT)
    return cents // 2 if child else cents
