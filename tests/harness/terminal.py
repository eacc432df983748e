"""An interactive session in tmux: typed into, and looked at."""

import contextlib
import os
import re
import shlex
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType

_HEIGHT = 45


class Terminal:
    """A program in a tmux server of its own, which ends with it."""

    def __init__(
        self,
        argv: Sequence[str],
        *,
        cwd: Path,
        env: Mapping[str, str],
        socket: Path,
        width: int = 110,
    ) -> None:
        self._socket = str(socket)
        self.title = shlex.join(argv)
        self.last = ""
        """What was shown when it was closed, with what had scrolled away."""
        command = shlex.join(["env", "-i", *(f"{k}={v}" for k, v in env.items()), *argv])
        self._tmux(
            *("-f", "/dev/null", "new-session", "-d", "-x", str(width), "-y", str(_HEIGHT)),
            *("-c", str(cwd), f'{command}; echo "[exit $?]"; sleep 60'),
        )

    def enter(self, text: str) -> None:
        """Type the text and press Enter, once it stands in the input line."""
        self.put(text)
        # a client that is still laying out its input line takes an early Enter as part of it
        time.sleep(0.2)
        self.press("Enter")

    def put(self, text: str) -> None:
        """Type the text, and wait until it is there."""
        self.write(text)
        self.wait_for(re.escape(text[-30:]))

    def write(self, text: str) -> None:
        """Type the text."""
        self._tmux("send-keys", "-l", text)

    def type_blindly(self, text: str) -> None:
        """Type what is not shown, and press Enter."""
        self.write(text)
        self.press("Enter")

    def resize(self, columns: int) -> None:
        """Make the window so wide."""
        self._tmux("resize-window", "-x", str(columns))

    def press(self, *keys: str) -> None:
        """Press keys by their tmux names, without a pause between them."""
        self._tmux("send-keys", *keys)

    def screen(self, history: bool = False) -> str:
        """What is on the screen now."""
        lines = self._tmux("capture-pane", "-p", *(["-S", "-"] if history else []))
        return "\n".join(line.rstrip() for line in lines.splitlines()).strip("\n")

    def wait_for(self, pattern: str, timeout: float = 60) -> str:
        """The screen, once it shows the pattern; a failed test with the screen if it never does."""
        until = time.monotonic() + timeout
        while True:
            shown = self.screen()
            if re.search(pattern, shown):
                return shown
            assert time.monotonic() < until, f"never showed {pattern!r}:\n{self!r}"
            time.sleep(0.05)

    def record(self, file: Path) -> None:
        """Keep all that the program sends to the terminal from now on, byte for byte."""
        self._tmux("pipe-pane", f"cat > {shlex.quote(str(file))}")

    @property
    def rang(self) -> bool:
        """Whether the bell has rung."""
        return self._tmux("display-message", "-p", "#{window_bell_flag}").strip() == "1"

    def close(self) -> None:
        """End the tmux server and what runs in it."""
        with contextlib.suppress(AssertionError):
            self.last = self.screen(history=True)
        subprocess.run(
            ["tmux", "-S", self._socket, "kill-server"],
            capture_output=True,
            check=False,
            timeout=30,
        )

    def _tmux(self, *arguments: str) -> str:
        done = subprocess.run(
            ["tmux", "-S", self._socket, *arguments],
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
            env={"PATH": os.environ["PATH"], "TERM": "xterm-256color", "LANG": "C.UTF-8"},
        )
        assert done.returncode == 0, (arguments, done.stderr)
        return done.stdout

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"$ {self.title}\n--- screen\n{self.screen(history=True)}"
