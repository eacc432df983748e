"""Text for the user's terminal, without control characters and wrapped to its width."""

import json
import os
import sys
from collections.abc import Iterator
from typing import IO
from unicodedata import category, east_asian_width

from ccc.text.controls import KEPT
from ccc.text.controls import plain as plain

_NEVER_FIRST = "，。；：！？、）》」』】”’…,.;:!?)"
_MARKS = ("✓ ", "✗ ", "! ", "? ")
_NEVER_LAST = "（《「『【“‘("


def tell(text: str, wraps: bool = True) -> None:
    """Print text on stderr, wrapped unless it is a command to copy; ignore a closed stderr."""
    if sys.stderr is None:
        return  # print would use stdout instead
    try:
        safe = plain(text)
        print(fit(safe, sys.stderr) if wraps else safe, file=sys.stderr, flush=True)
    except (OSError, ValueError):
        pass


def as_json(value: object, indent: int | None = None) -> str:
    """Return the value as JSON, escaping everything that could control a terminal."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    if text.isprintable():
        return text
    # json doesn't escape C1 and bidi control characters, which occur in strings only
    return "".join(
        c if c in KEPT or c.isprintable() or 0xD800 <= ord(c) < 0xE000 else json.dumps(c)[1:-1]
        for c in text
    )


def width(text: str) -> int:
    """Return the width of the text in cells; a Chinese character takes two."""
    if text.isascii():
        return len(text)
    combining = ("Mn", "Me", "Cf")
    return sum(
        0 if category(c) in combining else 2 if east_asian_width(c) in "WF" else 1 for c in text
    )


def cut(text: str, cells: int) -> str:
    """Return the text on one line of at most this many cells."""
    line = " ".join(text.split())
    if width(line) <= cells:
        return line
    line = line[:cells]
    while line and width(line) > cells - 1:
        line = line[:-1]
    return line + "…"


def columns(stream: IO[str] | None) -> int | None:
    """Return the width of the terminal, or None if the stream isn't one."""
    try:
        if stream is None or not stream.isatty():
            return None
        return os.get_terminal_size(stream.fileno()).columns or None
    except (OSError, ValueError):
        return None


def fit(text: str, stream: IO[str] | None) -> str:
    """Wrap the text to the width of the terminal if the stream is one."""
    wide = columns(stream)
    return "\n".join(wrap(text, wide)) if wide else text


def wrap(text: str, cells: int, cut: bool = False) -> list[str]:
    """Wrap the text to this many cells, breaking at spaces and between Chinese characters.

    Lines keep their indentation, even after a mark such as ✓. A longer word (such as a path)
    gets its own line, unless it is to be cut.
    """
    return [part for line in text.split("\n") for part in _wrap_line(line, cells, cut)]


def _wrap_line(line: str, cells: int, cut: bool) -> Iterator[str]:
    indent = line[: len(line) - len(line.lstrip(" "))]
    if width(line) <= cells or len(indent) >= cells // 2:
        indent = ""
    body = line[len(indent) :]
    mark = body[:2] if body[:2] in _MARKS and width(line) > cells > 4 else ""
    body = body[len(mark) :]
    at = breaks(body, cells - len(indent) - len(mark), cut)
    for start, end in zip([0, *at], [*at, len(body)], strict=True):
        yield indent + (" " * len(mark) if start else mark) + body[start:end].rstrip(" ")


def breaks(line: str, cells: int, cut: bool = True) -> list[int]:
    """Return the positions at which to break the line; a longer word is cut or stays whole."""
    positions: list[int] = []
    start = last = wide = 0
    for at, character in enumerate(line):
        if at and _may_break(line[at - 1], character):
            last = at
        wide += width(character)
        while wide > cells and character != " " and (last > start or (cut and at > start)):
            start = last if last > start else at
            positions.append(start)
            wide = width(line[start : at + 1])
    return positions


def _may_break(before: str, after: str) -> bool:
    if after == " " or after in _NEVER_FIRST or before in _NEVER_LAST or not width(after):
        return False
    return before == " " or width(before) == 2 or width(after) == 2


def in_foreground(stream: int) -> bool:
    """Return whether the stream is a terminal with ccc in the foreground."""
    try:
        return os.tcgetpgrp(stream) == os.getpgrp()
    except OSError:
        return False
