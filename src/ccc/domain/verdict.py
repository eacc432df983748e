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
# json_repair takes quadratic time for wild texts
_LONGEST_REPAIR = 20_000
_MOST_REPAIRED = 3 * _LONGEST_REPAIR
# Of text that is nested too deeply at least as much is inside; to try it all is quadratic, too.
_DEEP = 500
# An object begins: a first key in quotes of any kind, or the bare word.
_OBJECT = re.compile(r"""\{\s*(?:["'“‘][^"'”’{}\n]{1,80}["'”’]|completed)\s*:""")
# Brackets that hold JSON, and not those of `[0, 10)` or `for (;;) {`.
_NESTING = re.compile(r"""\{\s*(?:\{|["'“‘]\w|\w{1,80}\s*:)""")
_LIST = re.compile(r"""\[\s*["'“‘\[{]""")
_SAID = re.compile(r"(?:```(?:json)?\s*)?\{[^{}]*\}(?:\s*```)?")
_NAMED = re.compile(r"""["']completed["']""")
_KEY = re.compile(r"""completed["'”’]?\s*[:：]""")
# An unreadable verdict may be a no, so a mark after it does not count as a yes.
_TRIED = re.compile(r"""[{"'“‘＂]\s*completed["'”’＂]?\s*[:：]""", re.IGNORECASE)
# `true or false`, as in the form itself, would be repaired into a yes.
_YES = re.compile(r"""\{\s*["'“‘]?completed["'”’]?\s*:\s*[Tt]rue\s*[,}]""")
# Text that was cut off would be, too: the last value has to be whole.
_CLOSED = re.compile(r"""(?:(?<!\\)["'”’]|[Tt]rue|[Ff]alse|null|None)\s*,?\s*\}$""")
_JUST_OPENED = re.compile(r""":\s*["']\s*,?\s*\}$""")
# What may stand around a yes that is the last word.
_MARKUP = " \t\r\n*_`"
_SENTENCE_ENDS = (".", "!", "。", "！")


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
    try:
        if isinstance(feedback, list):
            return "\n".join(filter(None, map(_words, feedback)))
        return json.dumps(feedback, ensure_ascii=False) if feedback else ""
    except RecursionError:
        return ""


def find(text: str, *, mark: bool = False) -> Verdict | None:
    """The last JSON verdict in the text, fenced, bare or slightly broken; else the mark.

    The mark counts at the end of the last line, where `mark` says that it was asked for.
    A yes has to be said as it was asked for: as the last word, not within a sentence, and beside
    no other verdict. What only looks like one is asked about again, and a no is never lost by it.
    """
    text = text[-_LONGEST:]
    found = list(_verdicts(text))
    if not found:
        marked = mark and text.strip(_MARKUP).endswith(COMPLETED_MARK)
        return Verdict(completed=True) if marked and not _TRIED.search(text) else None
    last, start, end = found[-1]
    if last.completed:
        agreed = all(verdict.completed for verdict, *_ in found)
        return last if agreed and _is_last_word(text[:start], text[end:]) else None
    return last


def _verdicts(text: str) -> "Iterator[tuple[Verdict, int, int]]":
    """Each object that is a verdict, from where to where; what is inside one is part of it."""
    # strict=False: models put raw line breaks into their strings
    decoder = json.JSONDecoder(strict=False, object_pairs_hook=_object)
    latest = max(0, text.rfind("completed"))
    budget, depth, lost, end = _MOST_REPAIRED, 0, False, 0
    while (at := text.find("{", end, latest)) >= 0:
        between = text[end:at]
        lists = len(_LIST.findall(text, end, at + 1))
        depth = max(0, depth + lists - between.count("]") - between.count("}"))
        value, end, inside = None, at + 1, lost or depth > 0
        try:
            value, end = decoder.raw_decode(text, at)
        except RecursionError:
            end, lost = at + _DEEP, True
        except ValueError:
            if not _OBJECT.match(text, at):
                # a bracket of prose or of quoted code holds no verdict
                depth += bool(_NESTING.match(text, at))
            elif budget > 0:
                part = text[at : at + min(budget, _LONGEST_REPAIR)]
                budget -= len(part)
                value, length, closes = _repaired(part)
                end, lost = at + length, lost or not closes
        verdict = from_value(value)
        # behind a lost bracket nobody can say what is quoted: a "completed" is not believed there
        if verdict and not (inside and verdict.completed):
            yield verdict, at, end


def _object(pairs: "list[tuple[str, object]]") -> dict[str, object]:
    """An object; one that says both yes and no says neither."""
    value = dict(pairs)
    if any(said is not value["completed"] for name, said in pairs if name == "completed"):
        value["completed"] = None
    return value


def _is_last_word(before: str, behind: str) -> bool:
    """Whether it begins a line or a sentence, and nothing but markup stands behind it."""
    line = before.rpartition("\n")[2].strip(_MARKUP)
    begins = line in ("", "json") or (line.endswith(_SENTENCE_ENDS) and line[0] != ">")
    return begins and not behind.replace(COMPLETED_MARK, "").strip(_MARKUP + ".。")


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
    if verdict and verdict.completed and not _is_plain_yes(text[:length].rstrip()):
        return None, 1, False
    if parser.index > len(text) or not text[:length].rstrip().endswith("}"):
        return value, 1, False
    return value, length, True


def _is_plain_yes(text: str) -> bool:
    """Whether an almost-JSON says yes first, only once, with nothing inside, and to its end."""
    once = len(_KEY.findall(text)) == 1 and "{" not in text[1:]
    whole = bool(_CLOSED.search(text)) and not _JUST_OPENED.search(text)
    return once and whole and bool(_YES.match(text))


def without(text: str) -> str:
    """What a reviewer says beside its verdict."""
    return _SAID.sub(lambda said: "" if _NAMED.search(said[0]) else said[0], text).strip()


def record(verdict: Verdict) -> "Mapping[str, object]":
    """The verdict as it is written down."""
    return {
        "completed": verdict.completed,
        "feedback": verdict.feedback,
        "needs_user": verdict.needs_user,
    }
