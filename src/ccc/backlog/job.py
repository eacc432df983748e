"""A `ccc run` as a child of the worker; only the worker's main thread uses it."""

import fcntl
import os
import signal
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from typing import Any

from ccc.backlog import places
from ccc.backlog.assignment import Assignment
from ccc.storage.paths import Paths
from ccc.system import private_files, processes, spawn
from ccc.text import json_path

_KILL_SECONDS = 1.2
"""How long a run may take to save its state before it is killed."""
_LONGEST_RESULT = 16 * 1024 * 1024
_HIDDEN = ("CCC_QUEUE_URL", "CCC_SUPERVISOR_ID")
"""Variables that the agent must not get: the first contains a password."""


class Job:
    """A run that was started or is about to be."""

    def __init__(self, where: Paths, run: int, task: int) -> None:
        self.run = run
        self.task = task
        self.future: Future[dict[str, Any]] = Future()
        """Receives the result."""
        self.session = ""
        self.worktree = ""
        self.created_at = time.monotonic()
        self.next_try = 0.0
        """When to try the start again."""
        self._directory = places.records(where)
        self._child: spawn.Child | None = None
        self._lock = -1
        self._kill_at = 0.0
        self._outcome = ""
        self._known: dict[str, Any] | None = None

    @property
    def is_started(self) -> bool:
        """Whether the child was started."""
        return self._child is not None

    def start(
        self, program: Sequence[str], assignment: Assignment, cwd: str, env: Mapping[str, str]
    ) -> bool:
        """Start the run; False while one of a dead worker still lives in the same worktree.

        The child inherits the lock, so that it is free when the run and its guard have ended.
        """
        if not self._take_lock():
            return False
        command = [*program, "run", "--json", *assignment.arguments]
        if assignment.text:
            text = os.path.join(self._directory, f"task-{self.task}.md")
            with open(private_files.open_file(text, os.O_WRONLY | os.O_TRUNC), "w") as file:
                file.write(assignment.text)
            command.append(f"--file={text}")
        own = {name: value for name, value in env.items() if name not in _HIDDEN}
        own["CCC_QUEUE_TASK"] = str(self.task)
        output = private_files.open_file(self._result, os.O_WRONLY | os.O_TRUNC)
        log = os.path.join(self._directory, f"task-{self.task}.log")
        errors = private_files.open_file(log, os.O_WRONLY | os.O_APPEND)
        try:
            self._child = spawn.start_logged(
                command, cwd, own, output, errors=errors, keeps=(self._lock,)
            )
        finally:
            os.close(output)
            os.close(errors)
        return True

    @property
    def _result(self) -> str:
        return os.path.join(self._directory, f"run-{self.run}.json")

    def _take_lock(self) -> bool:
        if self._lock < 0:
            os.makedirs(self._directory, mode=0o700, exist_ok=True)
            path = os.path.join(self._directory, f"task-{self.task}.lock")
            self._lock = private_files.open_file(path, os.O_RDWR)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def skip(self, result: dict[str, Any]) -> None:
        """End without a child: the result is known already."""
        self._known = result

    def stop(self, outcome: str) -> None:
        """Ask the run to end; its result has this outcome, unless it was faster."""
        self._outcome = self._outcome or outcome
        if self._child is not None and not self._kill_at:
            processes.signal_group(self._child.pid, signal.SIGTERM)
            self._kill_at = time.monotonic() + _KILL_SECONDS

    def poll(self) -> dict[str, Any] | None:
        """Return the result if the run has ended."""
        if self._child is None:
            return self._known or ({"outcome": self._outcome} if self._outcome else None)
        code = self._child.poll()
        if code is None:
            if not self._kill_at or time.monotonic() < self._kill_at:
                return None
            code = -signal.SIGKILL
        spawn.end(self._child)
        return self._read(code)

    def _read(self, code: int) -> dict[str, Any]:
        """Return what the run printed; a run that printed nothing has failed."""
        try:
            with open(self._result, encoding="utf-8", errors="replace") as file:
                result = json_path.parse_object(file.read(_LONGEST_RESULT)) or {}
        except OSError:
            result = {}
        if self._outcome and result.get("outcome") in (None, "interrupted"):
            result["outcome"] = self._outcome
        if not result.get("outcome"):
            result |= {"outcome": "agent_failed", "detail": self._last_words() or f"exit {code}"}
        return result

    def _last_words(self) -> str:
        """Return the last lines of the log, which say why the run failed."""
        try:
            with open(os.path.join(self._directory, f"task-{self.task}.log"), "rb") as file:
                file.seek(max(0, os.fstat(file.fileno()).st_size - 2_000))
                lines = file.read().decode(errors="replace").strip().splitlines()
        except OSError:
            return ""
        return "\n".join(lines[-3:])

    def close(self) -> None:
        """Release the lock and remove the result's file."""
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1
        try:
            os.unlink(self._result)
        except OSError:
            pass
