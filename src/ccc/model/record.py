"""A session's records: its rounds, grouped by task, with costs and times."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby

from msgspec import Struct, field
from msgspec.structs import replace

from ccc.model import cost
from ccc.model import round as model
from ccc.model.outcome import INTERRUPTED
from ccc.model.overview import Figures, Overview
from ccc.model.round import MARKS, Round, cached_share
from ccc.text import lenient_json


class TaskRounds(Struct, frozen=True):
    """The rounds of one task."""

    rounds: tuple[Round, ...]

    @property
    def requests(self) -> tuple[str, ...]:
        """All requests: the first one and those that were added."""
        last = self.rounds[-1]
        return last.requests or tuple(filter(None, [last.request]))

    @property
    def request(self) -> str:
        """The first request."""
        return next(iter(self.requests), "")

    @property
    def rounds_with_requests(self) -> Iterator[tuple[tuple[str, ...], Round]]:
        """Yield each round with the requests that were added before it."""
        known = 1
        for each in self.rounds:
            yield each.requests[known:], each
            known = max(known, len(each.requests))

    @property
    def seconds(self) -> float:
        """The time from the prompt to the last decision."""
        first, last = self.rounds[0], self.rounds[-1]
        begin = first.task_started or first.stopped_at or first.decided_at
        return max(0.0, last.decided_at - begin)


class SessionRecord(Struct, frozen=True):
    """A session's overview, with its rounds."""

    overview: Overview
    rounds: tuple[Round, ...] = ()
    logs: Mapping[str, str] = field(default_factory=dict)

    @property
    def tasks(self) -> list[TaskRounds]:
        """The rounds grouped by task."""
        groups = groupby(self.rounds, lambda each: each.task or each.prompt_id)
        return [TaskRounds(tuple(group)) for _, group in groups]

    @property
    def request(self) -> str:
        """The session's request."""
        return self.overview.request or (self.rounds[-1].request if self.rounds else "")

    @property
    def outcome(self) -> str:
        """The last outcome."""
        return self.overview.outcome or (self.rounds[-1].outcome if self.rounds else "")

    @property
    def reviews(self) -> int:
        """The number of reviews."""
        return sum(each.was_reviewed for each in self.rounds)

    @property
    def figures(self) -> Figures:
        """The number of rounds and their costs."""
        return Figures(self.rounds, self.overview.agent_cost_usd, self.overview.agent_cost_source)

    @property
    def cached(self) -> float | None:
        """The share of the reviews' prompts that was read from the cache."""
        total: Counter[str] = Counter()
        for each in self.rounds:
            total.update(each.tokens)
        return cached_share(total)

    @property
    def seconds(self) -> float:
        """The duration of the work, without the time between prompts."""
        return self.overview.elapsed or sum(task.seconds for task in self.tasks)


def rounds(lines: Iterable[str]) -> tuple[Round, ...]:
    """Parse the rounds in the lines of a verdicts file with the user's marks, skipping the rest."""
    result: list[Round] = []
    for line in lines:
        if each := model.from_line(line):
            source = cost.on_record(each.cost_usd, each.cost_source).source
            result.append(replace(each, cost_source=source))
        elif (raw := lenient_json.parse_object(line)) and raw.get("mark") in MARKS:
            result = [model.with_mark(each, raw) for each in result]
    return tuple(result)


def renumber(rounds: Iterable[Round]) -> tuple[Round, ...]:
    """Return the rounds with unique numbers per prompt; a continued run may have reused one."""
    last: dict[str, int] = {}
    numbered = []
    for each in rounds:
        before = last.get(each.prompt_id, 0)
        is_next = each.is_judged or each.outcome == INTERRUPTED
        each = replace(each, number=max(each.number, before + is_next))
        if each.is_judged:
            last[each.prompt_id] = each.number
        numbered.append(each)
    return tuple(numbered)
