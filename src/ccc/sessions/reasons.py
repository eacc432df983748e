"""Why a round ended as it did: what the reviewer ran, what it saw, what it said in the end."""

from ccc import words
from ccc.ui import table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccc.sessions.record import Round, Step

_STEPS = 4
_CALL = 60
_SEEN = 60
_CLOSING = 240
_SEEN_LINES = 12


def lines(each: "Round", session: str, is_full: bool) -> "Iterator[tuple[str, str, int]]":
    """The lines of a round, with their style and how far to the right they stand."""
    shown = each.steps if is_full else each.steps[:_STEPS]
    if shown:
        yield words.say("show.reviewer", calls=words.count("calls", len(each.steps))), "", 2
    for step in shown:
        yield from _full(step) if is_full else _short(step)
    if more := len(each.steps) - len(shown):
        yield words.say("show.more_steps", n=more, session=session[:8]), "dim", 4
    if closing := _closing(each, is_full):
        yield words.say("show.closing", text=closing), "", 2
    if told := each.failure or each.feedback:
        yield told, "", 2


def repeats(each: "Round", output: str) -> bool:
    """Whether the feedback has the output in it already."""
    return output.strip() in each.feedback


def excerpt(step: "Step") -> str:
    """What a step showed, in one line: the end of a command's output says most."""
    seen = [line.strip() for line in step.seen.splitlines() if line.strip()]
    return seen[-1] if seen and (step.tool == "Bash" or step.failed) else ""


def _short(step: "Step") -> "Iterator[tuple[str, str, int]]":
    text = table.cut(f"● {step.tool} {step.call}", _CALL)
    seen = table.cut(excerpt(step), _SEEN)
    yield f"{text} → {seen}" if seen else text, _style(step), 4


def _full(step: "Step") -> "Iterator[tuple[str, str, int]]":
    yield f"● {step.tool} {step.call}", _style(step), 4
    if seen := "\n".join(step.seen.splitlines()[-_SEEN_LINES:]):
        yield seen, "dim", 8


def _style(step: "Step") -> str:
    return "red" if step.failed else "cyan"


def _closing(each: "Round", is_full: bool) -> str:
    """The reviewer's last words; a feedback says the same in more detail."""
    if is_full:
        return each.closing
    return table.cut(each.closing, _CLOSING) if each.outcome != "not_completed" else ""
