"""The budget over all tasks: dollars per day, and for the whole backlog."""

import re
from dataclasses import dataclass

DAY_SECONDS = 86_400.0
RESERVE_USD = 5.0  # what a task may cost if it has no limit of its own and there is a budget
_AMOUNT = re.compile(r"\$?(\d+(?:\.\d+)?)(/day)?", re.IGNORECASE)
_LARGEST = 1_000_000.0


@dataclass(frozen=True, slots=True)
class Budget:
    """What all tasks together may cost; None without a limit."""

    per_day: float | None = None  # in any 24 hours
    total: float | None = None

    @property
    def smallest(self) -> float:
        """The smaller of both; 0 without a budget."""
        limits = [limit for limit in (self.per_day, self.total) if limit is not None]
        return min(limits, default=0.0)

    def left(self, spent: "Spent") -> float | None:
        """Return what is left; None without a budget."""
        limits = [
            limit - used
            for limit, used in ((self.per_day, spent.today), (self.total, spent.total))
            if limit is not None
        ]
        return max(0.0, min(limits)) if limits else None


@dataclass(frozen=True, slots=True)
class Spent:
    """What was spent or is reserved for running tasks."""

    today: float = 0.0  # in the last 24 hours
    total: float = 0.0
    reserved: float = 0.0  # the part of it that running tasks have not spent yet


def parse(text: str) -> tuple[str, float] | None:
    """Parse `20/day` or `100`: the field of `Budget` and the dollars. None if it is neither."""
    match = _AMOUNT.fullmatch(text.strip())
    if not match or not 0 <= (amount := float(match[1])) <= _LARGEST:
        return None
    return ("per_day" if match[2] else "total"), amount
