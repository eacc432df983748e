"""The source of an amount in dollars; separate because the status line imports little."""

ESTIMATE = "claude's estimate"
"""The source if no price is known: claude counts with prices of its own."""
_SEPARATOR = ", "


def join(*sources: str) -> str:
    """The source of a sum: each one once."""
    parts = (part for source in sources for part in source.split(_SEPARATOR) if part)
    return _SEPARATOR.join(dict.fromkeys(parts))


def is_estimate(source: str) -> bool:
    """Whether at least a part of the amount is claude's own estimate."""
    return ESTIMATE in source.split(_SEPARATOR)


def on_record(usd: float, source: str) -> str:
    """The source of a recorded amount: before ccc knew prices, it was always an estimate."""
    return source or (ESTIMATE if usd else "")
