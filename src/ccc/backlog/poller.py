"""The part of a worker that waits for the queue: what to start, take over, stop and count."""

import contextlib
import math
import queue
import threading
import time
from functools import partial

from msgspec.structs import replace

from ccc.backlog import engine, janitor, locks, places, runs, settings, steps, task_run
from ccc.backlog.active_runs import ActiveRun, ActiveRuns
from ccc.backlog.admission import AdmissionObstacle, Who
from ccc.backlog.database import Database, is_unavailable
from ccc.backlog.runs import Claim
from ccc.config import ccc_json
from ccc.errors import CccError

_LOOK_SECONDS = 0.5
_LOCK_SECONDS = 1.0
_DEAD_SECONDS = 6.0
"""How long a lock in a shared database must be free: its worker may have lost the connection."""
_END_SECONDS = 2.0
_SURE_SECONDS = 2.5
_CLEAN_SECONDS = 60.0
_LONGEST_REST_SECONDS = 300.0  # however little changes: a clock may have been set


class Recheck:
    """Whether a worker that found nothing to start has to look again: thousands take long."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._seen: tuple[str, Who] | None = None
        self._began, self._began_at = time.monotonic(), time.time()
        self._rests_until = 0.0

    def is_due(self, who: Who) -> bool:
        """Return whether something may have changed since the worker rests; it looks then."""
        # before the look: what changes during it counts as new
        seen = (self._database.version(), who)
        if seen == self._seen and time.monotonic() < self._rests_until:
            return False
        self._seen, self._rests_until = seen, 0.0
        self._began, self._began_at = time.monotonic(), time.time()
        return True

    def rest(self) -> None:
        """Wait for a change, or for a moment when more may start: nothing could start now."""
        with self._database.read() as connection:
            rules = settings.load(connection)
            moment = runs.next_moment(connection, rules, self._began_at)
        seconds = moment - self._began_at if moment else _LONGEST_REST_SECONDS
        self._rests_until = self._began + min(seconds, _LONGEST_REST_SECONDS)


class Poller:
    """A thread that looks twice a second; it claims the runs."""

    def __init__(self, active: ActiveRuns) -> None:
        self.is_drained = False
        """Whether a worker that works once has nothing left."""
        self.is_lost = False
        """Whether the database was removed or replaced, so that nothing can be stored any more."""
        self.looking = threading.Lock()
        """Held during a look, which may admit runs."""
        self._active = active
        self._where, self._database = active.where, active.database
        self._options = active.options
        self._lock = locks.WorkerLock(self._database, self._where, self._options.jobs)
        self.name = self._lock.name
        self._held_at = time.monotonic()
        """When the lock was last seen to be held."""
        self._dead_since: dict[str, float] = {}
        self._problem = ""
        self._shortage: AdmissionObstacle | None = None
        self._recheck = Recheck(self._database)
        self._cleaned_at = -math.inf
        engine.launch(active, self.name)
        if self._database.is_shared:
            threading.Thread(target=self._keep_lock, daemon=True).start()

    @property
    def alone_seconds(self) -> float:
        """How long nobody knows whether the worker holds its lock; 0 if it is a file."""
        return time.monotonic() - self._held_at if self._database.is_shared else 0.0

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
            with contextlib.suppress(CccError):  # the database is gone; the screen stays as it is
                self._options.draw()
            self._wait()

    def _wait(self) -> None:
        """Wait for the next look, or for the end of a run."""
        seconds = _LOOK_SECONDS
        while True:
            try:
                run, error = self._active.finished.get(timeout=seconds)
            except queue.Empty:
                return
            seconds = 0.0
            ended = self._active.runs.pop(run, None)
            # a run that only lost the database stays open: the next look takes it over
            if ended and not self._active.is_stopping and not is_unavailable(error):
                steps.end_if_open(self._active, ended.claim)
                with contextlib.suppress(Exception):  # only to clean up
                    engine.delete(run)

    def _tell_problem(self, problem: str, is_final: bool = False) -> None:
        """Tell a problem with the database once, and its end."""
        if problem and problem != self._problem:
            self._options.tell("database_lost", 0, {"cause": problem, "is_final": is_final})
        elif self._problem and not problem:
            self._options.tell("database_back", 0, {})
        self._problem = problem

    def _keep_lock(self) -> None:
        """Look every second whether the lock in the database is held, and take it again."""
        while True:
            if self._lock.hold():
                self._held_at = time.monotonic()
            else:
                self._dead_since.clear()
            time.sleep(_LOCK_SECONDS)

    def _look(self) -> None:
        self._database.require_file()
        active = list(self._active.runs.values())
        for run in active:
            if run.is_executing and run.worktree:
                self._count(run)
        lost, cancelled = runs.check(self._database, [run.claim for run in active])
        for run in active:
            if run.claim.run in lost:
                run.stop(task_run.LOST)
            elif run.claim.run in cancelled:
                run.stop("cancelled")
            if not run.is_begun:
                self._begin(run)
        # without its lock, the worker would have to stop at once what it starts
        if not self._active.is_stopping and self.alone_seconds < _SURE_SECONDS:
            who = self._who()
            self._take_over(who)
            self._admit(who)
        if time.monotonic() - self._cleaned_at > _CLEAN_SECONDS:
            self._cleaned_at = time.monotonic()
            place = (self._database, self._where)
            threading.Thread(target=janitor.clean, args=place, daemon=True).start()

    @property
    def _free(self) -> int:
        """How many more runs this worker can have."""
        return self._options.jobs - len(self._active.runs)

    def _admit(self, who: Who) -> None:
        if self._free <= 0:
            return
        if self._recheck.is_due(who):
            admitted, shortage = runs.admit(self._database, who, self._free)
            if not admitted:
                self._recheck.rest()
            self._claim(admitted)
            if shortage and shortage != self._shortage:
                facts = {"needed_usd": shortage.needed_usd, "left_usd": shortage.left_usd}
                self._options.tell("budget_short", 0, facts)
            self._shortage = shortage
        self.is_drained = self._options.once and not self._active.runs

    def _claim(self, claims: list[Claim]) -> None:
        """Register all claims before the first one starts: that may fail."""
        new = {claim.run: ActiveRun(claim) for claim in claims}
        self._active.runs |= new
        for each in new.values():
            self._begin(each)

    def _begin(self, run: ActiveRun) -> None:
        """Start or resume the workflow of a claimed run."""
        # what another machine has prepared isn't here
        is_here = runs.task_of(self._database, run.claim).host == places.host()
        engine.start(self.name, run.claim, resumes=is_here)
        run.is_begun = True

    def _who(self) -> Who:
        """Return what this worker can run, by the current configuration."""
        config = ccc_json.read(self._where)
        workers = locks.find_living(self._database, self._where)
        names = tuple(config.providers)
        own = {each["name"]: each["providers"] for each in workers}.get(self.name)
        if own != list(names):
            self._lock.offer(names)
        return Who(
            self.name,
            places.host(),
            config.choose() if config.providers else "",
            providers=names,
            living_hosts={str(each["host"]) for each in workers} | {places.host()},
        )

    def _take_over(self, who: Who) -> None:
        if self._free <= 0:
            return
        for run, worker in runs.find_dead(self._database, self._is_dead, who):
            # one that this worker had lost may not have ended here yet
            if run in self._active.runs:
                continue
            if claim := runs.take_over(self._database, run, worker, who):
                if worker != self.name:
                    self._options.tell("taken_over", claim.task, {"worker": worker})
                self._claim([claim])
                if self._free <= 0:
                    return

    def _is_dead(self, worker: str, run: int) -> bool:
        """Return whether nobody works on a run: its worker is dead, or this one that forgot it."""
        if worker == self.name:
            return run not in self._active.runs
        if locks.is_alive(self._database, self._where, worker):
            self._dead_since.pop(worker, None)
            return False
        since = self._dead_since.setdefault(worker, time.monotonic())
        return not self._database.is_shared or time.monotonic() - since > _DEAD_SECONDS

    def _count(self, run: ActiveRun) -> None:
        """Store what a run has cost so far, and its dearest request once more.

        Another machine that takes the run over can't know what the request under way has cost.
        """
        claim = run.claim
        record = task_run.read_record(self._where, run.worktree, claim.session)
        if record is None:
            return
        spent = record.cost_usd - claim.before_usd
        run.request_usd = max(run.request_usd, spent + run.request_usd - claim.cost_usd)
        cost = max(claim.cost_usd, spent + run.request_usd)
        if cost != claim.cost_usd or not run.is_session_stored:
            facts = {"session": record.session, "cost_source": record.cost_source}
            runs.record_cost(self._database, claim, cost, **facts)
            run.claim = replace(claim, cost_usd=cost)
            run.is_session_stored = True

    def end(self) -> None:
        """Leave the database, unless it doesn't answer."""

        def leave() -> None:
            # a lock ends with the process anyway
            for action in (partial(engine.forget, self.name), self._lock.release):
                with contextlib.suppress(Exception):
                    action()

        thread = threading.Thread(target=leave, daemon=True)
        thread.start()
        thread.join(_END_SECONDS)
