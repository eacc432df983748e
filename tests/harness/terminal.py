"""An interactive session in tmux."""

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
    """A program in its own tmux server, which ends with the program."""

    def __init__(
        self,
        argv: Sequence[str],
        *,
        cwd: Path,
        env: Mapping[str, str],
        socket: Path,
        width: int = 110,
        height: int = _HEIGHT,
    ) -> None:
        self._socket = str(socket)
        self.title = shlex.join(argv)
        self.last = ""
        """The screen and the scrollback when the terminal was closed."""
        command = shlex.join(["env", "-i", *(f"{k}={v}" for k, v in env.items()), *argv])
        self._tmux(
            *("-f", "/dev/null", "new-session", "-d", "-x", str(width), "-y", str(height)),
            *("-c", str(cwd), f'{command}; echo "[exit $?]"; sleep 60'),
        )

    def enter(self, text: str) -> None:
        """Type the text, wait until it is shown, and press Enter."""
        self.put(text)
        # an Enter that arrives while the client lays out its input line becomes part of the text
        time.sleep(0.2)
        self.press("Enter")

    def put(self, text: str) -> None:
        """Type the text, and wait until it is shown."""
        self.write(text)
        self.wait_for(re.escape(text[-30:]))

    def write(self, text: str) -> None:
        """Type the text."""
        self._tmux("send-keys", "-l", text)

    def type_blindly(self, text: str) -> None:
        """Type text that isn't echoed, and press Enter."""
        self.write(text)
        self.press("Enter")

    def resize(self, columns: int) -> None:
        """Set the width of the window."""
        self._tmux("resize-window", "-x", str(columns))

    def press(self, *keys: str) -> None:
        """Press keys by their tmux names, without a pause."""
        self._tmux("send-keys", *keys)

    def press_until(self, key: str, pattern: str) -> None:
        """Press a key every second until the screen shows the pattern.

        A client that starts on a busy machine can give a prompt back that was sent meanwhile.
        """
        for _ in range(60):
            self.press(key)
            with contextlib.suppress(AssertionError):
                self.wait_for(pattern, 1)
                return
        self.wait_for(pattern, 1)

    def screen(self, history: bool = False) -> str:
        """Return the current screen, optionally with its scrollback."""
        lines = self._tmux("capture-pane", "-p", *(["-S", "-"] if history else []))
        return "\n".join(line.rstrip() for line in lines.splitlines()).strip("\n")

    def wait_for(self, pattern: str, timeout: float = 60) -> str:
        """Wait until the screen shows the pattern and return it; fail after the timeout."""
        until = time.monotonic() + timeout
        while True:
            screen = self.screen()
            if re.search(pattern, screen):
                return screen
            assert time.monotonic() < until, f"never showed {pattern!r}:\n{self!r}"
            time.sleep(0.05)

    def record(self, file: Path) -> None:
        """Save everything that the program sends to the terminal from now on, byte for byte."""
        self._tmux("pipe-pane", f"cat > {shlex.quote(str(file))}")

    @property
    def rang(self) -> bool:
        """Return whether the bell has rung."""
        return self._tmux("display-message", "-p", "#{window_bell_flag}").strip() == "1"

    def close(self) -> None:
        """Stop the tmux server and the program in it."""
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
