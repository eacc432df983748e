"""What has to be ordered."""


def low(stock, minimum):
    """Sorted names of the articles below their minimum."""
    return sorted(name for name, least in minimum.items() if stock.get(name, 0) < least)


def order(stock, minimum, target):
    """Quantities that fill the low articles up to their target."""
    for name, least in minimum.items():
        if target[name] < least:
            raise ValueError(f"target of {name} is below its minimum")
    result = {}
    for name in low(stock, minimum):
        result[name] = target[name] - stock[name]
    return result
