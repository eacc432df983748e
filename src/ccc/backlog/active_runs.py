"""The runs of a worker: what its threads share, and how a run executes its commands.

A command holds the lock of its task until it has ended with everything that it started, even if
the worker is killed. So the next worker waits for that.
"""

import contextlib
import fcntl
import math
import os
import queue
import signal
import threading
import time
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct, field

from ccc.backlog import places
from ccc.backlog.database import Database
from ccc.backlog.runs import Claim
from ccc.errors import CccError
from ccc.storage import files
from ccc.storage.paths import Paths
from ccc.system import private_files, processes, spawn

_TICK_SECONDS = 0.1
_TRY_SECONDS = 0.3
_BUSY_SECONDS = 20.0  # how often to tell that the command of a dead worker has not ended
_KILL_SECONDS = 1.2  # how long a process may take to save its state before it is killed
_MOST_OUTPUT = 16 * 1024 * 1024


class WorkerOptions(Struct, frozen=True):
    """How a worker works."""

    jobs: int = 2
    once: bool = False  # end when nothing is left that could start
    program: Sequence[str] = ()  # the ccc that runs the tasks
    tell: Callable[[str, int, Mapping[str, object]], None] = lambda event, task, facts: None
    """Receives what happens to a task, or to the worker if its number is 0."""
    draw: Callable[[], None] = lambda: None  # called about twice a second
    wants_end: Callable[[], bool] = lambda: False
    """Returns whether the user wants the worker to stop."""


class Command(Struct, frozen=True):
    """What to start for a run."""

    line: Sequence[str]
    cwd: str
    env: Mapping[str, str]
    seconds: float = 0.0  # how long it may take; 0 without a limit
    log: str = ""  # the file for its errors; empty if they are part of its output


class ActiveRun(Struct):
    """A run that this worker has claimed."""

    claim: Claim
    worktree: str = ""  # where `ccc run` works; empty before it starts
    is_begun: bool = False  # whether its workflow has started
    is_executing: bool = False
    stop_outcome: str = ""  # why it was stopped; empty if it wasn't
    stopped: threading.Event = field(default_factory=threading.Event)
    is_session_stored: bool = False  # whether the queue knows the session that `ccc run` has begun
    request_usd: float = 0.0  # the most that its cost has grown between two looks

    def stop(self, outcome: str) -> None:
        """Let its command end, unless that was asked before."""
        self.stop_outcome = self.stop_outcome or outcome
        self.stopped.set()


class ActiveRuns:
    """All runs of this worker, by their numbers."""

    def __init__(self, where: Paths, database: Database, options: WorkerOptions) -> None:
        self.where = where
        self.database = database
        self.options = options
        self.is_stopping = False
        self.runs: dict[int, ActiveRun] = {}
        self.finished: queue.SimpleQueue[tuple[int, Exception | None]] = queue.SimpleQueue()
        """The runs that nothing works on any more, and the errors that ended them."""

    def stop_all(self, outcome: str) -> None:
        """Stop all runs."""
        for run in list(self.runs.values()):
            run.stop(outcome)

    def execute(self, run: ActiveRun, command: Command) -> tuple[int | None, str]:
        """Run a command until it ends or the run is stopped; return its exit code and its output.

        The code is None if it took too long or couldn't be started.
        """
        directory = places.records(self.where)
        path = os.path.join(directory, f"task-{run.claim.task}.lock")
        output = os.path.join(directory, f"run-{run.claim.run}.out")
        run.is_executing = True
        try:
            files.make_directory(directory)
            with os.fdopen(private_files.open_file(path, os.O_RDWR)) as lock:
                if not self._wait_for_lock(lock.fileno(), run):
                    return None, ""
                process = _start(command, output, lock.fileno())
                code = _wait(process, command.seconds, run.stopped)
                with open(output, encoding="utf-8", errors="replace") as file:
                    return code, file.read(_MOST_OUTPUT)
        except (OSError, ValueError, CccError) as error:
            return None, str(error)
        finally:
            run.is_executing = False
            with contextlib.suppress(OSError):
                os.unlink(output)

    def _wait_for_lock(self, lock: int, run: ActiveRun) -> bool:
        """Wait until the command of a dead worker in the same worktree ends; False if stopped.

        However long that takes: no task runs twice at the same time.
        """
        tell_at = time.monotonic() + _BUSY_SECONDS
        while not run.stopped.is_set():
            with contextlib.suppress(BlockingIOError):
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return True
            if time.monotonic() > tell_at:
                tell_at = time.monotonic() + _BUSY_SECONDS
                self.options.tell("busy", run.claim.task, {})
            run.stopped.wait(_TRY_SECONDS)
        return False


def _start(command: Command, path: str, lock: int) -> spawn.Child:
    output = private_files.open_file(path, os.O_WRONLY | os.O_TRUNC)
    errors = output
    try:
        if command.log:
            errors = private_files.open_file(command.log, os.O_WRONLY | os.O_APPEND)
        line, cwd, env = command.line, command.cwd, command.env
        return spawn.start_logged(line, cwd, env, output, errors=errors, keeps=(lock,))
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
