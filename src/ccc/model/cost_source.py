"""The source of an amount in dollars. A separate module keeps the status line's imports small."""

ESTIMATE = "claude's estimate"
"""The source if no price is known, because claude uses its own prices."""
_SEPARATOR = ", "


def join(*sources: str) -> str:
    """Return the source of a sum: the distinct sources of its parts."""
    parts = (part for source in sources for part in source.split(_SEPARATOR) if part)
    return _SEPARATOR.join(dict.fromkeys(parts))


def is_estimate(source: str) -> bool:
    """Return whether at least part of the amount is claude's own estimate."""
    return ESTIMATE in source.split(_SEPARATOR)


def on_record(usd: float, source: str) -> str:
    """Return the source of a recorded amount. Before ccc knew prices, it was always an estimate."""
    return source or (ESTIMATE if usd else "")
