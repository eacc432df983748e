"""Columns and colours for commands that can't wait for rich."""

import os
import sys
from collections.abc import Iterator, Mapping, Sequence

from ccc.system import terminal

# terminal codes, under the same names as in rich
_CODES = {"bold": "1", "dim": "2", "italic": "3", "red": "31", "green": "32", "yellow": "33"}
_CODES |= {"magenta": "35", "cyan": "36"}
MARKS = {"✓": "green", "✗": "red", "!": "yellow", "?": "yellow"}  # the style of each mark
_GAP = 2


def align(
    rows: Sequence[Sequence[str]], width: int | None, least: Mapping[int, int]
) -> Iterator[list[str]]:
    """Yield the rows with cells padded to equal width, without control characters.

    If they are wider than `width`, the columns in `least` shrink to that many cells, widest
    first.
    """
    clean = [[" ".join(terminal.plain(cell).split()) for cell in row] for row in rows]
    widths = [max(map(terminal.width, column)) for column in zip(*clean, strict=True)]
    over = sum(widths) + _GAP * (len(widths) - 1) - width if width else 0
    for _ in range(over):
        if wide := [number for number in least if widths[number] > least[number]]:
            widths[max(wide, key=widths.__getitem__)] -= 1
    return ([_fit(cell, w) for cell, w in zip(row, widths, strict=True)] for row in clean)


def _fit(text: str, cells: int) -> str:
    """Fit the text into that many cells, keeping the end of a path."""
    wide = terminal.width(text)
    if wide > cells:
        text = _end_of(text, cells) if text[:1] in "/~" else cut(text, cells)
        wide = terminal.width(text)
    return text + " " * (cells - wide)


def print_rows(
    rows: Sequence[Sequence[str]],
    least: Mapping[int, int],
    styles: Sequence[Mapping[int, str]],
) -> None:
    """Print the headings and rows; `styles` holds the styles of each row by column."""
    width = terminal.columns(sys.stdout)
    lines = align(rows, width, least)
    headings = dict.fromkeys(range(len(rows[0])), "dim")
    for line, own in zip(lines, [headings, *styles], strict=True):
        for at, style in own.items() if width else ():
            line[at] = paint(line[at], style)
        print("  ".join(line).rstrip())


def cut(text: str, cells: int) -> str:
    """Return the text on one line of that many cells, cut after a word."""
    line = " ".join(text.split())
    if terminal.width(line) <= cells:
        return line
    at = terminal.breaks(line, max(1, cells - 1))
    return line[: at[0]].rstrip() + "…" if at else terminal.cut(line, cells)


def _end_of(path: str, cells: int) -> str:
    """Return the end of a path from a whole name on, cutting the last name if it is too long."""
    parts = path.split("/")
    for at in range(1, len(parts)):
        end = "…/" + "/".join(parts[at:])
        if terminal.width(end) <= cells:
            return end
    return terminal.cut("…/" + parts[-1], cells)


def paint(text: str, style: str) -> str:
    """Return the text in a style, unless the user or the terminal wants no colours."""
    is_plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    if not style or not text or is_plain:
        return text
    return f"\x1b[{_CODES[style]}m{text}\x1b[0m"
