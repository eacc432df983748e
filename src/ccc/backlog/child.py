"""A process that a worker starts for a run; only the worker's main thread uses it.

It holds the lock of its task until it has ended with everything that it started, even if the worker
is killed. So the next worker waits for that.
"""

import fcntl
import os
import signal
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass

from ccc.backlog import places
from ccc.storage.paths import Paths
from ccc.system import private_files, processes, spawn

_KILL_SECONDS = 1.2
"""How long a process may take to save its state before it is killed."""
_MOST_OUTPUT = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Command:
    """What to start for a run."""

    run: int
    task: int
    line: Sequence[str]
    cwd: str
    env: Mapping[str, str]
    seconds: float = 0.0
    """How long it may take; 0 without a limit."""
    log: str = ""
    """The file for its errors; empty if they are part of its output."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a child ended."""

    code: int | None
    """None if it took too long or couldn't be started."""
    output: str
    stopped: str = ""
    """Why the worker stopped it: an outcome; empty if it ended by itself."""


class Child:
    """A command that was started or is about to be."""

    def __init__(self, where: Paths, command: Command) -> None:
        self.command = command
        self.future: Future[Ended] = Future()
        """Receives how it ended."""
        self.is_known = False
        """Whether the queue knows the session that it has begun."""
        self.request_usd = 0.0
        """The most that its cost has grown between two looks."""
        self.next_try = 0.0
        self.busy_since = 0.0
        """When the lock of its task was first seen taken; 0 if it is free."""
        self._directory = places.records(where)
        self._process: spawn.Child | None = None
        self._lock = -1
        self._kill_at = 0.0
        self._stopped = ""
        self._failure: Ended | None = None

    @property
    def is_started(self) -> bool:
        """Whether it was started."""
        return self._process is not None

    def start(self) -> bool:
        """Start it; False while one of a dead worker has the task's lock."""
        if not self._take_lock():
            return False
        command = self.command
        output = private_files.open_file(self._output, os.O_WRONLY | os.O_TRUNC)
        errors = os.dup(output)
        if command.log:
            os.close(errors)
            errors = private_files.open_file(command.log, os.O_WRONLY | os.O_APPEND)
        try:
            self._process = spawn.start_logged(
                command.line, command.cwd, command.env, output, errors=errors, keeps=(self._lock,)
            )
        finally:
            os.close(output)
            os.close(errors)
        if command.seconds:
            self._kill_at = time.monotonic() + command.seconds
        return True

    @property
    def _output(self) -> str:
        return os.path.join(self._directory, f"run-{self.command.run}.out")

    def _take_lock(self) -> bool:
        if self._lock < 0:
            places.make_private(self._directory)
            path = os.path.join(self._directory, f"task-{self.command.task}.lock")
            self._lock = private_files.open_file(path, os.O_RDWR)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def stop(self, outcome: str) -> None:
        """Ask it to end, unless it was asked before."""
        if self._stopped:
            return
        self._stopped = outcome
        if self._process is not None:
            processes.signal_group(self._process.pid, signal.SIGTERM)
            self._kill_at = time.monotonic() + _KILL_SECONDS

    def fail(self, cause: str) -> None:
        """End without having been started."""
        self._failure = Ended(None, cause)

    def poll(self) -> Ended | None:
        """Return how it ended, or None."""
        if self._process is None:
            return Ended(None, "", self._stopped) if self._stopped else self._failure
        code = self._process.poll()
        if code is None and (not self._kill_at or time.monotonic() < self._kill_at):
            return None
        spawn.end(self._process)
        return Ended(code, self._read(), self._stopped)

    def _read(self) -> str:
        try:
            with open(self._output, encoding="utf-8", errors="replace") as file:
                return file.read(_MOST_OUTPUT)
        except OSError:
            return ""

    def close(self) -> None:
        """Release the lock and remove the output."""
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1
        try:
            os.unlink(self._output)
        except OSError:
            pass
