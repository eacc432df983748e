"""A worker: its main thread handles signals and the screen, and waits for no database.

The poller reads and changes the queue, and each run has a thread of the engine that starts its
commands. So a database that doesn't answer keeps no command from being stopped.
"""

import os
import signal
import threading
import time

from ccc.backlog import places, task_run
from ccc.backlog.active_runs import ActiveRuns, WorkerOptions
from ccc.backlog.database import Database
from ccc.backlog.poller import Poller
from ccc.storage.paths import Paths
from ccc.system import spawn

_TICK_SECONDS = 0.1
LOST_LOCK_GRACE_SECONDS = 4.0
"""How long runs go on without the worker's lock; others take over after 6."""
_RELEASE_SECONDS = 10.0
_HANGS_SECONDS = 2.0


class QueueWorker:
    """The main thread of a worker."""

    def __init__(self, where: Paths, database: Database, options: WorkerOptions) -> None:
        self._active = ActiveRuns(where, database, options)
        self._options = options
        self._poller = Poller(self._active)

    def run(self) -> bool:
        """Work until a signal, or with `once` until nothing is left; False if it can't go on."""
        spawn.handle_end_signals(self._on_signal, also_ignored=False)
        facts = {"worker": self._poller.name, "host": places.host(), "pid": os.getpid()}
        self._options.tell("worker_started", 0, {**facts, "jobs": self._options.jobs})
        thread = threading.Thread(target=self._poller.run, daemon=True)
        thread.start()
        reason = "failed"
        try:
            while thread.is_alive() and not (reason := self._end_reason()):
                if self._poller.alone_seconds > LOST_LOCK_GRACE_SECONDS:
                    self._active.stop_all(task_run.RELEASED)
                time.sleep(_TICK_SECONDS)
        finally:
            self._end()
            self._options.tell("worker_ended", 0, {"reason": reason or "failed"})
        return reason in ("nothing_left", "stopped")

    def _on_signal(self, number: int, frame: object) -> None:
        self._active.is_stopping = True

    def _end_reason(self) -> str:
        """Return why the worker ends; empty if it goes on."""
        if self._poller.is_lost:
            return "database_lost"
        if self._poller.is_drained:
            return "nothing_left"
        return "stopped" if self._active.is_stopping or self._options.wants_end() else ""

    def _end(self) -> None:
        """Give the running tasks back, so that they go on later."""
        spawn.handle_end_signals(signal.SIG_IGN)
        self._active.is_stopping = True
        until = time.monotonic() + _RELEASE_SECONDS
        if any(run.is_executing for run in list(self._active.runs.values())):
            self._options.tell("worker_stopping", 0, {})
        while self._may_have_runs() and time.monotonic() < until:
            self._active.stop_all(task_run.RELEASED)
            time.sleep(_TICK_SECONDS)
        spawn.end_all()
        self._poller.end()

    def _may_have_runs(self) -> bool:
        runs = list(self._active.runs.values())
        if self._poller.is_lost:
            # nothing can be stored any more
            return any(run.is_executing for run in runs)
        # a look that began before the end may admit one more run, unless the database hangs
        may_admit = self._poller.looking.locked() and self._poller.alone_seconds < _HANGS_SECONDS
        return bool(runs) or may_admit
