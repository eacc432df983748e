"""What the person types while the agent works, in a line that the screen draws for us."""

import os
import signal
import sys
import termios
import threading
import time

from ccc.commands.run.typed_line import TypedLine
from ccc.system import terminal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_STDIN = 0
_LFLAG, _CC = 3, 6
_PAUSE_SECONDS = 0.2


class Keyboard:
    """Gives each line that is typed on a terminal to `heard`, and the unfinished one to `shown`.

    The terminal's own echo is switched off: what the agent says would tear the line apart.
    """

    def __init__(
        self,
        heard: "Callable[[str], None]",
        shown: "Callable[[str], None]",
        hidden: "Callable[[], None]",
    ) -> None:
        self._heard = heard
        self._shown = shown
        self._hidden = hidden
        self._before: list[object] | None = None

    def begin(self, echo: bool) -> None:
        """Listen, where there is a terminal; with `echo` it stays as it is."""
        if sys.stdin is None or not sys.stdin.isatty():
            return
        # in the background a look at the terminal would stop us; this way it is an error
        signal.signal(signal.SIGTTIN, signal.SIG_IGN)
        signal.signal(signal.SIGTTOU, signal.SIG_IGN)
        if not echo:
            self.take()
            signal.signal(signal.SIGTSTP, self._suspend)
            signal.signal(signal.SIGCONT, lambda *_: self.take())
        threading.Thread(target=self._listen, daemon=True).start()

    def take(self) -> None:
        """No echo, and each key at once; Ctrl-C and Ctrl-Z stay what they are."""
        if not terminal.in_foreground(_STDIN):
            return
        try:
            mode = termios.tcgetattr(_STDIN)
            self._before = self._before or [*mode[:_CC], [*mode[_CC]]]
            mode[_LFLAG] &= ~(termios.ECHO | termios.ICANON)
            mode[_CC][termios.VMIN], mode[_CC][termios.VTIME] = 1, 0
            termios.tcsetattr(_STDIN, termios.TCSADRAIN, mode)
        except termios.error:
            pass  # the terminal is gone

    def give_back(self) -> None:
        """Leave the terminal as it was."""
        if self._before is not None and terminal.in_foreground(_STDIN):
            try:
                termios.tcsetattr(_STDIN, termios.TCSADRAIN, self._before)  # type: ignore[arg-type]
            except termios.error:
                pass  # the terminal is gone

    def end(self) -> None:
        """Leave the terminal as it was, and its signals too."""
        self.give_back()
        for number in (signal.SIGTTIN, signal.SIGTTOU, signal.SIGTSTP, signal.SIGCONT):
            signal.signal(number, signal.SIG_DFL)

    def _suspend(self, *_: object) -> None:
        """Ctrl-Z: the terminal is the shell's until `fg`."""
        self._hidden()
        self.give_back()
        os.kill(os.getpid(), signal.SIGSTOP)
        self.take()

    def _listen(self) -> None:
        line = TypedLine()
        try:
            while True:
                keys = os.read(_STDIN, 1024)
                if not keys:
                    # Ctrl-D, where the terminal edits the line
                    time.sleep(_PAUSE_SECONDS)
                for text in line.feed(keys):
                    self._heard(text)
                self._shown(line.text)
        except OSError:
            pass  # the terminal is another's, or gone
