"""Tables and colours drawn with rich, for commands that can afford to import it."""

import sys
from collections.abc import Collection, Iterable, Sequence
from typing import IO

from rich import box
from rich.console import Console
from rich.spinner import Spinner
from rich.table import Table
from rich.text import Text

from ccc.system import terminal

_PIPE_WIDTH = 1_000


def console(stream: IO[str] | None = None) -> Console:
    """Return a console that uses colours only where wanted and truncates nothing in a pipe."""
    file = stream or sys.stdout
    width = None if file.isatty() else _PIPE_WIDTH
    return _Console(file=file, width=width, highlight=False, markup=False, emoji=False)


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Leave a closed stdout to `failure`, because rich would exit with 1."""
        raise BrokenPipeError


def text(value: object, style: str = "") -> Text:
    """Return the text without control characters."""
    return Text(terminal.plain(str(value)), style=style)


def item(where: Console, what: str, style: str = "", *, mark: str = " ", colour: str = "") -> None:
    """Print a text after a mark, wrapped at words, without trailing spaces."""
    lead = Text(mark, colour)
    for line in text(what, style).wrap(where, max(where.width - 2, 20)):
        line.rstrip()
        where.print(Text.assemble(lead, " ", line), soft_wrap=True)
        lead = Text(" ")


def wrap(body: Text, cells: int | None) -> list[Text]:
    """Wrap the text to this width at words, or only split it into its lines."""
    lines: list[Text] = []
    for line in body.split("\n", allow_blank=True):
        lines.extend(line.divide(terminal.breaks(line.plain, cells)) if cells else [line])
    for line in lines:
        line.rstrip()
    return lines


def table(
    headers: Sequence[str], rows: Iterable[Sequence[object]], whole: Collection[int] = ()
) -> Table:
    """Return a table with one line per row, wrapping the columns in `whole` last."""
    made = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for number, header in enumerate(headers):
        made.add_column(text(header), overflow="fold", no_wrap=number in whole)
    for row in rows:
        made.add_row(*(cell if isinstance(cell, Text | Spinner) else text(cell) for cell in row))
    return made
