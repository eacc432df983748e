"""A worker: starts tasks within the limits, takes over those of dead workers, and tells them."""

import queue
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ccc.backlog import assignment, janitor, locks, run_record, runs, steps
from ccc.backlog.database import Database
from ccc.backlog.engine import Engine
from ccc.backlog.job import Job
from ccc.backlog.runs import Claim, Who
from ccc.config import ccc_json
from ccc.errors import CccError
from ccc.storage.paths import Paths
from ccc.system import end_signals, spawn
from ccc.text.values import dataclass, replace

_TICK_SECONDS = 0.1
_LOOK_SECONDS = 0.5
_COUNT_SECONDS = 3.0
_DEAD_SECONDS = 6.0
"""How long a lock in a shared database must be free: its worker may have lost the connection."""
_ALONE_SECONDS = 4.0
"""How long a worker goes on without its lock; less than the others wait."""
_BUSY_SECONDS = 20.0
"""How long to wait for the end of a dead worker's run."""
_RELEASE_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Plan:
    """How a worker works."""

    jobs: int = 2
    once: bool = False
    """End when nothing is left that could start."""
    program: Sequence[str] = ()
    """The ccc that runs the tasks."""
    tell: Callable[[str, int, Mapping[str, object]], None] = lambda event, task, facts: None
    """Receives what happens to a task."""
    draw: Callable[[], bool] = lambda: False
    """Called about twice a second; returns whether the user wants the worker to stop."""


