"""Reads what the user types while the agent works; the screen draws the input line."""

import codecs
import contextlib
import os
import re
import signal
import sys
import termios
import threading
import time
import tty
from collections.abc import Callable
from typing import Any

from ccc.system import terminal

_STDIN = 0
_PAUSE_SECONDS = 0.2
_SIGNALS = (signal.SIGTTIN, signal.SIGTTOU, signal.SIGTSTP, signal.SIGCONT)
_BACKSPACE = ("\x7f", "\b")
_CLEAR, _WORD = "\x15", "\x17"
# ignore arrow keys and similar sequences; drop a lone Esc
_SEQUENCE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|O[ -~])|\x1b(?!\[[0-?]*[ -/]*$)")
_UNFINISHED = re.compile(r"\x1b\[[0-?]*[ -/]*$")


class Keyboard:
    """Passes each typed line to `on_line`, and the unfinished one to `on_change`.

    The terminal's echo is off, because the agent's output would break up the line.
    """

    def __init__(
        self,
        on_line: Callable[[str], None],
        on_change: Callable[[str], None],
        on_suspend: Callable[[], None],
    ) -> None:
        self._on_line = on_line
        self._on_change = on_change
        self._on_suspend = on_suspend
        self._before: list[Any] | None = None

    def begin(self, echo: bool) -> None:
        """Listen if there is a terminal; with `echo`, don't change the terminal's mode."""
        if sys.stdin is None or not sys.stdin.isatty():
            return
        # in the background, reading must fail instead of stopping the process
        signal.signal(signal.SIGTTIN, signal.SIG_IGN)
        signal.signal(signal.SIGTTOU, signal.SIG_IGN)
        if not echo:
            self._take_terminal()
            signal.signal(signal.SIGTSTP, self._suspend)
            signal.signal(signal.SIGCONT, lambda *_: self._take_terminal())
        threading.Thread(target=self._listen, daemon=True).start()

    def end(self) -> None:
        """Restore the terminal's mode and signals."""
        self._restore_terminal()
        for number in _SIGNALS:
            signal.signal(number, signal.SIG_DFL)

    def _take_terminal(self) -> None:
        """Turn off echo and line buffering; Ctrl-C and Ctrl-Z still work."""
        if not terminal.in_foreground(_STDIN):
            return
        with contextlib.suppress(termios.error):  # the terminal is gone
            self._before = self._before or termios.tcgetattr(_STDIN)
            tty.setcbreak(_STDIN, termios.TCSADRAIN)

    def _restore_terminal(self) -> None:
        if self._before is not None and terminal.in_foreground(_STDIN):
            with contextlib.suppress(termios.error):  # the terminal is gone
                termios.tcsetattr(_STDIN, termios.TCSADRAIN, self._before)

    def _suspend(self, *_: object) -> None:
        """Handle Ctrl-Z: return the terminal to the shell until `fg`."""
        self._on_suspend()
        self._restore_terminal()
        os.kill(os.getpid(), signal.SIGSTOP)
        self._take_terminal()

    def _listen(self) -> None:
        line = TypedLine()
        try:
            while True:
                keys = os.read(_STDIN, 1024)
                if not keys:
                    # Ctrl-D in the terminal's line mode
                    time.sleep(_PAUSE_SECONDS)
                for text in line.feed(keys):
                    self._on_line(text)
                self._on_change(line.text)
        except OSError:
            pass  # the terminal belongs to another process, or is gone


class TypedLine:
    """The input line, edited by keys."""

    def __init__(self) -> None:
        self.text = ""
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._unfinished = ""
        """The beginning of a control sequence."""

    def feed(self, keys: bytes) -> list[str]:
        """Process the keys and return the lines that they complete."""
        text = _SEQUENCE.sub("", self._unfinished + self._decoder.decode(keys))
        unfinished = _UNFINISHED.search(text)
        self._unfinished = unfinished.group() if unfinished else ""
        complete = []
        for key in text.removesuffix(self._unfinished):
            if key in "\r\n":
                complete.append(self.text)
                self.text = ""
            else:
                self._edit(key)
        return complete

    def _edit(self, key: str) -> None:
        if key in _BACKSPACE:
            self.text = self.text[:-1]
        elif key == _CLEAR:
            self.text = ""
        elif key == _WORD:
            self.text = self.text.rstrip().rpartition(" ")[0]
        elif key.isprintable() or key == "\t":
            self.text += key
