"""A turn of the agent: the process that takes it, its usage, and how far the turn is."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ccc.claude.conversation import ControlledClaude
from ccc.claude.formats import stream, usage
from ccc.claude.formats.usage import Used
from ccc.claude.output import ErrorLog


@dataclass(slots=True)
class Process:
    """A claude process, and the part of its usage that has been charged."""

    client: ControlledClaude
    errors: ErrorLog
    used: Mapping[str, Used]  # the session's usage so far, according to claude
    budget: float | None  # the rest of the budget that claude was started with
    charged_results: int = 0

    def take_results(self) -> Sequence[stream.Result]:
        """Return the results since the last call."""
        results = self.client.output.results
        new, self.charged_results = results[self.charged_results :], len(results)
        return new

    def charge(self, results: Sequence[stream.Result]) -> Mapping[str, Used]:
        """Return the usage of these results, and take it from the budget."""
        used = stream.usage_of(results, self.used)
        self.used = results[-1].used if results else self.used
        if self.budget is not None:
            self.budget -= usage.estimate(used)
        return used


@dataclass(slots=True)
class Progress:
    """The state of the current turn."""

    results_before: int = 0
    also_sent: list[str] = field(default_factory=list)
    is_open: bool = False
    deadline: asyncio.Timeout | None = None
    retry_after: float = 0.0
    resets_at: float = 0.0
    has_spoken: bool = False
    is_late: bool = False
    is_over_budget: bool = False
    limited: int = 0  # the status of the API error after which ccc waits, and not claude
