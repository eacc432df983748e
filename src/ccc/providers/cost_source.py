"""Where a figure in dollars comes from; light, for the status line."""

ESTIMATE = "claude's estimate"
"""The source of a figure for which no price is known: claude counts with prices of its own."""
_BETWEEN = ", "


def joined(*sources: str) -> str:
    """The source of a sum: each one once."""
    parts = (part for source in sources for part in source.split(_BETWEEN) if part)
    return _BETWEEN.join(dict.fromkeys(parts))


def is_estimate(source: str) -> bool:
    """Whether at least a part of the figure is claude's own estimate."""
    return ESTIMATE in source.split(_BETWEEN)


def source_of(usd: float, source: str) -> str:
    """The source of a figure on record: before ccc knew prices it was always claude's estimate."""
    return source or (ESTIMATE if usd else "")
