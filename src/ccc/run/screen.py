"""The screen of an unattended run: lines on stderr, and a live line below them."""

import os
import sys
import threading
import time
from collections.abc import Callable, Iterable
from typing import Concatenate, ParamSpec

from rich.text import Text

from ccc.system import terminal
from ccc.ui import run_lines, table
from ccc.ui.run_lines import AGENT, Renderer

P = ParamSpec("P")

# twice a second, so that a countdown doesn't skip a second
_TICK_SECONDS = 0.5


class Screen:
    """Prints lines on stderr; on a terminal, also an unfinished message and the live line."""

    def __init__(
        self, quiet: bool, status: Callable[[], str], project: str = "", fd: int = 2
    ) -> None:
        self.is_live = not quiet and _is_able()
        self.last = ""
        """The agent's last message."""
        self._quiet = quiet
        self._fd = fd
        self._status = status
        # leave one cell free, because the cursor's position after a full line is undefined
        self._lines = Renderer(project, lambda: self._width() - 1 if self.is_live else None)
        self._typed = ""
        self._spoken = ""
        """The pieces of the current message."""
        self._row: str | None = None
        """The last row of these pieces."""
        self._prefix = ""
        """The speaker's name or spaces, before that row."""
        self._newlines = 0
        """Line breaks that are written only if text follows."""
        self._drawn: tuple[int, ...] = ()
        """The widths of the redrawn rows at the bottom."""
        # reentrant, because a signal handler may print while the lock is held
        self._lock = threading.RLock()
        self._over = threading.Event()

    def begin(self) -> None:
        """Start updating the live line."""
        if self.is_live:
            threading.Thread(target=self._tick, daemon=True).start()

    def tell(self, text: str, always: bool = False, wraps: bool = True) -> None:
        """Print a line for the user; `always` overrides `--quiet`."""
        if self._quiet and not always:
            return
        with self._lock:
            self.pause()
            self._lines.start()
            terminal.tell(text, wraps)
            self._draw()

    def print(self, line: str) -> None:
        """Print a line on stdout, which may be the same terminal."""
        try:
            if sys.stdout is not None and not sys.stdout.isatty():
                # unbuffered, because a closed pipe must not cause an error at exit
                data = f"{line}\n".encode(errors="replace")
                while data:
                    data = data[os.write(sys.stdout.fileno(), data) :]
            elif sys.stdout is not None:
                with self._lock:
                    self.pause()
                    print(terminal.plain(line), flush=True)
                    self._draw()
        except (OSError, ValueError):
            pass  # stdout is closed; the work continues

    def add_piece(self, text: str) -> None:
        """Show a piece of the agent's message as it arrives."""
        if self._quiet:
            return
        with self._lock:
            self._erase()
            self._spoken += text
            for number, part in enumerate(terminal.plain(text).expandtabs(4).split("\n")):
                self._newlines += number > 0
                if part:
                    self._add(part)
            self._draw()

    def end_message(self, text: str = "") -> None:
        """Show the agent's message unless its pieces were shown; without text, begin a new one."""
        if self._quiet:
            return
        with self._lock:
            shown, self._spoken = self._spoken, ""
            self.last = text or self.last
            if text and text != shown:
                self.show(Renderer.say, AGENT, text)
            elif self._row is not None:
                self.pause()
                self._draw()

    def show(
        self,
        render: Callable[Concatenate[Renderer, P], Iterable[Text]],
        *args: P.args,
        **options: P.kwargs,
    ) -> None:
        """Show the lines that a method of `Renderer` returns."""
        if self._quiet:
            return
        with self._lock:
            self.pause()
            lines = render(self._lines, *args, **options)
            self._write("".join(f"{run_lines.paint(line, self.is_live)}\n" for line in lines))
            self._draw()

    def show_typed(self, text: str) -> None:
        """Show what the user has typed so far."""
        with self._lock:
            self._typed = text
            self._redraw()

    def count_down(self, text: str, seconds: float, left: Callable[[float], str]) -> None:
        """Wait, and show the remaining time."""
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
        """Remove the live line permanently."""
        with self._lock:
            self._over.set()
            self.pause()
            self.is_live = False

    def pause(self) -> None:
        """Remove the live line and end the current message, so that others can print."""
        with self._lock:
            self._erase()
            if self._row is not None:
                self._end_row()
            self._row, self._newlines = None, 0

    def _tick(self) -> None:
        while not self._over.wait(_TICK_SECONDS):
            with self._lock:
                if not self._over.is_set():
                    self._redraw()

    def _add(self, text: str) -> None:
        """Add to the last row, and write the rows that this completes."""
        if self._row is None:
            self._row, self._prefix = "", run_lines.paint(self._lines.label(AGENT), self.is_live)
        elif self._newlines:
            self._end_row()
            self._write("\n" * (self._newlines - 1))
        self._newlines = 0
        room = self._lines.room()
        if room is None:
            self._write(self._prefix + text)
            self._prefix = ""
            return
        row = self._row + text
        at = terminal.breaks(row, room)
        for start, end in zip([0, *at], at, strict=False):
            self._row = row[start:end]
            self._end_row()
        self._row = row[at[-1] :] if at else row

    def _end_row(self) -> None:
        self._write(f"{self._prefix}{(self._row or '').rstrip(' ')}\n")
        self._row, self._prefix = "", " " * self._lines.indent

    def _redraw(self) -> None:
        self._erase()
        self._draw()

    def _erase(self) -> None:
        """Remove the redrawn rows; in a narrower window, they take up more rows."""
        if self._drawn:
            width = self._width()
            up = sum(-(-max(1, cells) // width) for cells in self._drawn) - 1
            self._write(f"\x1b[{up}A" * bool(up) + "\r\x1b[J")
            self._drawn = ()

    def _draw(self) -> None:
        # in the background, the terminal belongs to the shell
        if not self.is_live or not terminal.in_foreground(self._fd):
            return
        line = live_line(
            terminal.plain(self._status()), terminal.plain(self._typed), self._width() - 1
        )
        status, mark, typed = line.partition(" › ")
        text, self._drawn = f"{table.paint(status, 'dim')}{mark}{typed}", (terminal.width(line),)
        if self._row is not None:
            row = self._row.rstrip(" ")
            text = f"{self._prefix}{row}\n{text}"
            self._drawn = (self._lines.indent + terminal.width(row), *self._drawn)
        self._write(text)

    def _width(self) -> int:
        try:
            return max(20, os.get_terminal_size(self._fd).columns)
        except (OSError, ValueError):
            return 80

    def _write(self, text: str) -> None:
        if sys.stderr is None:
            return
        try:
            sys.stderr.write(text)
            sys.stderr.flush()
        except (OSError, ValueError):
            pass


def live_line(status: str, typed: str, width: int) -> str:
    """Return the status and the typed text, of which only the end is shown if it is too long."""
    status = terminal.cut(status, width if not typed else width // 2)
    if not typed:
        return status
    room = width - terminal.width(status) - 3
    while terminal.width(typed) > room:
        typed = typed[1:]
    return f"{status} › {typed}"


def _is_able() -> bool:
    """Return whether stderr is a terminal on which a line can be redrawn."""
    dumb = os.environ.get("TERM", "dumb") == "dumb"
    return not dumb and sys.stderr is not None and sys.stderr.isatty()
