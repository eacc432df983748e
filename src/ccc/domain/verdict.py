"""The reviewer's verdict, found in what it said."""

import json
import re
from dataclasses import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

COMPLETED_MARK = "[TASK_COMPLETED]"
SCHEMA = {
    "type": "object",
    "properties": {
        "completed": {"type": "boolean"},
        "feedback": {"type": "string"},
        "needs_user": {"type": "boolean"},
    },
    "required": ["completed", "feedback"],
}
_LONGEST = 200_000
_OPENING = re.compile(r"\{(?=[^{}]*completed)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether the work is done, and what to do if it is not."""

    completed: bool
    feedback: str = ""
    needs_user: bool = False


def from_value(value: object) -> Verdict | None:
    """The verdict in an object with a boolean `completed`."""
    if not isinstance(value, dict) or not isinstance(value.get("completed"), bool):
        return None
    feedback = value.get("feedback")
    return Verdict(
        completed=value["completed"],
        feedback=feedback.strip() if isinstance(feedback, str) else "",
        needs_user=value.get("needs_user") is True,
    )


def find(text: str) -> Verdict | None:
    """The last JSON verdict in the text, fenced, bare or slightly broken; else the mark."""
    text = text[-_LONGEST:]
    verdicts = list(_verdicts(text))
    if verdicts:
        return verdicts[-1]
    if repaired := _repaired(text):
        return repaired
    return Verdict(completed=True) if COMPLETED_MARK in text else None


def _verdicts(text: str) -> "Iterator[Verdict]":
    """Each object that is a verdict, in order; what stands inside an object is part of it."""
    # strict=False: models put raw line breaks into their strings
    decoder = json.JSONDecoder(strict=False)
    at = text.find("{")
    while at >= 0:
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            if verdict := from_value(value):
                yield verdict
        at = text.find("{", end)


def _repaired(text: str) -> Verdict | None:
    """A verdict that is almost JSON: single quotes, a lost bracket, a stray comma."""
    openings = [match.start() for match in _OPENING.finditer(text)]
    if not openings:
        return None
    import json_repair

    try:
        value = json_repair.loads(text[openings[-1] :].split("```")[0])
    except (ValueError, RecursionError):
        return None
    return from_value(value[0] if isinstance(value, list) and value else value)


def record(verdict: Verdict) -> "Mapping[str, object]":
    """The verdict as it is written down."""
    return {
        "completed": verdict.completed,
        "feedback": verdict.feedback,
        "needs_user": verdict.needs_user,
    }
