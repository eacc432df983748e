"""What reaches the person's terminal: stderr, with control characters taken out."""

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import IO

# not printable for Python, and part of ordinary texts: wide and no-break spaces, joined emoji
_KEPT = "\n\t \u00a0\u3000\u200d\u200c"
# what a control sequence begins with
_INTRODUCERS = "\x1b\x90\x98\x9b\x9d\x9e\x9f"
_NEVER_FIRST = "，。；：！？、）》」』】”’…,.;:!?)"
_MARKS = ("✓ ", "✗ ", "! ", "? ")
_NEVER_LAST = "（《「『【“‘("


def plain(text: str) -> str:
    """The text without control characters, so that no name or value can steer the terminal."""
    if text.isprintable():
        return text
    if any(c in text for c in _INTRODUCERS):
        text = _without_sequences(text)
    return "".join(c for c in text if c in _KEPT or c.isprintable())


def _without_sequences(text: str) -> str:
    """The text without whole control sequences, of which the letters would be left otherwise."""
    import re

    body = f"[^\x07\x9c{_INTRODUCERS}]*"
    texts = f"(?:\x1b[\\]PX^_]|[\x90\x98\x9d\x9e\x9f]){body}(?:\x07|\x1b\\\\|\x9c)"
    codes = "(?:\x1b\\[|\x9b)[0-?]*[ -/]*[@-~]"
    short = "\x1b[ -/]*[0-OQ-WYZ`-~]"
    return re.sub(f"{texts}|{codes}|{short}", "", text)


def tell(text: str, wraps: bool = True) -> None:
    """Print a line for the person on stderr, wrapped to the terminal.

    A command that is to be copied must not be: each line of it would be one. A closed stderr is
    not an error.
    """
    if sys.stderr is None:
        return  # print would take stdout in its place
    try:
        shown = fitted(plain(text), sys.stderr) if wraps else plain(text)
        print(shown, file=sys.stderr, flush=True)
    except (OSError, ValueError):
        pass


def as_json(value: object, indent: int | None = None) -> str:
    """The value as JSON, in which what would steer a terminal is escaped too."""
    import json

    text = json.dumps(value, ensure_ascii=False, indent=indent)
    if text.isprintable():
        return text
    # json leaves C1 controls and marks of direction as they are; they stand in strings only
    return "".join(
        c if c in _KEPT or c.isprintable() or 0xD800 <= ord(c) < 0xE000 else json.dumps(c)[1:-1]
        for c in text
    )


def width(text: str) -> int:
    """How many cells of a terminal the text takes: a Chinese character has two."""
    if text.isascii():
        return len(text)
    from unicodedata import category, east_asian_width

    nothing = ("Mn", "Me", "Cf")  # joined to the character before
    return sum(
        0 if category(c) in nothing else 2 if east_asian_width(c) in "WF" else 1 for c in text
    )


def cut(text: str, cells: int) -> str:
    """The text on one line and no wider than so many cells."""
    line = " ".join(text.split())
    if width(line) <= cells:
        return line
    line = line[:cells]
    while line and width(line) > cells - 1:
        line = line[:-1]
    return line + "…"


def columns(stream: "IO[str] | None") -> int | None:
    """How wide the terminal is; None where the stream is none, and lines are left as they are."""
    try:
        if stream is None or not stream.isatty():
            return None
        return os.get_terminal_size(stream.fileno()).columns or None
    except (OSError, ValueError):
        return None


def fitted(text: str, stream: "IO[str] | None") -> str:
    """The text wrapped at words to the width of the terminal; unchanged where there is none."""
    wide = columns(stream)
    return "\n".join(wrap(text, wide)) if wide else text


def wrap(text: str, cells: int, cut: bool = False) -> list[str]:
    """The text in lines of so many cells, broken at spaces and between Chinese characters.

    A line goes on as far to the right as its words began, after a mark such as ✓. A longer word
    (a path, say) stands on a line of its own, unless it is to be cut.
    """
    lines: list[str] = []
    for line in text.split("\n"):
        indent = line[: len(line) - len(line.lstrip(" "))]
        if width(line) <= cells or len(indent) >= cells // 2:
            indent = ""
        body = line[len(indent) :]
        mark = body[:2] if body[:2] in _MARKS and width(line) > cells > 4 else ""
        lines.extend(_wrapped(body[len(mark) :], indent, mark, cells, cut))
    return lines


def _wrapped(body: str, indent: str, mark: str, cells: int, cut: bool) -> "Iterator[str]":
    at = breaks(body, cells - len(indent) - len(mark), cut)
    for start, end in zip([0, *at], [*at, len(body)], strict=True):
        yield indent + (" " * len(mark) if start else mark) + body[start:end].rstrip(" ")


def breaks(line: str, cells: int, cut: bool = True) -> list[int]:
    """Where to break the line; a word that is longer is cut, or left as it is."""
    found: list[int] = []
    start = last = wide = 0
    for at, character in enumerate(line):
        if at and _may_break(line[at - 1], character):
            last = at
        wide += width(character)
        while wide > cells and character != " " and (last > start or (cut and at > start)):
            start = last if last > start else at
            found.append(start)
            wide = width(line[start : at + 1])
    return found


def _may_break(before: str, after: str) -> bool:
    if after == " " or after in _NEVER_FIRST or before in _NEVER_LAST or not width(after):
        return False
    return before == " " or width(before) == 2 or width(after) == 2


def in_foreground(stream: int) -> bool:
    """Whether the stream is a terminal that is ours now, not the shell's or another job's."""
    try:
        return os.tcgetpgrp(stream) == os.getpgrp()
    except OSError:
        return False
