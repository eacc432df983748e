"""A turn of the agent, and how to go on after one that failed."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from ccc.claude.formats import usage_limit
from ccc.claude.formats.permission import Call

_TRANSIENT = (408, 409, 429)
_PASSING = re.compile(
    r"rate.?limit|overloaded|timed? ?out|connection|network|socket|ECONN|temporarily|"
    r"internal server error|bad gateway|unavailable",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Turn:
    """How a turn ended: its last words, or its error."""

    text: str = ""
    error: str = ""
    status: int | None = None
    """The HTTP status of an API error."""
    retry_after: float = 0.0
    """How long claude itself waited before it gave up: the provider's retry-after."""
    cost_usd: float = 0.0
    cost_source: str = ""
    tokens: Mapping[str, int] = field(default_factory=dict)
    resets_at: float = 0.0
    """When the usage limit ends, if claude says so."""
    denied: tuple[Call, ...] = ()
    """The calls that nobody allowed."""
    spoke: bool = False
    """The agent made progress before the error."""
    died: bool = False
    """Claude ended without a result."""
    late: bool = False
    """Its time was over."""
    spent: bool = False
    """The money was spent."""
    interrupted: bool = False
    """The user ended it."""

    @property
    def is_uncounted(self) -> bool:
        """Whether the agent spoke, and its usage is unknown."""
        return bool(self.text) and not self.error and not any(self.tokens.values())

    @property
    def is_passing(self) -> bool:
        """Whether a later try may succeed."""
        if self.status is not None:
            return self.status in _TRANSIENT or self.status >= 500
        return bool(_PASSING.search(self.error))

    @property
    def final_outcome(self) -> str:
        """The outcome of a turn that was ended from outside, or nothing."""
        if self.interrupted:
            return "interrupted"
        if self.late:
            return "minutes"
        return "cost" if self.spent else ""

    def limit_ends(self, now: float) -> float | None:
        """When the limit that the turn ran into ends, if that is known."""
        return self.resets_at or usage_limit.stated_end(self.error, now)


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait after an error, and how often in a row."""

    first_seconds: float = 2.0
    most_seconds: float = 300.0
    tries: int = 8
    deaths: int = 3

    def pause(
        self, turn: Turn, failures: int, chance: float, limit_in: float | None, waits: bool
    ) -> float | None:
        """How long to wait after so many failures in a row; None to give up.

        `chance` is between 0 and 1; `limit_in` says when a limit ends, if that is known. One that
        ends later than the longest pause is worth waiting for only if the user wants it.
        """
        if turn.died:
            return 0.0 if failures <= self.deaths else None
        if failures > self.tries:
            return None
        usual = min(self.most_seconds, self.first_seconds * 2.0 ** (failures - 1))
        usual *= 0.75 + 0.5 * chance
        if limit_in is not None:
            return limit_in + usual if waits or limit_in <= self.most_seconds else None
        return max(turn.retry_after, usual) if turn.is_passing else None
