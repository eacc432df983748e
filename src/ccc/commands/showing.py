"""What an unattended run shows: the agent's words, its tool calls, and a live line below them."""

import os
import sys
import threading
import time

from ccc import terminal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_WIDEST = 100
_TICK_SECONDS = 1.0
# what says most of a call, by the names that claude's tools give it
_TELLING = ("command", "file_path", "path", "pattern", "query", "url", "description", "prompt")


class Screen:
    """Lines on stderr, above a live line where that is a terminal.

    A line that has only begun stands above the live line too: the next piece of it goes back up
    to where it ended.
    """

    def __init__(self, quiet: bool, status: "Callable[[], str]") -> None:
        self._quiet = quiet
        self._status = status
        self.is_live = not quiet and sys.stderr is not None and sys.stderr.isatty()
        self._typed = ""
        self._column = 0
        """Where the line that has begun ends; 0 where none has."""
        self._spoken = ""
        """The pieces of the message that is under way."""
        # a signal handler may speak while we do
        self._lock = threading.RLock()
        self._over = threading.Event()

    def begin(self) -> None:
        """Keep the live line up to date."""
        if self.is_live:
            threading.Thread(target=self._tick, daemon=True).start()

    def tell(self, text: str) -> None:
        """A line for the person."""
        if not self._quiet:
            self.tell_anyway(text)

    def tell_anyway(self, text: str) -> None:
        """A line that even `--quiet` does not leave out."""
        with self._lock:
            self._clear()
            self._end_line()
            terminal.tell(text)
            self._draw()

    def piece(self, text: str) -> None:
        """A piece of what the agent says, as it comes."""
        if self._quiet:
            return
        with self._lock:
            self._clear()
            self._spoken += text
            self._add(terminal.plain(text).replace("\t", "    "))
            self._draw()

    def whole(self, text: str = "") -> None:
        """What the agent has said, shown where its pieces were not; nothing: it begins anew."""
        if self._quiet:
            return
        with self._lock:
            shown, self._spoken = self._spoken, ""
            if text and text != shown:
                self.tell(text)
            elif self._column:
                self._clear()
                self._end_line()
                self._draw()

    def call(self, name: str, given: "dict[str, Any]") -> None:
        """A tool call, on one line."""
        self.tell(tool_line(name, given))

    def typed(self, text: str) -> None:
        """What the person has typed so far."""
        with self._lock:
            self._clear()
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
            self._clear()
            self._end_line()
            self.is_live = False

    def _tick(self) -> None:
        while not self._over.wait(_TICK_SECONDS):
            with self._lock:
                if not self._over.is_set():
                    self._clear()
                    self._draw()

    def _add(self, text: str) -> None:
        """Write on in the line that has begun, and know where it ends."""
        if not self.is_live:
            self._write(text)
            self._column = 0 if text.endswith("\n") else 1
            return
        from rich.cells import cell_len

        width = _width()
        for part in text.splitlines(keepends=True):
            self._write(part)
            for character in part.rstrip("\n"):
                cells = cell_len(character)
                self._column += cells
                if self._column > width:
                    # the terminal takes it to the next line whole
                    self._column = cells
            if part.endswith("\n"):
                self._column = 0

    def _end_line(self) -> None:
        if self._column:
            self._write("\n")
            self._column = 0

    def _clear(self) -> None:
        """Take the live line away; the cursor is then where the text ended."""
        if not self.is_live:
            return
        self._write("\r\x1b[K")
        if self._column and self._column < _width():
            self._write(f"\x1b[1A\x1b[{self._column}C")
        elif self._column:
            # the line is full: it goes on where the live line was
            self._column = 0

    def _draw(self) -> None:
        if not self.is_live:
            return
        if self._column:
            self._write("\n")
        self._write(live_line(terminal.plain(self._status()), self._typed, _width() - 1))

    def _write(self, text: str) -> None:
        try:
            sys.stderr.write(text)
            sys.stderr.flush()
        except (OSError, ValueError):
            pass


def live_line(status: str, typed: str, width: int) -> str:
    """The status, and behind it what is being typed; of that the end, where room is short."""
    from rich.cells import cell_len, set_cell_size

    if cell_len(status) > width:
        status = set_cell_size(status, width)
    if not typed:
        return f"\x1b[2m{status}\x1b[0m"
    room = max(8, width - cell_len(status) - 3)
    typed = terminal.plain(typed)
    while cell_len(typed) > room:
        typed = typed[1:]
    if cell_len(status) + 3 + cell_len(typed) > width:
        return f"› {typed}"
    return f"\x1b[2m{status}\x1b[0m › {typed}"


def _width() -> int:
    try:
        return max(20, os.get_terminal_size(sys.stderr.fileno()).columns)
    except (OSError, ValueError):
        return 80


def tool_line(name: str, given: "dict[str, Any]") -> str:
    """A tool call in a few words."""
    said = next((str(given[key]) for key in _TELLING if given.get(key)), "")
    line = f"● {name} {' '.join(said.split())}".rstrip()
    return line if len(line) <= _WIDEST else line[: _WIDEST - 1] + "…"


def duration(seconds: float) -> str:
    """Minutes and seconds, with hours where there are some."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
