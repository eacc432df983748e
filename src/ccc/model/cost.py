"""An amount in dollars, and its source."""

from msgspec import Struct

ESTIMATE = "claude's estimate"
"""The source if no price is known, because claude uses its own prices."""
_SEPARATOR = ", "


class Cost(Struct, frozen=True):
    """An amount in dollars, and its source."""

    usd: float = 0.0
    source: str = ""

    def __add__(self, other: "Cost") -> "Cost":
        return Cost(self.usd + other.usd, join(self.source, other.source))


def join(*sources: str) -> str:
    """Return the source of a sum: the distinct sources of its parts."""
    parts = (part for source in sources for part in source.split(_SEPARATOR) if part)
    return _SEPARATOR.join(dict.fromkeys(parts))


def is_estimate(source: str) -> bool:
    """Return whether at least part of the amount is claude's own estimate."""
    return ESTIMATE in source.split(_SEPARATOR)


def on_record(usd: float, source: str) -> Cost:
    """Return a recorded amount. Before ccc knew prices, it was always an estimate."""
    return Cost(usd, source or (ESTIMATE if usd else ""))
