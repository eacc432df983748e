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
_STDERR = 2
# what says most of a call, by the names that claude's tools give it
_TELLING = ("command", "file_path", "path", "pattern", "query", "url", "description", "prompt")
# joined, coloured and flag emoji: terminals disagree on how wide they are
_UNSURE = frozenset("\u200d\ufe0f") | {
    chr(c) for c in (*range(0x1F1E6, 0x1F200), *range(0x1F3FB, 0x1F400))
}


class Screen:
    """Lines on stderr, above a live line where that is a terminal.

    A line that has only begun stands above the live line too: the next piece of it goes back up
    to where it ended. Where that place is not known for sure there is no live line meanwhile.
    """

    def __init__(self, quiet: bool, status: "Callable[[], str]") -> None:
        self._quiet = quiet
        self._status = status
        self.is_live = not quiet and _is_able()
        self._typed = ""
        self._column = 0
        """Where the line that has begun ends; 0 where none has."""
        self._is_sure = True
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

    def tell(self, text: str) -> None:
        """A line for the person."""
        if not self._quiet:
            self.tell_anyway(text)

    def tell_anyway(self, text: str) -> None:
        """A line that even `--quiet` does not leave out."""
        with self._lock:
            self.clear()
            self._end_line()
            terminal.tell(text)
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
            self._add(terminal.plain(text).replace("\t", "    "))
            self._draw()

    def whole(self, text: str = "") -> None:
        """What the agent has said, shown where its pieces were not; nothing: it begins anew."""
        if self._quiet:
            return
        with self._lock:
            shown, self._spoken = self._spoken, ""
            self.last = text or self.last
            if text and text != shown:
                self.tell(text)
            elif self._column:
                self.clear()
                self._end_line()
                self._draw()

    def call(self, name: str, given: "dict[str, Any]") -> None:
        """A tool call, on one line."""
        self.tell(tool_line(name, given, min(_WIDEST, _width() - 1) if self.is_live else _WIDEST))

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
            # the line is full, or not where it was: it goes on in the place of the live line
            self._column = 0

    def _tick(self) -> None:
        while not self._over.wait(_TICK_SECONDS):
            with self._lock:
                if not self._over.is_set():
                    self.clear()
                    self._draw()

    def _add(self, text: str) -> None:
        """Write on in the line that has begun, and know where it ends."""
        self._write(text)
        if not self.is_live:
            self._column = 0 if text.endswith("\n") else 1
            return
        width = _width()
        for character in text:
            if character == "\n":
                self._column, self._is_sure = 0, True
                continue
            self._is_sure = self._is_sure and character not in _UNSURE
            cells = terminal.width(character)
            self._column += cells
            if self._column > width:
                # the terminal takes it to the next line whole
                self._column = cells

    def _end_line(self) -> None:
        if self._column:
            self._write("\n")
        self._column, self._is_sure = 0, True

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
        dim = "" if os.environ.get("NO_COLOR") else "\x1b[2m"
        self._write(f"{dim}{status}{dim and chr(27) + '[0m'}{mark}{typed}")

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


def tool_line(name: str, given: "dict[str, Any]", most: int = _WIDEST) -> str:
    """A tool call in a few words."""
    said = next((str(given[key]) for key in _TELLING if given.get(key)), "")
    return terminal.cut(f"● {name} {said}", most)
