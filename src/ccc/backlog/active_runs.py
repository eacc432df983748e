"""The runs of a worker, and what its threads share: the main one, the poller, one for each run."""

import queue
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from ccc.backlog import child
from ccc.backlog.child import Command, Ended
from ccc.backlog.database import Database
from ccc.backlog.runs import Claim
from ccc.storage.paths import Paths


@dataclass(frozen=True, slots=True)
class WorkerOptions:
    """How a worker works."""

    jobs: int = 2
    once: bool = False  # end when nothing is left that could start
    program: Sequence[str] = ()  # the ccc that runs the tasks
    tell: Callable[[str, int, Mapping[str, object]], None] = lambda event, task, facts: None
    """Receives what happens to a task, or to the worker if its number is 0."""
    draw: Callable[[], None] = lambda: None  # called about twice a second
    wants_end: Callable[[], bool] = lambda: False
    """Returns whether the user wants the worker to stop."""


@dataclass(slots=True)
class ActiveRun:
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

    def execute(self, command: Command) -> Ended:
        """Run a command of a run until it ends or the run is stopped."""
        active = self.runs[command.run]
        active.is_executing = True
        try:
            return child.execute(
                self.where,
                command,
                active.stopped,
                lambda: self.options.tell("busy", command.task, {}),
            )
        finally:
            active.is_executing = False
