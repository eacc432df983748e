"""The part of a worker that looks into the database: what to start, take over, cancel and count."""

import queue
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from ccc.backlog import assignment, janitor, locks, places, run_record, runs, steps
from ccc.backlog.admission import AdmissionObstacle
from ccc.backlog.child import Child
from ccc.backlog.database import Database, is_unavailable
from ccc.backlog.engine import Engine
from ccc.backlog.recheck import Recheck
from ccc.backlog.runs import Claim, Who
from ccc.config import ccc_json
from ccc.errors import CccError
from ccc.storage.paths import Paths

if TYPE_CHECKING:
    from ccc.backlog.worker import QueueWorker


_LOOK_SECONDS = 0.5
_LOCK_SECONDS = 1.0
_DEAD_SECONDS = 6.0
"""How long a lock in a shared database must be free: its worker may have lost the connection."""
_END_SECONDS = 2.0
_SURE_SECONDS = 2.5


class Looker:
    """A thread that looks twice a second; it owns the claims."""

    def __init__(self, where: Paths, database: Database, worker: "QueueWorker") -> None:
        self.where = where
        self.database = database
        self.claims: dict[int, Claim] = {}
        self.is_drained = False
        """Whether a worker that works once has nothing left."""
        self.is_lost = False
        """Whether the database was removed or replaced, so that nothing can be stored any more."""
        self.looking = threading.Lock()
        """Held during a look, which may admit runs."""
        self._worker = worker
        self._plan = worker.plan
        self._lock = locks.WorkerLock(database, where, self._plan.jobs)
        self._held_at = time.monotonic()
        """When the lock was last seen to be held."""
        self._unstarted: list[Claim] = []
        self._left: queue.SimpleQueue[tuple[int, Exception | None]] = queue.SimpleQueue()
        self._dead_since: dict[str, float] = {}
        self._problem = ""
        self._shortage: AdmissionObstacle | None = None
        self._recheck = Recheck(database)
        self._engine = Engine(
            database, self._lock.name, steps.RunSteps(worker, self), jobs=self._plan.jobs
        )
        if database.is_shared:
            threading.Thread(target=self._keep_lock, daemon=True).start()

    @property
    def name(self) -> str:
        """The worker's name, which its tasks have."""
        return self._lock.name

    @property
    def has_runs(self) -> bool:
        """Whether the worker has runs that it can end."""
        return bool(self.claims) and not self.is_lost

    @property
    def alone_seconds(self) -> float:
        """How long nobody knows whether the worker holds its lock; 0 if it is a file."""
        return time.monotonic() - self._held_at if self.database.is_shared else 0.0

    def leave(self, run: int, error: Exception | None) -> None:
        """Note that nothing works on the run any more, and the error that ended it."""
        self._left.put((run, error))

    def run(self) -> None:
        """Look until the process ends."""
        while True:
            try:
                with self.looking:
                    self._look()
                self._tell_problem("")
            except CccError as error:
                is_final = error.message == "queue.database_gone"
                self._tell_problem(str(error), is_final)
                self.is_lost = self.is_lost or is_final
            self._draw()
            self._wait()

    def _wait(self) -> None:
        """Wait for the next look, or for the end of a run."""
        try:
            self._leave(*self._left.get(timeout=_LOOK_SECONDS))
            while True:
                self._leave(*self._left.get_nowait())
        except queue.Empty:
            pass

    def _leave(self, run: int, error: Exception | None) -> None:
        claim = self.claims.pop(run, None)
        if claim is None or self._worker.is_stopping:
            return
        # a run that only lost the database stays open: the next look takes it over
        if not is_unavailable(error):
            steps.end_if_open(self.database, self._plan, claim)
            self._quietly(lambda: self._engine.delete(claim.run, claim.fence))

    def _draw(self) -> None:
        try:
            self._plan.draw()
        except CccError:
            pass  # the database is gone; the screen stays as it is

    def _tell_problem(self, problem: str, is_final: bool = False) -> None:
        """Tell a problem with the database once, and its end."""
        if problem and problem != self._problem:
            self._plan.tell("database_lost", 0, {"cause": problem, "is_final": is_final})
        elif self._problem and not problem:
            self._plan.tell("database_back", 0, {})
        self._problem = problem

    def _keep_lock(self) -> None:
        """Look every second whether the lock in the database is held, and take it again."""
        while True:
            if self._lock.is_held() or self._lock.take():
                self._held_at = time.monotonic()
            else:
                self._dead_since.clear()
            time.sleep(_LOCK_SECONDS)

    def _look(self) -> None:
        self.database.require_file()
        for child in list(self._worker.children.values()):
            self._count(child)
        claims = list(self.claims.values())
        if claims:
            self._worker.stop(runs.find_lost(self.database, claims), assignment.LOST)
            self._worker.stop(runs.find_cancelled(self.database, claims), "cancelled")
        for claim in self._unstarted[:]:
            self._begin(claim)
        # without its lock, the worker would have to stop at once what it starts
        if not self._worker.is_stopping and self.alone_seconds < _SURE_SECONDS:
            who = self._who()
            self._take_over(who)
            self._admit(who)
        janitor.clean(self.database, self.where, self._engine.forget)

    def _admit(self, who: Who) -> None:
        free = self._plan.jobs - len(self.claims)
        if free <= 0:
            return
        if self._recheck.is_due(who):
            self._start_next(who, free)
        self.is_drained = self._plan.once and not self.claims

    def _start_next(self, who: Who, free: int) -> None:
        admitted, shortage = runs.admit(self.database, who, free)
        if not admitted:
            self._recheck.rest()
        self._claim(admitted)
        if shortage and shortage != self._shortage:
            facts = {"needed_usd": shortage.needed_usd, "left_usd": shortage.left_usd}
            self._plan.tell("budget_short", 0, facts)
        self._shortage = shortage

    def _claim(self, claims: list[Claim]) -> None:
        """Register all claims before the first one starts: that may fail."""
        for claim in claims:
            self.claims[claim.run] = claim
            self._unstarted.append(claim)
        for claim in claims:
            self._begin(claim)

    def _begin(self, claim: Claim) -> None:
        """Start or resume the workflow of a claimed run."""
        task = runs.task_of(self.database, claim)
        # what another machine has prepared isn't here
        is_here = task.host == places.host()
        self._engine.start(claim.run, claim.fence, resumes=is_here)
        self._unstarted.remove(claim)

    def _who(self) -> Who:
        """Return what this worker can run, by the current configuration."""
        config = ccc_json.read(self.where)
        workers = locks.find_living(self.database, self.where)
        names = tuple(config.providers)
        own = {each["name"]: each["providers"] for each in workers}.get(self._lock.name)
        if own != list(names):
            self._lock.offer(names)
        return Who(
            self._lock.name,
            places.host(),
            config.choose() if config.providers else "",
            providers=names,
            living_hosts={str(each["host"]) for each in workers} | {places.host()},
        )

    def _take_over(self, who: Who) -> None:
        free = self._plan.jobs - len(self.claims)
        if free <= 0:
            return
        for run, worker in runs.find_dead(self.database, self._is_dead, who):
            if free <= len(self._unstarted) or run in self.claims:
                continue
            claim = runs.take_over(self.database, run, worker, who)
            if claim:
                if worker != self._lock.name:
                    self._plan.tell("taken_over", claim.task, {"worker": worker})
                self._claim([claim])
                free -= 1
                if free <= 0:
                    return

    def _is_dead(self, worker: str, run: int) -> bool:
        """Return whether nobody works on a run: its worker is dead, or this one that forgot it."""
        if worker == self._lock.name:
            return run not in self.claims
        if locks.is_alive(self.database, self.where, worker):
            self._dead_since.pop(worker, None)
            return False
        since = self._dead_since.setdefault(worker, time.monotonic())
        return not self.database.is_shared or time.monotonic() - since > _DEAD_SECONDS

    def _count(self, child: Child) -> None:
        """Store what a run has cost so far, and its dearest request once more.

        Another machine that takes the run over can't know what the request under way has cost.
        """
        claim = self.claims.get(child.command.run)
        if claim is None:
            return
        record = run_record.read(self.where, child.command.cwd, claim.session)
        if record is None:
            return
        spent = record.cost_usd - claim.before_usd
        child.request_usd = max(child.request_usd, spent + child.request_usd - claim.cost_usd)
        cost = max(claim.cost_usd, spent + child.request_usd)
        if cost != claim.cost_usd or not child.is_known:
            facts = {"session": record.session, "cost_source": record.cost_source}
            runs.record_cost(self.database, claim, cost, **facts)
            self.claims[claim.run] = replace(claim, cost_usd=cost)
            child.is_known = True

    def end(self) -> None:
        """Leave the database, unless it doesn't answer."""

        def leave() -> None:
            self._quietly(self._engine.end)
            self._quietly(self._lock.release)

        # a lock ends with the process anyway
        thread = threading.Thread(target=leave, daemon=True)
        thread.start()
        thread.join(_END_SECONDS)

    @staticmethod
    def _quietly(action: Callable[[], object]) -> None:
        try:
            action()
        except Exception:
            pass  # only to clean up
