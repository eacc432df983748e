"""Parts of every page: text that is escaped and without control characters, marks, facts."""

import html
from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

from ccc import words
from ccc.model.outcome import OUTCOMES, PAUSE
from ccc.model.overview import WAITING
from ccc.model.record import SessionRecord
from ccc.storage.paths import display_path
from ccc.system import terminal
from ccc.ui import formatting

STYLE = (Path(__file__).parent / "report.css").read_text("utf-8")
LANGUAGES = {"zh": "zh-CN", "en": "en"}  # the languages of the messages, as HTML names them
_TONES = {"✓": "good", "✗": "bad", "▸": "busy", "–": "", "·": "", "": ""}


def head(more: str) -> str:
    """Return the start of a document in the current language, up to its body."""
    return f"""<!doctype html>
<html lang="{LANGUAGES[words.current_language()]}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
{more}
</head>
<body>"""


def escaped(text: str) -> str:
    """Return the text for a page, whatever it contains."""
    return html.escape(terminal.plain(text))


def tone(mark: str) -> str:
    """Return the class that gives a mark its colour; one that isn't known is a warning."""
    return _TONES.get(mark, "warn")


def marked(mark: str) -> str:
    """Return a mark for a page, which listeners don't need beside the words."""
    return f'<span class="mark {tone(mark)}" aria-hidden="true">{mark}</span>'


def facts(known: Iterable[tuple[str, str, str]]) -> str:
    """Return a list of facts: labels, values, and what there is to add."""
    items = "".join(
        f"<div><dt>{escaped(label)}</dt><dd>{escaped(text)}"
        + (f"<small>{escaped(more)}</small>" if more else "")
        + "</dd></div>"
        for label, text, more in known
    )
    return f'<dl class="facts">{items}</dl>'


def heading(message: str) -> str:
    """Return the heading of a terminal's column, which may be in capitals, for a page."""
    return escaped(words.label(message))


def place(directory: str) -> str:
    """Return a directory for a page, where a line may break after each slash."""
    return escaped(display_path(directory)).replace("/", "/<wbr>")


def say(message: str, **params: object) -> str:
    """Return a message for a page."""
    return escaped(words.say(message, **params))


class Standing(Struct, frozen=True):
    """What a session or a task does, or how it ended; the same on every page."""

    mark: str
    text: str
    reason: str = ""
    is_paused: bool = False  # whether it waits for the user, although its mark doesn't say so

    @property
    def tone(self) -> str:
        """The class that gives it its colour."""
        return "warn" if self.is_paused else tone(self.mark)

    @property
    def pill(self) -> str:
        """The words as HTML."""
        return f'<span class="pill {self.tone}">{escaped(self.text)}</span>'

    @property
    def cause(self) -> str:
        """The reason as HTML; empty if there is none."""
        return f'<p class="cause">{escaped(self.reason)}</p>' if self.reason else ""


def standing_of(session: SessionRecord, outcome: str) -> Standing:
    """Return what a session does now, else how the stop with this outcome ended."""
    seen = session.overview
    if seen.phase == WAITING:
        return Standing(seen.mark, formatting.phase(WAITING), is_paused=True)
    if seen.is_busy or not outcome:
        return Standing("▸" if seen.is_busy else "", formatting.phase(seen.phase))
    known = OUTCOMES[outcome]
    text = formatting.outcome(outcome, len(seen.not_run)) + formatting.wrong_note(session)
    return Standing(known.mark, text, is_paused=known.kind == PAUSE)
