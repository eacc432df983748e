"""A review and its verdict, parsed from the reviewer's answer."""

import json
import re
from collections.abc import Mapping

from msgspec import Struct, field

from ccc.model.cost import Cost

COMPLETED_MARK = "[TASK_COMPLETED]"
SCHEMA = {
    "type": "object",
    "properties": {
        "code": {"type": "string"},
        "completed": {"type": "boolean"},
        "feedback": {"type": "string"},
        "needs_user": {"type": "boolean"},
    },
    "required": ["code", "completed", "feedback"],
}
_MAX_LENGTH = 200_000
_MAX_CANDIDATES = 100
_OBJECT = re.compile(r'\{\s*"[^"]*"\s*:')
_EMPHASIS = " \t\r\n*_"
_SAID = re.compile(r"(?:```(?:json)?\s*)?\{[^{}]*\}(?:\s*```)?")
# what models write instead of JSON: other quotes, commas and colons, capitals, Python's `False`
_QUOTES, _GAP, _FRAME = "\"'“”", " \t\r\n,，}", " \t\r\n`*_]"
_COLON = rf"[{_QUOTES}]?\s*[:：]\s*"
_COMPLETED = re.compile(rf"completed{_COLON}([^,，}}\r\n]*)", re.IGNORECASE)
_NEEDS_USER = re.compile(rf"needs_user{_COLON}([^,，}}\r\n]*)", re.IGNORECASE)
_FEEDBACK = re.compile(rf"feedback{_COLON}[{_QUOTES}]?", re.IGNORECASE)
_OTHER_KEY = re.compile(
    rf"[,，\n][ \t]*[{_QUOTES}]?(?:code|completed|needs_user){_COLON}", re.IGNORECASE
)


class Verdict(Struct, frozen=True):
    """Whether the work is done, and the feedback if it isn't."""

    completed: bool
    feedback: str = ""
    needs_user: bool = False


class Review(Struct, frozen=True):
    """A verdict, or the reason why there is none, with its cost."""

    verdict: Verdict | None = None
    failure: str = ""
    cost: Cost = field(default_factory=Cost)
    seconds: float = 0.0
    tokens: Mapping[str, int] = field(default_factory=dict)
    tree: str = ""  # fingerprint of the working tree before the review
    is_over_budget: bool = False  # whether the budget was used up before there was a verdict
    changed_tree: bool = False
    first_request: Mapping[str, int] = field(default_factory=dict)
    """The tokens of the first request, which repeats the conversation."""
    sandbox_failure: str = ""  # why all of the reviewer's commands failed in claude's sandbox
    covers_all: bool = False
    """Whether the tree is all that the agent may change, so that an equal tree is equal work."""


def find(text: str, code: str, *, mark: bool = False) -> Verdict | None:
    """Return the verdict at the end of the text, or None if it is unclear.

    A verdict that lets the agent stop must be strict JSON and contain the review's code, which no
    earlier text can contain, exactly once. Any other no may be malformed. With `mark`, the
    instructions ask for COMPLETED_MARK instead.
    """
    text = text[-_MAX_LENGTH:].rstrip()
    if mark and text.strip(_EMPHASIS).endswith(COMPLETED_MARK):
        denies = any(value.startswith("false") for value in _values(_COMPLETED, text))
        return None if denies else Verdict(completed=True)
    value, is_strict = _last_object(text)
    verdict = from_value(value, code)
    allows_stop = verdict and (verdict.completed or verdict.needs_user)
    is_clear = is_strict and text.casefold().count(code) == 1
    return None if allows_stop and not is_clear else verdict or _malformed_no(text)


def from_value(value: object, code: str) -> Verdict | None:
    """Parse an object with a boolean `completed`; a negative verdict needs no code."""
    if not isinstance(value, dict) or not isinstance(value.get("completed"), bool):
        return None
    needs_user = value.get("needs_user") is True
    # some models write the code in capitals
    repeated = str(value.get("code")).strip().casefold() == code
    is_contradiction = value["completed"] and needs_user
    if is_contradiction or ((value["completed"] or needs_user) and not repeated):
        return None
    return Verdict(value["completed"], _text(value.get("feedback")), needs_user)


def _last_object(text: str) -> tuple[object, bool]:
    """Return the JSON object at the end, and whether it is strict and not inside another one."""
    text, reach = text.removesuffix("```").rstrip(), 0
    # strict=False, because models put raw line breaks into strings
    decoder = json.JSONDecoder(strict=False, object_pairs_hook=_object)
    for start in [match.start() for match in _OBJECT.finditer(text)][-_MAX_CANDIDATES:]:
        try:
            value, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError) as error:
            reach = max(reach, getattr(error, "pos", 0))
            continue
        if end == len(text):
            return value, reach <= start and _is_strict(text[start:])
    return None, False


def _malformed_no(text: str) -> Verdict | None:
    """Return the no in the braces at the end, if they say `completed` only to deny it."""
    said = _last_braces(text.rstrip(_FRAME))
    completed, needs_user = _values(_COMPLETED, said), _values(_NEEDS_USER, said)
    if not completed or {*completed, *needs_user} != {"false"}:
        return None
    found = _FEEDBACK.search(said)
    feedback = _OTHER_KEY.split(said[found.end() :])[0].rstrip(_GAP) if found else ""
    feedback = feedback[:-1] if feedback[-1:] in _QUOTES else feedback
    return Verdict(False, feedback.replace("\\n", "\n").replace('\\"', '"').strip())


def _last_braces(text: str) -> str:
    """Return the end of the text from the brace that the last character closes."""
    depth = 0
    for at in reversed(range(len(text))):
        depth += (text[at] == "}") - (text[at] == "{")
        if depth <= 0:
            return text[at:]
    return ""


def _values(key: re.Pattern[str], text: str) -> list[str]:
    """Return all that the text gives as values of a key."""
    return [value.strip(f" \t{_QUOTES}").casefold() for value in key.findall(text)]


def _is_strict(text: str) -> bool:
    try:
        return bool(json.loads(text))
    except ValueError:
        return False


def _object(pairs: list[tuple[str, object]]) -> dict[str, object] | None:
    """Return the object, or None if a key is repeated."""
    value = dict(pairs)
    return value if len(value) == len(pairs) else None


def _text(feedback: object) -> str:
    """Convert the feedback to text, with one line per item of a list."""
    if isinstance(feedback, str):
        return feedback.strip()
    try:
        if isinstance(feedback, list):
            return "\n".join(filter(None, map(_text, feedback)))
        return json.dumps(feedback, ensure_ascii=False) if feedback else ""
    except RecursionError:
        return ""


def without(text: str) -> str:
    """Return the reviewer's text without its verdict."""
    return _SAID.sub(lambda match: "" if _COMPLETED.search(match[0]) else match[0], text).strip()
