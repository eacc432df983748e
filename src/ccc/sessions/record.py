"""What is on record of a session: its rounds, with verdict, receipts, cost and size."""

from dataclasses import dataclass, field, replace
from datetime import datetime

from ccc.providers import cost_source as costs
from ccc.providers import usage
from ccc.sessions.glance import Figures, number, text, texts
from ccc.supervision.evidence import Evidence, receipt
from ccc.supervision.outcome import INTERRUPTED, OUTCOMES
from ccc.text import jsontext

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from ccc.sessions.glance import Glance


@dataclass(frozen=True, slots=True)
class Diff:
    """How much had changed since the session began."""

    files: int
    added: int
    removed: int


@dataclass(frozen=True, slots=True)
class Step:
    """A tool call of the reviewer's, and what came of it."""

    tool: str
    call: str
    """What it was about: the command, the file, the pattern."""
    seen: str = ""
    """The end of what it showed."""
    failed: bool = False


@dataclass(frozen=True, slots=True)
class Round:
    """A stop that was judged by a check or by a review, or would have been."""

    iteration: int
    limit: int = 0
    prompt_id: str = ""
    request: str = ""
    requests: tuple[str, ...] = ()
    task: str = ""
    """The prompt with which the task began; of a longer one than `prompt_id`, perhaps."""
    task_started: float = 0.0
    stopped_at: float = 0.0
    decided_at: float = 0.0
    outcome: str = ""
    allowed: bool = False
    feedback: str = ""
    failure: str = ""
    cost_usd: float = 0.0
    cost_source: str = ""
    tokens: "Mapping[str, int]" = field(default_factory=dict)
    seconds: float = 0.0
    receipts: tuple[Evidence, ...] = ()
    diff: Diff | None = None
    changed_tree: bool = False
    provider: str = ""
    model: str = ""
    output: tuple[int, int] | None = None
    """Where the review stands in the file of the reviewer's output, in bytes."""
    steps: tuple[Step, ...] = ()
    closing: str = ""
    """The reviewer's last words, without the verdict."""

    @property
    def is_judged(self) -> bool:
        """Whether it is a round: no limit came before, and nobody interrupted it."""
        return OUTCOMES[self.outcome].is_round

    @property
    def was_reviewed(self) -> bool:
        """Whether a model was asked, and answered."""
        return self.is_judged and bool(self.tokens or self.seconds)

    @property
    def cached(self) -> float | None:
        """The share of what was sent that the prompt cache served."""
        return usage.cached_share(self.tokens)

    @property
    def took(self) -> float:
        """How long the stop took: checks and review."""
        return self.seconds + sum(each.seconds for each in self.receipts)


@dataclass(frozen=True, slots=True)
class Job:
    """What was asked, first and later, through all its rounds."""

    requests: tuple[str, ...]
    rounds: tuple[Round, ...]

    @property
    def request(self) -> str:
        """What it began with."""
        return self.requests[0] if self.requests else ""

    @property
    def later(self) -> "list[tuple[tuple[str, ...], Round]]":
        """Each round, with what was asked for since the one before."""
        found, known = [], 1
        for each in self.rounds:
            found.append((each.requests[known:], each))
            known = max(known, len(each.requests))
        return found

    @property
    def seconds(self) -> float:
        """From the prompt to the last decision."""
        first, last = self.rounds[0], self.rounds[-1]
        begun = first.task_started or first.stopped_at or first.decided_at
        return max(0.0, last.decided_at - begun)


@dataclass(frozen=True, slots=True)
class Session:
    """A session at a glance, with its rounds."""

    glance: "Glance"
    rounds: tuple[Round, ...] = ()
    logs: "Mapping[str, str]" = field(default_factory=dict)

    @property
    def jobs(self) -> list[Job]:
        """The rounds by what they were about."""
        found: list[list[Round]] = []
        for each in self.rounds:
            if found and _task_of(found[-1][-1]) == _task_of(each):
                found[-1].append(each)
            else:
                found.append([each])
        return [Job(_requests_of(rounds[-1]), tuple(rounds)) for rounds in found]

    @property
    def request(self) -> str:
        """What the session is about."""
        return self.glance.request or (self.rounds[-1].request if self.rounds else "")

    @property
    def outcome(self) -> str:
        """What it came to, as far as it got."""
        return self.glance.outcome or (self.rounds[-1].outcome if self.rounds else "")

    @property
    def reviews(self) -> int:
        """How often a model was asked."""
        return sum(each.was_reviewed for each in self.rounds)

    @property
    def figures(self) -> Figures:
        """How many rounds, and what they have cost."""
        decided = ((each.outcome, each.cost_usd, each.cost_source) for each in self.rounds)
        return Figures(decided, self.glance.agent_cost_usd, self.glance.agent_cost_source)

    @property
    def cached(self) -> float | None:
        """The share of everything sent for reviews that the prompt cache served."""
        return usage.cached_share(usage.add(each.tokens for each in self.rounds))

    @property
    def seconds(self) -> float:
        """How long the work took, without the time between two prompts."""
        return self.glance.elapsed or sum(job.seconds for job in self.jobs)


