"""A worker: its main thread owns the children, and waits for nothing else.

A second thread (`looker`) looks into the database, and the steps of the runs are in threads of the
engine. So a database that doesn't answer keeps no child from being stopped.
"""

import os
import queue
import signal
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ccc.backlog import assignment, places
from ccc.backlog.child import Child, Ended
from ccc.backlog.database import Database
from ccc.backlog.looker import Looker
from ccc.storage.paths import Paths
from ccc.system import end_signals, spawn

_TICK_SECONDS = 0.1
_TRY_SECONDS = 0.3
_BUSY_SECONDS = 20.0
"""How often to tell that the child of a dead worker has not ended."""
_ALONE_SECONDS = 4.0
"""How long the children go on without the worker's lock; others take over after 6."""
_RELEASE_SECONDS = 10.0
_HANGS_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class WorkerOptions:
    """How a worker works."""

    jobs: int = 2
    once: bool = False
    """End when nothing is left that could start."""
    program: Sequence[str] = ()
    """The ccc that runs the tasks."""
    tell: Callable[[str, int, Mapping[str, object]], None] = lambda event, task, facts: None
    """Receives what happens to a task, or to the worker if its number is 0."""
    draw: Callable[[], None] = lambda: None
    """Called about twice a second."""
    wants_end: Callable[[], bool] = lambda: False
    """Returns whether the user wants the worker to stop."""


class QueueWorker:
    """The main thread of a worker."""

    def __init__(self, where: Paths, database: Database, plan: WorkerOptions) -> None:
        self.plan = plan
        self.is_stopping = False
        self.children: dict[int, Child] = {}
        """The child of each run; one at a time."""
        self._inbox: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()
        self._looker = Looker(where, database, self)

    def run(self) -> bool:
        """Work until a signal, or with `once` until nothing is left; False if it can't go on."""
        end_signals.handle(self._on_signal, also_ignored=False)
        # the end of a child is noticed at once
        signal.signal(signal.SIGCHLD, lambda *_: self._inbox.put(("wake", None)))
        thread = threading.Thread(target=self._looker.run, daemon=True)
        facts = {"worker": self._looker.name, "host": places.host(), "pid": os.getpid()}
        self.plan.tell("worker_started", 0, {**facts, "jobs": self.plan.jobs})
        thread.start()
        reason = "failed"
        try:
            while thread.is_alive() and not self._is_at_end:
                self._tick()
                self.is_stopping = self.is_stopping or self.plan.wants_end()
            if self._looker.is_lost:
                reason = "database_lost"
            elif self._looker.is_drained:
                reason = "nothing_left"
            elif self.is_stopping:
                reason = "stopped"
        finally:
            self._end()
            self.plan.tell("worker_ended", 0, {"reason": reason})
        return reason in ("nothing_left", "stopped")

    @property
    def _is_at_end(self) -> bool:
        return self.is_stopping or self._looker.is_drained or self._looker.is_lost

    # called by other threads

    def start(self, child: Child) -> Ended:
        """Let the main thread start a child, and wait for its end."""
        self._inbox.put(("child", child))
        return child.future.result()

    def stop(self, runs: set[int], outcome: str) -> None:
        """Let the main thread stop the children of runs."""
        if runs:
            self._inbox.put(("stop", (runs, outcome)))

    # the main thread

    def _on_signal(self, number: int, frame: object) -> None:
        self.is_stopping = True
        self._inbox.put(("wake", None))

    def _tick(self) -> None:
        self._receive()
        self._reap()
        if self._looker.alone_seconds > _ALONE_SECONDS:
            for child in self.children.values():
                child.stop(assignment.RELEASED)

    def _receive(self) -> None:
        """Handle what the other threads ask for; wait a little if there is nothing."""
        wait = _TICK_SECONDS
        while True:
            try:
                what, value = self._inbox.get(timeout=wait) if wait else self._inbox.get_nowait()
            except queue.Empty:
                return
            wait = 0.0
            if what == "child":
                self.children[value.command.run] = value
            elif what == "stop":
                numbers, outcome = value
                for run in numbers & self.children.keys():
                    self.children[run].stop(outcome)

    def _reap(self) -> None:
        for run, child in list(self.children.items()):
            if not child.is_started:
                self._start(child)
            ended = child.poll()
            if ended is not None:
                del self.children[run]
                child.close()
                child.future.set_result(ended)

    def _start(self, child: Child) -> None:
        """Start a child, as soon as that of a dead worker in the same worktree has ended."""
        now = time.monotonic()
        if now < child.next_try:
            return
        child.next_try = now + _TRY_SECONDS
        try:
            if child.start():
                return
        except (OSError, ValueError) as error:
            child.fail(str(error))
            return
        # however long that takes: no task runs twice at the same time
        child.busy_since = child.busy_since or now
        if now - child.busy_since > _BUSY_SECONDS:
            child.busy_since = now
            self.plan.tell("busy", child.command.task, {})

    def _end(self) -> None:
        """Give the running tasks back, so that they go on later."""
        end_signals.handle(signal.SIG_IGN)
        self.is_stopping = True
        until = time.monotonic() + _RELEASE_SECONDS
        if self.children:
            self.plan.tell("worker_stopping", 0, {})
        while self._may_have_runs() and time.monotonic() < until:
            for child in self.children.values():
                child.stop(assignment.RELEASED)
            self._receive()
            self._reap()
        spawn.end_all()
        self._looker.end()

    def _may_have_runs(self) -> bool:
        # a look that began before the end may admit one more run, unless the database hangs
        may_admit = self._looker.looking.locked() and self._looker.alone_seconds < _HANGS_SECONDS
        return bool(self.children) or may_admit or self._looker.has_runs


def work(where: Paths, database: Database, plan: WorkerOptions) -> bool:
    """Run a worker in this process; return whether it ended as it should."""
    return QueueWorker(where, database, plan).run()
