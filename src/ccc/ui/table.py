"""Lines in columns and colours, drawn with little: what is wanted at once can't wait for rich."""

import os
import sys

from ccc.system import terminal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MARKS = {"✓": "32", "✗": "31", "!": "33", "?": "33"}
"""The colours of the marks."""
_GAP = 2


def aligned(
    rows: "Sequence[Sequence[str]]", width: int | None, least: "Mapping[int, int]"
) -> list[list[str]]:
    """The rows with cells of equal width, cleaned of what could steer the terminal.

    Where they would be wider than `width`, the columns of `least` are cut down to so many
    cells, the widest of them first.
    """
    clean = [[" ".join(terminal.plain(cell).split()) for cell in row] for row in rows]
    widths = [max(map(terminal.width, column)) for column in zip(*clean, strict=True)]
    over = sum(widths) + _GAP * (len(widths) - 1) - width if width else 0
    for _ in range(over):
        if not (may := [number for number in least if widths[number] > least[number]]):
            break
        widths[max(may, key=lambda number: widths[number])] -= 1
    return [[_fitted(cell, w) for cell, w in zip(row, widths, strict=True)] for row in clean]


def _fitted(text: str, cells: int) -> str:
    """The text in so many cells; of a directory the end says most."""
    if terminal.width(text) > cells:
        text = _end_of(text, cells) if text[:1] in "/~" else cut(text, cells)
    return text + " " * (cells - terminal.width(text))


def cut(text: str, cells: int) -> str:
    """The text on one line of so many cells, ended after a word."""
    line = " ".join(text.split())
    if terminal.width(line) <= cells:
        return line
    at = terminal.breaks(line, max(1, cells - 1))
    return line[: at[0]].rstrip() + "…" if at else terminal.cut(line, cells)


def _end_of(path: str, cells: int) -> str:
    """The end of a path, from one of its names on; the last name is cut where it is too long."""
    parts = path.split("/")
    for at in range(1, len(parts)):
        end = "…/" + "/".join(parts[at:])
        if terminal.width(end) <= cells:
            return end
    return terminal.cut("…/" + parts[-1], cells)


def paint(text: str, colour: str) -> str:
    """The text in a colour, unless the person wants none."""
    if not colour or not text or os.environ.get("NO_COLOR"):
        return text
    return f"\x1b[{colour}m{text}\x1b[0m"


def is_terminal() -> bool:
    """Whether somebody looks at stdout."""
    return sys.stdout is not None and sys.stdout.isatty()


def screen() -> int | None:
    """How wide the terminal is; in a pipe nothing is cut."""
    return terminal.columns(sys.stdout)
