"""A session's records: its rounds, with verdicts, receipts, costs and sizes."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from itertools import groupby
from typing import Any

from ccc.claude.formats import usage
from ccc.claude.formats.transcript import parse_time
from ccc.model.evidence import Evidence, Signal, receipt
from ccc.model.outcome import INTERRUPTED, OUTCOMES
from ccc.providers import cost_source
from ccc.sessions.overview import Figures, Overview, number, text, texts
from ccc.text import lenient_json

WRONG, RIGHT = MARKS = ("wrong", "right")
"""How the user can mark a verdict; the last mark counts."""
_MOMENTS = ("stopped_at", "decided_at")
"""What identifies a round among all of a session."""
_VERDICTS = ("completed", "not_completed", "needs_user", "stuck")


@dataclass(frozen=True, slots=True)
class Diff:
    """The size of the changes since the session started."""

    files: int
    added: int
    removed: int


@dataclass(frozen=True, slots=True)
class Step:
    """A tool call by the reviewer, and its result."""

    tool: str
    call: str
    """The command, the file or the pattern."""
    seen: str = ""
    """The end of the result."""
    failed: bool = False


@dataclass(frozen=True, slots=True)
class Round:
    """A stop that was decided by a check or a review, or that ended at a limit."""

    number: int
    limit: int = 0
    prompt_id: str = ""
    request: str = ""
    requests: tuple[str, ...] = ()
    task: str = ""
    """The prompt that started the task; `prompt_id` may be a later one."""
    task_started: float = 0.0
    stopped_at: float = 0.0
    decided_at: float = 0.0
    outcome: str = ""
    allowed: bool = False
    feedback: str = ""
    failure: str = ""
    cost_usd: float = 0.0
    cost_source: str = ""
    tokens: Mapping[str, int] = field(default_factory=dict)
    seconds: float = 0.0
    receipts: tuple[Evidence, ...] = ()
    diff: Diff | None = None
    changed_tree: bool = False
    provider: str = ""
    model: str = ""
    output: tuple[int, int] | None = None
    """The byte range of the review in the reviewer's output."""
    steps: tuple[Step, ...] = ()
    closing: str = ""
    """The reviewer's closing text, without the verdict."""
    wrong: bool = False
    """Whether the user has marked the verdict as wrong."""

    @property
    def is_judged(self) -> bool:
        """Whether it counts as a round, rather than a limit or an interruption."""
        return OUTCOMES[self.outcome].is_round

    @property
    def has_verdict(self) -> bool:
        """Whether it ended with a verdict, which may be wrong."""
        return self.outcome in _VERDICTS

    @property
    def was_reviewed(self) -> bool:
        """Whether there was a review."""
        return self.is_judged and bool(self.tokens or self.seconds)

    @property
    def cached(self) -> float | None:
        """The share of the prompt that was read from the cache."""
        return usage.cached_share(self.tokens)

    @property
    def took(self) -> float:
        """The duration of the stop, including checks and review."""
        return self.seconds + sum(each.seconds for each in self.receipts)


@dataclass(frozen=True, slots=True)
class Task:
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


@dataclass(frozen=True, slots=True)
class Session:
    """A session's overview, with its rounds."""

    overview: Overview
    rounds: tuple[Round, ...] = ()
    logs: Mapping[str, str] = field(default_factory=dict)

    @property
    def tasks(self) -> list[Task]:
        """The rounds grouped by task."""
        groups = groupby(self.rounds, lambda each: each.task or each.prompt_id)
        return [Task(tuple(group)) for _, group in groups]

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
        decided = ((each.outcome, each.cost_usd, each.cost_source) for each in self.rounds)
        return Figures(decided, self.overview.agent_cost_usd, self.overview.agent_cost_source)

    @property
    def cached(self) -> float | None:
        """The share of the reviews' prompts that was read from the cache."""
        return usage.cached_share(usage.add(each.tokens for each in self.rounds))

    @property
    def seconds(self) -> float:
        """The duration of the work, without the time between prompts."""
        return self.overview.elapsed or sum(task.seconds for task in self.tasks)


def rounds(lines: Iterable[str]) -> tuple[Round, ...]:
    """Parse the rounds in the lines of a verdicts file with the user's marks, skipping the rest."""
    result: list[Round] = []
    for raw in filter(None, map(lenient_json.parse_object, lines)):
        if isinstance(raw.get("iteration"), int):
            result.append(_read_round(raw))
        elif raw.get("mark") in MARKS:
            moments = tuple(number(raw.get(name)) for name in _MOMENTS)
            result = [_with_mark(each, moments, raw["mark"] == WRONG) for each in result]
    return tuple(result)


def mark_line(each: Round, mark: str) -> dict[str, object]:
    """Return the line of a verdicts file that marks a round; without a number, it is no round."""
    return {"mark": mark, **{name: getattr(each, name) for name in _MOMENTS}}


def _with_mark(each: Round, moments: tuple[float, ...], wrong: bool) -> Round:
    is_meant = (each.stopped_at, each.decided_at) == moments
    return replace(each, wrong=wrong) if is_meant else each


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


def _read_round(raw: Mapping[str, Any]) -> Round:
    cost = number(raw.get("cost_usd"))
    tokens = raw.get("tokens")
    counts = tokens.items() if isinstance(tokens, dict) else ()
    diff = raw.get("diff")
    round_: Round = _read(
        Round,
        raw,
        number=_integer(raw["iteration"]),
        decided_at=parse_time(text(raw.get("time"))),
        cost_source=cost_source.on_record(cost, text(raw.get("cost_source"))),
        tokens={name: _integer(count) for name, count in counts},
        receipts=read_receipts(raw.get("receipts")),
        diff=_read(Diff, diff) if isinstance(diff, dict) else None,
        output=_span(raw.get("output")),
        wrong=False,
    )
    return round_


def _integer(value: object) -> int:
    return int(number(value))


_READERS: dict[object, Callable[[object], object]] = {
    str: text,
    float: number,
    int: _integer,
    bool: lambda value: value is True,
    tuple[str, ...]: texts,
}


def _read(kind: type[Any], raw: Mapping[str, Any], **values: object) -> Any:
    """Build a dataclass from a record: simple fields by type, the others from `values`."""
    for each in fields(kind):
        if each.name not in values and each.type in _READERS:
            values[each.name] = _READERS[each.type](raw.get(each.name))
    return kind(**values)


def _span(raw: object) -> tuple[int, int] | None:
    """Return the start and end of a part of a file, or None if they are invalid."""
    if not isinstance(raw, list) or len(raw) != 2:
        return None
    begin, end = map(_integer, raw)
    return (begin, end) if 0 <= begin <= end else None


def read_receipts(raw: object) -> tuple[Evidence, ...]:
    """Parse the receipts in a record."""
    receipts = [each for each in raw if isinstance(each, dict)] if isinstance(raw, list) else []
    return tuple(map(_read_receipt, receipts))


def _read_receipt(raw: Mapping[str, Any]) -> Evidence:
    if "command" not in raw and "name" in raw:
        kind = Signal if "severity" in raw else Evidence
        other: Evidence = _read(kind, raw)
        return other
    code = raw.get("exit_code")
    return receipt(
        text(raw.get("command")),
        code if isinstance(code, int) else None,
        number(raw.get("seconds")),
        output=text(raw.get("output")),
        output_file=text(raw.get("output_file")),
        head=text(raw.get("head")),
        dirty=raw.get("dirty") is True,
        obstacle=text(raw.get("obstacle")),
    )
