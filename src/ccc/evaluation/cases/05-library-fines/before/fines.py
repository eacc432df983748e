"""Overdue fines of the town library."""

RATE = 20  # cents per day


def fine(due, returned):
    """Fine in cents for a loan due on `due` and brought back on `returned`."""
    days = (returned - due).days
    return max(0, days) * RATE
