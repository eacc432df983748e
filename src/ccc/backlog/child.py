"""Run a command of a task in the thread of its run.

The command holds the lock of its task until it has ended with everything that it started, even if
the worker is killed. So the next worker waits for that.
"""

import contextlib
import fcntl
import math
import os
import signal
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ccc.backlog import places
from ccc.storage.paths import Paths
from ccc.system import private_files, processes, spawn

_TICK_SECONDS = 0.1
_TRY_SECONDS = 0.3
_BUSY_SECONDS = 20.0  # how often to tell that the command of a dead worker has not ended
_KILL_SECONDS = 1.2  # how long a process may take to save its state before it is killed
_MOST_OUTPUT = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Command:
    """What to start for a run."""

    run: int
    task: int
    line: Sequence[str]
    cwd: str
    env: Mapping[str, str]
    seconds: float = 0.0  # how long it may take; 0 without a limit
    log: str = ""  # the file for its errors; empty if they are part of its output


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended."""

    code: int | None  # None if it took too long or couldn't be started
    output: str = ""


def execute(
    where: Paths, command: Command, stop: threading.Event, tell_busy: Callable[[], None]
) -> Ended:
    """Run the command until it ends, or until `stop` is set."""
    directory = places.records(where)
    output = os.path.join(directory, f"run-{command.run}.out")
    try:
        places.make_private(directory)
        lock = private_files.open_file(
            os.path.join(directory, f"task-{command.task}.lock"), os.O_RDWR
        )
    except OSError as error:
        return Ended(None, str(error))
    try:
        if not _wait_for_lock(lock, stop, tell_busy):
            return Ended(None)
        code = _wait(_start(command, output, lock), command.seconds, stop)
        with open(output, encoding="utf-8", errors="replace") as file:
            return Ended(code, file.read(_MOST_OUTPUT))
    except (OSError, ValueError) as error:
        return Ended(None, str(error))
    finally:
        os.close(lock)
        with contextlib.suppress(OSError):
            os.unlink(output)


def _wait_for_lock(lock: int, stop: threading.Event, tell_busy: Callable[[], None]) -> bool:
    """Wait until the command of a dead worker in the same worktree has ended; False if stopped.

    However long that takes: no task runs twice at the same time.
    """
    tell_at = time.monotonic() + _BUSY_SECONDS
    while not stop.is_set():
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            pass
        else:
            return True
        if time.monotonic() > tell_at:
            tell_at = time.monotonic() + _BUSY_SECONDS
            tell_busy()
        stop.wait(_TRY_SECONDS)
    return False


def _start(command: Command, path: str, lock: int) -> spawn.Child:
    output = private_files.open_file(path, os.O_WRONLY | os.O_TRUNC)
    errors = output
    try:
        if command.log:
            errors = private_files.open_file(command.log, os.O_WRONLY | os.O_APPEND)
        line = command.line
        return spawn.start_logged(
            line, command.cwd, command.env, output, errors=errors, keeps=(lock,)
        )
    finally:
        for file in {output, errors}:
            os.close(file)


def _wait(process: spawn.Child, seconds: float, stop: threading.Event) -> int | None:
    """Wait for the end of a process and of everything that it started; return its exit code."""
    until = time.monotonic() + (seconds or math.inf)
    while process.poll() is None and time.monotonic() < until and not stop.wait(_TICK_SECONDS):
        pass
    if stop.is_set() and process.poll() is None:
        processes.signal_group(process.pid, signal.SIGTERM)
        until = time.monotonic() + _KILL_SECONDS
        while process.poll() is None and time.monotonic() < until:
            time.sleep(_TICK_SECONDS)
    code = process.poll()
    spawn.end(process)
    return code