def rounds(lines: "Iterable[str]") -> tuple[Round, ...]:
    """The rounds in the lines of the verdicts' file; what is no such line is passed over."""
    found = (_round(line) for line in lines)
    return tuple(each for each in found if each is not None)


def numbered(found: "Iterable[Round]") -> "tuple[Round, ...]":
    """The rounds with each number once a prompt: a run that went on may have used one again."""
    last: dict[str, int] = {}
    numbers = []
    for each in found:
        before = last.get(each.prompt_id, 0)
        is_next = each.is_judged or each.outcome == INTERRUPTED
        each = replace(each, iteration=max(each.iteration, before + is_next))
        if each.is_judged:
            last[each.prompt_id] = each.iteration
        numbers.append(each)
    return tuple(numbers)


def _task_of(each: Round) -> str:
    return each.task or each.prompt_id


def _requests_of(each: Round) -> tuple[str, ...]:
    return each.requests or tuple(filter(None, [each.request]))


def _round(line: str) -> Round | None:
    raw = jsontext.object_in(line)
    if raw is None or not isinstance(raw.get("iteration"), int):
        return None
    return Round(
        iteration=int(number(raw["iteration"])),
        limit=int(number(raw.get("limit"))),
        prompt_id=text(raw.get("prompt_id")),
        request=text(raw.get("request")),
        requests=texts(raw.get("requests")),
        task=text(raw.get("task")),
        task_started=number(raw.get("task_started")),
        stopped_at=number(raw.get("stopped_at")),
        decided_at=moment(text(raw.get("time"))),
        outcome=text(raw.get("outcome")),
        allowed=raw.get("allowed") is True,
        feedback=text(raw.get("feedback")),
        failure=text(raw.get("failure")),
        cost_usd=(cost := number(raw.get("cost_usd"))),
        cost_source=costs.on_record(cost, text(raw.get("cost_source"))),
        tokens=_counts(raw.get("tokens")),
        seconds=number(raw.get("seconds")),
        receipts=receipts_in(raw.get("receipts")),
        diff=_diff(raw.get("diff")),
        changed_tree=raw.get("changed_tree") is True,
        provider=text(raw.get("provider")),
        model=text(raw.get("model")),
        output=_span(raw.get("output")),
    )


def _span(raw: object) -> tuple[int, int] | None:
    """A part of a file: where it begins and ends."""
    if not isinstance(raw, list) or len(raw) != 2:
        return None
    begin, end = (int(number(each)) for each in raw)
    return (begin, end) if 0 <= begin <= end else None


def receipts_in(raw: object) -> tuple[Evidence, ...]:
    """The receipts in a record."""
    found = [each for each in raw if isinstance(each, dict)] if isinstance(raw, list) else []
    return tuple(map(_receipt, found))


def _receipt(raw: "Mapping[str, Any]") -> Evidence:
    seconds, output = number(raw.get("seconds")), str(raw.get("output") or "")
    if "command" not in raw and "name" in raw:
        name, summary = str(raw["name"]), str(raw.get("summary") or "")
        passed = raw.get("passed") is True
        return Evidence(name, passed, summary=summary, seconds=seconds, output=output)
    code = raw.get("exit_code")
    return receipt(
        str(raw.get("command") or ""),
        code if isinstance(code, int) else None,
        seconds,
        head=str(raw.get("head") or ""),
        dirty=raw.get("dirty") is True,
        output=output,
        output_file=str(raw.get("output_file") or ""),
    )


def _diff(raw: object) -> Diff | None:
    if not isinstance(raw, dict):
        return None
    return Diff(*(int(number(raw.get(name))) for name in ("files", "added", "removed")))


def _counts(raw: object) -> dict[str, int]:
    if not isinstance(raw, dict):
        return {}
    return {name: int(number(count)) for name, count in raw.items() if isinstance(name, str)}


def moment(stamp: str) -> float:
    """The seconds of the epoch that an ISO 8601 time names; 0 where it names none."""
    try:
        return datetime.fromisoformat(stamp).timestamp()
    except (ValueError, OverflowError, OSError):
        return 0.0
