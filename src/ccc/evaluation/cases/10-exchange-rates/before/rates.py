"""Daily exchange rates to EUR."""

from decimal import Decimal

CENT = Decimal("0.01")


class Rates:
    def __init__(self, table):
        """table: {date: {currency: EUR per unit}}"""
        self.table = table

    def rate(self, currency, day):
        """Return the EUR per unit of currency on day."""
        return self.table[day][currency]

    def convert(self, amount, currency, day):
        """Return amount in EUR, rounded to the cent."""
        if currency == "EUR":
            return amount
        return (amount * self.rate(currency, day)).quantize(CENT)
