"""A round as recorded in a session's verdicts file: the verdict on a stop, with its evidence."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from ccc.model.evidence import Evidence, from_record, to_record
from ccc.model.outcome import OUTCOMES
from ccc.text import lenient_json

WRONG, RIGHT = MARKS = ("wrong", "right")  # how the user can mark a verdict; the last mark counts
_VERDICTS = ("completed", "not_completed", "needs_user", "stuck")


def cached_share(tokens: Mapping[str, int]) -> float | None:
    """Return the share of the prompt that came from the cache; None if nothing was sent."""
    sent = [tokens.get(name, 0) for name in ("cache_read", "input", "cache_creation")]
    return sent[0] / sum(sent) if sum(sent) else None


class Diff(Struct, frozen=True):
    """The size of the changes since the session started."""

    files: int
    added: int
    removed: int


class Step(Struct, frozen=True):
    """A tool call by the reviewer, and its result."""

    tool: str
    call: str  # the command, the file or the pattern
    seen: str = ""  # the end of the result
    failed: bool = False


class Round(Struct, frozen=True):
    """A stop that was decided by a check or a review, or that ended at a limit."""

    number: int
    limit: int = 0
    prompt_id: str = ""
    request: str = ""
    requests: tuple[str, ...] = ()
    task: str = ""  # the prompt that started the task; `prompt_id` may be a later one
    task_started: float = 0.0
    stopped_at: float = 0.0
    decided_at: float = 0.0
    outcome: str = ""
    allowed: bool = False
    completed: bool | None = None  # what the reviewer concluded; None without a verdict
    needs_user: bool = False
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
    agent_model: str = ""
    output: tuple[int, int] | None = None  # the byte range of the review in the reviewer's output
    steps: tuple[Step, ...] = ()
    closing: str = ""  # the reviewer's closing text, without the verdict
    wrong: bool = False  # whether the user has marked the verdict as wrong

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
        return cached_share(self.tokens)

    @property
    def took(self) -> float:
        """The duration of the stop, including checks and review."""
        return self.seconds + sum(each.seconds for each in self.receipts)


def to_line(each: Round) -> dict[str, Any]:
    """Convert a round to its record, which gets its time when it is written."""
    raw: dict[str, Any] = msgspec.to_builtins(each)
    # read from other places: the time of the record, the reviewer's output, the user's marks
    for name in ("number", "decided_at", "steps", "closing", "wrong"):
        del raw[name]
    return {"iteration": each.number, **raw, "receipts": [*map(to_record, each.receipts)]}


def from_line(line: str) -> Round | None:
    """Return the round in a line of the file, or None if there is none."""
    raw = lenient_json.parse_object(line)
    if raw is None or "iteration" not in raw:
        return None
    try:
        receipts = tuple(map(from_record, raw.pop("receipts", ())))
        at = datetime.fromisoformat(raw["time"]).timestamp() if "time" in raw else 0.0
        each = msgspec.convert({**raw, "number": raw["iteration"], "decided_at": at}, Round)
        return replace(each, receipts=receipts)
    except (TypeError, ValueError, msgspec.ValidationError):
        return None


def mark_line(each: Round, mark: str) -> dict[str, object]:
    """Return the line that marks a round, identified by its times among all of the session."""
    return {"mark": mark, "stopped_at": each.stopped_at, "decided_at": each.decided_at}


def with_mark(each: Round, raw: Mapping[str, Any]) -> Round:
    """Return the round, changed by a line with a mark if it names this round."""
    is_meant = mark_line(each, raw["mark"]).items() <= raw.items()
    return replace(each, wrong=raw["mark"] == WRONG) if is_meant else each
