"""Text of users, models and checks in a page: escaped, without control characters."""

import html
from collections.abc import Iterable

from ccc import words
from ccc.storage.paths import display_path
from ccc.system import terminal

LANGUAGES = {"zh": "zh-CN", "en": "en"}  # the languages of the messages, as HTML names them
_TONES = {"✓": "good", "✗": "bad", "▸": "busy", "–": "", "·": "", "": ""}


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
