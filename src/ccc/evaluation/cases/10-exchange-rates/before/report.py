"""Expense report."""

from decimal import Decimal


def total(expenses, rates):
    """Return the sum in EUR of (day, amount, currency) entries."""
    return sum((rates.convert(amount, currency, day) for day, amount, currency in expenses), Decimal(0))