class Worker:
    """The main thread of a worker; the steps of its runs are in threads of the engine."""

    def __init__(self, where: Paths, database: Database, plan: Plan) -> None:
        self.where = where
        self.database = database
        self.plan = plan
        self.claims: dict[int, Claim] = {}
        self.jobs: dict[int, Job] = {}
        self.inbox: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()
        self.is_stopping = False
        self.lock = locks.WorkerLock(database, where, plan.jobs)
        self.engine = Engine(database, self.lock.name, steps.Steps(self))
        self._unstarted: list[Claim] = []
        self._dead_since: dict[str, float] = {}
        self._alone_since = 0.0
        self._next_look = self._next_count = 0.0
        self._was_drained = False

    def run(self) -> None:
        """Work until a signal, or with `once` until nothing is left."""
        end_signals.handle(self._on_signal, also_ignored=False)
        # the end of a run is noticed at once
        signal.signal(signal.SIGCHLD, lambda *_: self.inbox.put(("wake", None)))
        try:
            while not self._is_over():
                self._tick()
        finally:
            self._end()

    def _on_signal(self, number: int, frame: object) -> None:
        self.is_stopping = True
        self.inbox.put(("wake", None))

    def _is_over(self) -> bool:
        if self.is_stopping:
            return True
        return self.plan.once and not self.claims and self._was_drained

    def _tick(self) -> None:
        self._receive()
        self._reap()
        now = time.monotonic()
        if now < self._next_look:
            return
        self._next_look = now + _LOOK_SECONDS
        try:
            if self._keep_lock(now):
                self._look(now)
        except CccError as error:
            self.plan.tell("database", 0, {"cause": str(error)})
        self.is_stopping = self.is_stopping or self.plan.draw()

    def _receive(self) -> None:
        """Handle what the steps ask for; wait a little if there is nothing."""
        wait = _TICK_SECONDS
        while True:
            try:
                what, value = self.inbox.get(timeout=wait) if wait else self.inbox.get_nowait()
            except queue.Empty:
                return
            wait = 0.0
            if what == "job":
                self.jobs[value.run] = value
            elif what == "left":
                self._next_look = 0.0
                if claim := self.claims.pop(value, None):
                    steps.end_if_open(self, claim)

    def _reap(self) -> None:
        for job in list(self.jobs.values()):
            if not job.is_started:
                self._start(job)
            result = job.poll()
            if result is not None:
                self._finish(job, result)

    def _start(self, job: Job) -> None:
        """Start a job's child; one of a dead worker in the same worktree ends first."""
        now = time.monotonic()
        if now < job.next_try:
            return
        job.next_try = now + _LOOK_SECONDS
        if now - job.created_at > _BUSY_SECONDS:
            job.stop("agent_failed")
            return
        try:
            steps.start(self, job)
        except (CccError, OSError) as error:
            self._finish(job, {"outcome": "agent_failed", "detail": str(error)})

    def _finish(self, job: Job, result: dict[str, Any]) -> None:
        del self.jobs[job.run]
        job.close()
        job.future.set_result(result)

    def _keep_lock(self, now: float) -> bool:
        """Return whether the worker has its lock; without it, its runs end after a while."""
        if self.lock.is_held():
            self._alone_since = 0.0
            return True
        self._alone_since = self._alone_since or now
        self._dead_since.clear()
        if self.lock.take():
            self.plan.tell("reconnected", 0, {})
            return True
        if now - self._alone_since > _ALONE_SECONDS:
            for job in self.jobs.values():
                job.stop(assignment.RELEASED)
        return False

    def _look(self, now: float) -> None:
        """Look at the database: what to cancel, take over, start and count."""
        claims = list(self.claims.values())
        if claims:
            self._stop_some(runs.lost(self.database, claims), assignment.LOST)
            self._stop_some(runs.cancelled(self.database, claims), "cancelled")
        for claim in self._unstarted[:]:
            self._begin(claim)
        self._take_over(now)
        if (free := self.plan.jobs - len(self.claims)) > 0:
            admitted = runs.admit(self.database, self._who(), free)
            for claim in admitted:
                self._begin(claim)
            self._was_drained = not admitted
        if now >= self._next_count:
            self._next_count = now + _COUNT_SECONDS
            for job in self.jobs.values():
                self._count(job)
            for name in janitor.clean(self.database, self.where):
                self.engine.forget(name)

    def _stop_some(self, numbers: set[int], outcome: str) -> None:
        for run in numbers & self.jobs.keys():
            self.jobs[run].stop(outcome)

    def _begin(self, claim: Claim) -> None:
        """Start or resume the workflow of a claimed run."""
        self.claims[claim.run] = claim
        if claim not in self._unstarted:
            self._unstarted.append(claim)
        self.engine.start(claim.run, claim.fence)
        self._unstarted.remove(claim)

    def _who(self) -> Who:
        """Return what this worker can run, by the current configuration."""
        config = ccc_json.read(self.where)
        hosts = {str(each["host"]) for each in locks.living(self.database, self.where)}
        return Who(
            self.lock.name,
            steps.host(),
            config.choose() if config.providers else "",
            providers=tuple(config.providers),
            living_hosts=hosts,
        )

    def _take_over(self, now: float) -> None:
        free = self.plan.jobs - len(self.claims)
        if free <= 0:
            return
        for run, worker in runs.of_dead_workers(self.database, self._is_dead, free):
            task = steps.task_of_run(self.database, run)
            if task is None or not (task.is_remote or task.host in ("", steps.host())):
                continue
            claim = runs.take_over(self.database, run, worker, Who(self.lock.name, steps.host()))
            if claim:
                self.plan.tell("taken_over", claim.task, {"worker": worker})
                self._begin(claim)

    def _is_dead(self, worker: str) -> bool:
        if worker == self.lock.name or locks.is_alive(self.database, self.where, worker):
            self._dead_since.pop(worker, None)
            return False
        since = self._dead_since.setdefault(worker, time.monotonic())
        return not self.database.is_shared or time.monotonic() - since > _DEAD_SECONDS

    def _count(self, job: Job) -> None:
        """Store what a run has cost so far."""
        record = run_record.find(self.where, job.worktree, job.session) if job.worktree else None
        claim = self.claims.get(job.run)
        if record is None or claim is None:
            return
        job.session = record.session
        cost = max(claim.cost_usd, record.cost_usd - claim.before_usd)
        if (cost, record.session) != (claim.cost_usd, claim.session):
            facts = {"session": record.session, "cost_source": record.cost_source}
            runs.count(self.database, claim, cost, **facts)
            self.claims[job.run] = replace(claim, cost_usd=cost, session=record.session)

    def _end(self) -> None:
        """Give the running tasks back, so that they go on later."""
        end_signals.handle(signal.SIG_IGN)
        self.is_stopping = True
        if self.claims:
            self.plan.tell("stopping", 0, {})
        until = time.monotonic() + _RELEASE_SECONDS
        while self.claims and time.monotonic() < until:
            for job in self.jobs.values():
                job.stop(assignment.RELEASED)
            self._receive()
            self._reap()
        spawn.end_all()
        try:
            self.engine.end()
            self.lock.release()
        except Exception:  # the database may be gone; a lock ends with the process anyway
            pass


def work(where: Paths, database: Database, plan: Plan) -> None:
    """Run a worker in this process."""
    Worker(where, database, plan).run()
