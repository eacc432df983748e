"""Version ranges for plugin manifests."""


def parse(text):
    parts = text.split(".")
    if len(parts) != 3 or not all(p.isdigit() for p in parts):
        raise ValueError(f"not a version: {text!r}")
    return tuple(int(p) for p in parts)


def bounds(spec):
    """Lowest version allowed and lowest version not allowed any more."""
    if spec.startswith("~"):
        low = parse(spec[1:])
        return low, (low[0], low[1] + 1, 0)
    if spec.startswith("^"):
        low = parse(spec[1:])
        return low, (low[0] + 1, 0, 0)
    low = parse(spec)
    return low, (low[0], low[1], low[2] + 1)


def satisfies(version, spec):
    low, high = bounds(spec)
    return low <= parse(version) < high
