"""A signal: a fact in a change or a conversation that a reviewer should look at."""

from collections.abc import Sequence

from ccc.config.schema import SIGNAL_NAMES
from ccc.model.evidence import Signal
from ccc.signals.patch import FileChange, Line
from ccc.text import controls

_MOST_QUOTES = 3
_LONGEST_QUOTE = 160
_LONGEST_TEXT = 400


def signal(
    name: str,
    severity: str,
    text: str,
    file: str = "",
    line: int = 0,
    quotes: Sequence[str] = (),
) -> Signal:
    """Return a signal; the quotes are the agent's words, or lines of the change."""
    assert name in SIGNAL_NAMES, name
    file = _plain(file, _LONGEST_TEXT)
    place = f"{file}:{line}" if line else file
    text = _plain(text, _LONGEST_TEXT)
    return Signal(
        name=name,
        passed=True,
        key=f"{name} {file}",
        summary=f"{place}: {text}" if place else text,
        output="\n".join(_plain(quote, _LONGEST_QUOTE) for quote in quotes[:_MOST_QUOTES]),
        severity=severity,
        file=file,
        line=line,
    )


def _plain(text: str, most: int) -> str:
    """Return text of the agent as one short line that any terminal and any file can take."""
    short = text.strip()[:most].encode(errors="replace").decode()
    return " ".join(controls.plain(short).split())


def signal_at(
    name: str, severity: str, text: str, change: FileChange, lines: Sequence[Line]
) -> Signal:
    """Return a signal that quotes the lines."""
    quotes = [line.text for line in lines[:_MOST_QUOTES]]
    return signal(
        name, severity, text, file=change.path, line=lines[0].number if lines else 0, quotes=quotes
    )


def feedback(found: Signal) -> str:
    """Return the message to the agent about a signal that the user doesn't allow."""
    quotes = f"\n\n{found.output}" if found.output else ""
    return (
        f"ccc found this in your work, and the user's settings don't allow it "
        f"(strict_signals: {found.name}):\n\n{found.summary}{quotes}\n\n"
        "Undo it, or do what was asked for without it."
    )
