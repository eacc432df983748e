"""What an unattended run shows: who speaks and does what, and a live line below that."""

import os
import sys
import threading
import time

from ccc.system import terminal
from ccc.ui import renderer, table
from ccc.ui.renderer import AGENT, Renderer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Concatenate, ParamSpec

    from ccc.ui.renderer import Line

    P = ParamSpec("P")

# twice a second: no second of a countdown is left out
_TICK_SECONDS = 0.5
_STDERR = 2
# joined, coloured and flag emoji: terminals disagree on how wide they are
_UNSURE = frozenset("\u200d\ufe0f") | {
    chr(c) for c in (*range(0x1F1E6, 0x1F200), *range(0x1F3FB, 0x1F400))
}


class Screen:
    """Lines on stderr, above a live line where that is a terminal.

    A line that has only begun stands above the live line too: the next piece of it goes back up
    to where it ended. Where that place is not known for sure there is no live line meanwhile.
    """

    def __init__(self, quiet: bool, status: "Callable[[], str]", project: str = "") -> None:
        self._quiet = quiet
        self._status = status
        self.is_live = not quiet and _is_able()
        # one cell stays free: a full line would leave it open where the cursor is
        self._lines = Renderer(project, lambda: _width() - 1 if self.is_live else None)
        self._typed = ""
        self._row = ""
        """The last line of the words that have begun, with spaces that are not shown yet."""
        self._newlines = 0
        """Ends of lines that are written only when something follows."""
        self._is_open = False
        """Words have begun."""
        self._column = 0
        """Where the cursor stands after them; 0 where they have not begun."""
        self._drawn = (0, 0)
        """How wide the live line is that stands there, and how wide the terminal was then."""
        self._spoken = ""
        """The pieces of the message that is under way."""
        self.last = ""
        """What the agent said last."""
        # a signal handler may speak while we do
        self._lock = threading.RLock()
        self._over = threading.Event()

    def begin(self) -> None:
        """Keep the live line up to date."""
        if self.is_live:
            threading.Thread(target=self._tick, daemon=True).start()

    def tell(self, text: str, always: bool = False, wraps: bool = True) -> None:
        """Print a line for the user; `always` means in spite of `--quiet`."""
        if self._quiet and not always:
            return
        with self._lock:
            self.clear()
            self._end_line()
            self._lines.start()
            terminal.tell(text, wraps)
            self._draw()

    def print(self, line: str) -> None:
        """A line on stdout; where that is this terminal too, the live line gives way to it."""
        try:
            if sys.stdout is not None and not sys.stdout.isatty():
                # not buffered: what nobody reads must not be an error at the end
                data = f"{line}\n".encode(errors="replace")
                while data:
                    data = data[os.write(sys.stdout.fileno(), data) :]
            elif sys.stdout is not None:
                with self._lock:
                    self.pause()
                    print(terminal.plain(line), flush=True)
                    self._draw()
        except (OSError, ValueError):
            pass  # the reader went away; the work goes on

    def piece(self, text: str) -> None:
        """A piece of what the agent says, as it comes."""
        if self._quiet:
            return
        with self._lock:
            self.clear()
            self._spoken += text
            for number, part in enumerate(terminal.plain(text).expandtabs(4).split("\n")):
                self._newlines += number > 0
                self._add(part)
            self._draw()

    def whole(self, text: str = "") -> None:
        """What the agent has said, shown where its pieces were not; nothing: it begins anew."""
        if self._quiet:
            return
        with self._lock:
            shown, self._spoken = self._spoken, ""
            self.last = text or self.last
            if text and text != shown:
                self.show(Renderer.say, AGENT, text)
            elif self._is_open:
                self.clear()
                self._end_line()
                self._draw()

    def show(
        self,
        render: "Callable[Concatenate[Renderer, P], Iterable[Line]]",
        *args: "P.args",
        **options: "P.kwargs",
    ) -> None:
        """Show the lines that a method of `Renderer` makes."""
        if self._quiet:
            return
        with self._lock:
            self.clear()
            self._end_line()
            lines = render(self._lines, *args, **options)
            self._write("".join(f"{self._painted(line)}\n" for line in lines))
            self._draw()

    def _painted(self, line: "Line") -> str:
        return renderer.paint(line, self.is_live)

    def typed(self, text: str) -> None:
        """What the person has typed so far."""
        with self._lock:
            self.clear()
            self._typed = text
            self._draw()

    def count_down(self, text: str, seconds: float, left: "Callable[[float], str]") -> None:
        """Wait, and show for how long still."""
        self.tell(text)
        until = time.monotonic() + seconds
        before = self._status
        self._status = lambda: f"{left(max(0.0, until - time.monotonic()))} · {before()}"
        try:
            while (rest := until - time.monotonic()) > 0:
                time.sleep(min(rest, _TICK_SECONDS))
        finally:
            self._status = before

    def end(self) -> None:
        """Take the live line away."""
        with self._lock:
            self._over.set()
            self.pause()
            self.is_live = False

    def pause(self) -> None:
        """Leave the terminal to the shell for a while."""
        with self._lock:
            self.clear()
            self._end_line()

    def clear(self) -> None:
        """Take the live line away; the cursor is then where the text ended."""
        wide, before = self._drawn
        if not wide:
            return
        self._drawn = (0, 0)
        width = _width()
        # a window that was made narrower has broken the live line in several
        rows = (wide - 1) // width
        self._write(f"\x1b[{rows}A" * bool(rows) + "\r\x1b[J")
        if self._column and self._column < width == before:
            self._write(f"\x1b[1A\x1b[{self._column}C")
        else:
            # the line is not where it was: it goes on in the place of the live line
            self._column, self._row = 0, ""

    def _tick(self) -> None:
        while not self._over.wait(_TICK_SECONDS):
            with self._lock:
                if not self._over.is_set():
                    self.clear()
                    self._draw()

    def _add(self, text: str) -> None:
        """Write on in the words that have begun, broken at words, and know where they end."""
        if not text:
            return
        self._place()
        room = self._lines.room()
        if room is None:
            self._write(text)
            self._column = 1
            return
        row = self._row + text
        at = terminal.breaks(row, room)
        if not self._is_sure:
            # what is shown stays: where it ends is not known
            at = [each for each in at if each >= len(self._row)]
        first, *more = (
            row[start:end] for start, end in zip([0, *at], [*at, len(row)], strict=True)
        )
        self._replace(first.rstrip(" "))
        for line in more:
            self._write(f"\n{' ' * self._lines.indent}{line.rstrip(' ')}")
        self._row = (more or [first])[-1]
        self._column = self._lines.indent + terminal.width(self._row.rstrip(" "))

    def _place(self) -> None:
        """Go to where the next words stand: beside the speaker's name, or on a new line."""
        indent = " " * self._lines.indent
        if not self._is_open:
            self._write(self._painted(self._lines.label(AGENT)))
            self._is_open, self._row = True, ""
        elif self._newlines:
            self._write("\n" * (self._newlines - (not self._column)) + indent)
            self._row = ""
        elif not self._column:
            self._write(indent)
        self._newlines = 0

    def _replace(self, row: str) -> None:
        """Show the row in place of what is shown of it: longer, or without its last word."""
        shown = self._row.rstrip(" ")
        if row.startswith(shown):
            self._write(row[len(shown) :])
        else:
            self._write(f"\r\x1b[{self._lines.indent + terminal.width(row)}C\x1b[K")

    @property
    def _is_sure(self) -> bool:
        """Whether every terminal agrees on how wide the row is."""
        return not _UNSURE & set(self._row)

    def _end_line(self) -> None:
        if self._column:
            self._write("\n")
        self._column, self._row, self._newlines, self._is_open = 0, "", 0, False

    def _draw(self) -> None:
        if not self.is_live or (self._column and not self._is_sure):
            return
        if not terminal.in_foreground(_STDERR):
            return  # the terminal is the shell's now
        if self._column:
            self._write("\n")
        width = _width()
        line = live_line(terminal.plain(self._status()), terminal.plain(self._typed), width - 1)
        self._drawn = (max(1, terminal.width(line)), width)
        status, mark, typed = line.partition(" › ")
        self._write(f"{table.paint(status, 'dim')}{mark}{typed}")

    def _write(self, text: str) -> None:
        if sys.stderr is None:
            return
        try:
            sys.stderr.write(text)
            sys.stderr.flush()
        except (OSError, ValueError):
            pass


def live_line(status: str, typed: str, width: int) -> str:
    """The status, and behind it what is being typed; of that the end, where room is short."""
    status = terminal.cut(status, width if not typed else width // 2)
    if not typed:
        return status
    room = width - terminal.width(status) - 3
    while terminal.width(typed) > room:
        typed = typed[1:]
    return f"{status} › {typed}"


def _is_able() -> bool:
    """Whether stderr is a terminal on which a line can be drawn again."""
    dumb = os.environ.get("TERM", "dumb") == "dumb"
    return not dumb and sys.stderr is not None and sys.stderr.isatty()


def _width() -> int:
    try:
        return max(20, os.get_terminal_size(_STDERR).columns)
    except (OSError, ValueError):
        return 80
