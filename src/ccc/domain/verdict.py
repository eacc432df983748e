"""The reviewer's verdict, found in what it said."""

import json
import re
from dataclasses import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

COMPLETED_MARK = "[TASK_COMPLETED]"
_CLOSING = " \t*_`'\"”.!。！)）"
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
# json_repair takes quadratic time for wild texts
_LONGEST_REPAIR = 20_000
_MOST_REPAIRED = 3 * _LONGEST_REPAIR
# An object begins: a first key in quotes of any kind, or the bare word.
_OBJECT = re.compile(r"""\{\s*(?:["'“‘][^"'”’{}\n]{1,80}["'”’]|completed)\s*:""")
_SAID = re.compile(r"""(?:```(?:json)?\s*)?\{[^{}]*["']completed["'][^{}]*\}(?:\s*```)?""")
# `true or false`, as in the form itself, would be repaired into a yes.
_YES = re.compile(r"""completed["'”’]?\s*:\s*[Tt]rue\s*(?:[,}`]|\n|$)""")


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
    return Verdict(
        completed=value["completed"],
        feedback=_words(value.get("feedback")),
        needs_user=value.get("needs_user") is True,
    )


def _words(feedback: object) -> str:
    """The feedback as text; a list of points is one point a line."""
    if isinstance(feedback, str):
        return feedback.strip()
    if isinstance(feedback, list):
        return "\n".join(filter(None, map(_words, feedback)))
    return json.dumps(feedback, ensure_ascii=False) if feedback else ""


def find(text: str) -> Verdict | None:
    """The last JSON verdict in the text, fenced, bare or slightly broken; else the mark."""
    text = text[-_LONGEST:]
    last = None
    for verdict in _verdicts(text):
        last = verdict
    return last or (Verdict(completed=True) if _is_marked(text) else None)


def _is_marked(text: str) -> bool:
    """Whether the mark of completion ends a line, and no verdict in JSON was tried.

    `not yet [TASK_COMPLETED], since …` speaks about the mark.
    """
    ended = any(line.rstrip(_CLOSING).endswith(COMPLETED_MARK) for line in text.splitlines())
    return ended and '"completed"' not in text


def _verdicts(text: str) -> "Iterator[Verdict]":
    """Each object that is a verdict, in order; what stands inside an object is part of it."""
    # strict=False: models put raw line breaks into their strings
    decoder = json.JSONDecoder(strict=False)
    latest = max(0, text.rfind("completed"))
    budget, closed = _MOST_REPAIRED, True
    at = text.find("{", 0, latest)
    while at >= 0:
        value, end, inside = None, at + 1, not closed
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            if budget > 0 and _OBJECT.match(text, at):
                part = text[at : at + min(budget, _LONGEST_REPAIR)]
                budget -= len(part)
                value, length, closes = _repaired(part)
                end, closed = at + length, closed and closes
        verdict = from_value(value)
        # behind a lost bracket nobody can say what is quoted: a "completed" is not believed there
        if verdict and not (inside and verdict.completed):
            yield verdict
        at = text.find("{", end, latest)


def _repaired(text: str) -> tuple[object, int, bool]:
    """The object at the beginning that is almost JSON, how long it is, and whether it closes."""
    from json_repair.json_parser import JSONParser

    parser = JSONParser(text, None, False)
    try:
        value = parser.parse_json()
    except (ValueError, RecursionError, IndexError):
        return None, 1, False
    length = min(parser.index, len(text))
    verdict = from_value(value)
    if verdict and verdict.completed and not _YES.search(text[:length]):
        return None, 1, False
    # a yes that swallowed other objects may have swallowed a no
    doubtful = verdict and verdict.completed and "{" in text[1:length]
    if doubtful or parser.index > len(text) or not text[:length].rstrip().endswith("}"):
        return value, 1, False
    return value, length, True


def without(text: str) -> str:
    """What a reviewer says beside its verdict."""
    return _SAID.sub("", text).strip()


def record(verdict: Verdict) -> "Mapping[str, object]":
    """The verdict as it is written down."""
    return {
        "completed": verdict.completed,
        "feedback": verdict.feedback,
        "needs_user": verdict.needs_user,
    }
