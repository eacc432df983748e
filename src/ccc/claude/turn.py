"""An agent's turn, and how long to wait after a failed one."""

import re
from collections.abc import Mapping

from msgspec import Struct, field

from ccc.claude.formats import usage_limit
from ccc.claude.formats.permission import Call
from ccc.model.cost import Cost

_TRANSIENT = (408, 409, 429)
_FIRST_PAUSE, _LONGEST_PAUSE = 2.0, 300.0
_TRIES, _DEATHS = 8, 3
_PASSING = re.compile(
    r"rate.?limit|overloaded|timed? ?out|connection|network|socket|ECONN|temporarily|"
    r"internal server error|bad gateway|unavailable",
    re.IGNORECASE,
)


class Turn(Struct, frozen=True):
    """How a turn ended: with a final message or an error."""

    text: str = ""
    error: str = ""
    status: int | None = None  # the HTTP status of an API error
    retry_after: float = 0.0  # how long claude waited before it gave up: the provider's retry-after
    cost: Cost = field(default_factory=Cost)
    tokens: Mapping[str, int] = field(default_factory=dict)
    resets_at: float = 0.0  # when the usage limit ends, if claude says so
    denied: tuple[Call, ...] = ()  # the denied calls
    spoke: bool = False  # whether the agent made progress before the error
    died: bool = False  # whether claude exited without a result
    late: bool = False  # whether it reached the time limit
    spent: bool = False  # whether it used up the budget
    interrupted: bool = False  # whether the user interrupted it

    @property
    def is_uncounted(self) -> bool:
        """Whether the agent answered but its usage is unknown."""
        return bool(self.text) and not self.error and not any(self.tokens.values())

    @property
    def is_passing(self) -> bool:
        """Whether a retry may succeed."""
        if self.status is not None:
            return self.status in _TRANSIENT or self.status >= 500
        return bool(_PASSING.search(self.error))

    @property
    def final_outcome(self) -> str:
        """The outcome of a turn that was cut short by the user or a limit, else ""."""
        if self.interrupted:
            return "interrupted"
        if self.late:
            return "minutes"
        return "cost" if self.spent else ""

    def limit_ends(self, now: float) -> float | None:
        """Return when the usage limit that the turn hit ends, if known."""
        return self.resets_at or usage_limit.stated_end(self.error, now)

    def pause(
        self, failures: int, chance: float, limit_in: float | None, waits: bool
    ) -> float | None:
        """Return how long to wait after consecutive failures, or None to give up.

        `chance` is between 0 and 1. `limit_in` is the time until a usage limit ends, if known. If
        that exceeds the longest pause, ccc waits only if the user wants it (`waits`).
        """
        if self.died:
            return 0.0 if failures <= _DEATHS else None
        if failures > _TRIES:
            return None
        usual = min(_LONGEST_PAUSE, _FIRST_PAUSE * 2.0 ** (failures - 1))
        usual *= 0.75 + 0.5 * chance
        if limit_in is not None:
            return limit_in + usual if waits or limit_in <= _LONGEST_PAUSE else None
        return max(self.retry_after, usual) if self.is_passing else None
