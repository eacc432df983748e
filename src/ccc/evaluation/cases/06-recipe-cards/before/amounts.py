"""Amounts of ingredients."""


def show(amount):
    """1.5 -> '1.5', 2.0 -> '2'."""
    return f"{amount:.3f}".rstrip("0").rstrip(".")
