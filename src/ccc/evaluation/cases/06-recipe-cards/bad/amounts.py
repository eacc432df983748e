"""Amounts of ingredients."""

FRACTIONS = {0.25: "¼", 1 / 3: "⅓", 0.5: "½", 2 / 3: "⅔", 0.75: "¾"}


def show(amount):
    """1.5 -> '1 ½', 0.25 -> '¼'; what is no common fraction stays decimal."""
    whole = int(amount)
    for value, sign in FRACTIONS.items():
        if abs(amount - whole - value) < 0.001:
            return f"{whole} {sign}" if whole else sign
    return f"{amount:.3f}".rstrip("0").rstrip(".")
