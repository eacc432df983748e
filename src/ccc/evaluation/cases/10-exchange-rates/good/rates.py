"""Daily exchange rates to EUR."""

from datetime import timedelta
from decimal import Decimal

CENT = Decimal("0.01")
MAX_AGE = 7


class RateError(LookupError):
    """There is no usable rate."""


class Rates:
    def __init__(self, table):
        """table: {date: {currency: EUR per unit}}"""
        self.table = table

    def rate(self, currency, day):
        """Return the EUR per unit of currency on day, or on the last day before it that has one."""
        for age in range(MAX_AGE + 1):
            try:
                return self.table[day - timedelta(days=age)][currency]
            except KeyError:
                continue  # weekend, holiday, or not quoted that day
        raise RateError(f"no rate for {currency} on {day} or the {MAX_AGE} days before")

    def convert(self, amount, currency, day):
        """Return amount in EUR, rounded to the cent."""
        if currency == "EUR":
            return amount
        return (amount * self.rate(currency, day)).quantize(CENT)
