"""What an unattended run shows: the agent's words, its tool calls, and a live line."""

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
    """Lines on stderr, above a live line where that is a terminal."""

    def __init__(self, quiet: bool, status: "Callable[[], str]") -> None:
        self._quiet = quiet
        self._status = status
        self._live = not quiet and sys.stderr is not None and sys.stderr.isatty()
        # a signal handler may speak while we do
        self._lock = threading.RLock()
        self._over = threading.Event()

    def begin(self) -> None:
        """Keep the live line up to date."""
        if self._live:
            threading.Thread(target=self._tick, daemon=True).start()

    def tell(self, text: str) -> None:
        """A line for the person."""
        if not self._quiet:
            self.tell_anyway(text)

    def tell_anyway(self, text: str) -> None:
        """A line that even `--quiet` does not leave out."""
        with self._lock:
            self._clear()
            terminal.tell(text)
            self._draw()

    def call(self, name: str, given: "dict[str, Any]") -> None:
        """A tool call, on one line."""
        self.tell(tool_line(name, given))

    def count_down(self, text: str, seconds: float) -> None:
        """Wait, and show for how long still."""
        self.tell(text)
        until = time.monotonic() + seconds
        before, self._status = self._status, lambda: f"{max(0.0, until - time.monotonic()):.0f} s"
        try:
            while (left := until - time.monotonic()) > 0:
                time.sleep(min(left, _TICK_SECONDS))
        finally:
            self._status = before

    def end(self) -> None:
        """Take the live line away."""
        with self._lock:
            self._over.set()
            self._clear()
            self._live = False

    def _tick(self) -> None:
        while not self._over.wait(_TICK_SECONDS):
            with self._lock:
                if not self._over.is_set():
                    self._clear()
                    self._draw()

    def _clear(self) -> None:
        if self._live:
            self._write("\r\x1b[K")

    def _draw(self) -> None:
        if self._live:
            self._write(f"\x1b[2m{terminal.plain(self._status())[:_WIDEST]}\x1b[0m")

    def _write(self, text: str) -> None:
        try:
            sys.stderr.write(text)
            sys.stderr.flush()
        except (OSError, ValueError):
            pass


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
