"""What the person types while the agent works, in a line that the screen draws for us."""

import os
import signal
import sys
import termios
import threading

from ccc.domain.typed import TypedLine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_STDIN = 0
_LFLAG, _CC = 3, 6


class Keyboard:
    """Gives each line that is typed on a terminal to `heard`, and the unfinished one to `shown`.

    The terminal's own echo is switched off: what the agent says would tear the line apart.
    """

    def __init__(self, heard: "Callable[[str], None]", shown: "Callable[[str], None]") -> None:
        self._heard = heard
        self._shown = shown
        self._before: list[object] | None = None

    def begin(self, echo: bool) -> None:
        """Listen, where there is a terminal; with `echo` it stays as it is."""
        if sys.stdin is None or not sys.stdin.isatty():
            return
        # in the background a look at the terminal would stop us; this way it is an error
        signal.signal(signal.SIGTTIN, signal.SIG_IGN)
        signal.signal(signal.SIGTTOU, signal.SIG_IGN)
        if not echo:
            self._quiet()
            signal.signal(signal.SIGCONT, lambda *_: self._quiet())
        threading.Thread(target=self._listen, daemon=True).start()

    def end(self) -> None:
        """Leave the terminal as it was."""
        if self._before is not None and _in_foreground():
            termios.tcsetattr(_STDIN, termios.TCSADRAIN, self._before)  # type: ignore[arg-type]
        self._before = None
        for number in (signal.SIGTTIN, signal.SIGTTOU, signal.SIGCONT):
            signal.signal(number, signal.SIG_DFL)

    def _quiet(self) -> None:
        """No echo, and each key at once; Ctrl-C and Ctrl-Z stay what they are."""
        if not _in_foreground():
            return
        try:
            mode = termios.tcgetattr(_STDIN)
            self._before = self._before or [*mode]
            mode[_LFLAG] &= ~(termios.ECHO | termios.ICANON)
            mode[_CC][termios.VMIN], mode[_CC][termios.VTIME] = 1, 0
            termios.tcsetattr(_STDIN, termios.TCSADRAIN, mode)
        except termios.error:
            pass  # the terminal is gone

    def _listen(self) -> None:
        line = TypedLine()
        try:
            while keys := os.read(_STDIN, 1024):
                for text in line.feed(keys):
                    self._heard(text)
                self._shown(line.text)
        except OSError:
            pass  # the terminal is another's, or gone


def _in_foreground() -> bool:
    try:
        return os.tcgetpgrp(_STDIN) == os.getpgrp()
    except OSError:
        return False
