"""The steps of a run, in threads of the engine; only `start` is called by the main thread."""

import os
import sys
import time
from collections.abc import Callable
from typing import Any

import sqlalchemy as sa

from ccc import words
from ccc.backlog import assignment, delivery, places, run_record, runs, settings, store, worktree
from ccc.backlog.database import Database
from ccc.backlog.job import Job
from ccc.backlog.runs import Claim
from ccc.backlog.tables import RUNS
from ccc.backlog.task import FAILED, WAITING, Task
from ccc.backlog.worktree import Place
from ccc.config import ccc_json
from ccc.errors import CccError
from ccc.storage.paths import Paths, own_program
from ccc.supervision.notifications import Notification
from ccc.system import terminal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ccc.backlog.worker import Worker

_RETRY_SECONDS = 1.0
_LONGEST_DETAIL = 4_000

Result = dict[str, Any]


class Steps:
    """What the engine calls."""

    def __init__(self, worker: "Worker") -> None:
        self._worker = worker
        self._database = worker.database

    def prepare(self, run: int) -> Result:
        """Create the task's worktree, unless it is on this machine already."""
        claim = self._worker.claims[run]
        task = self._persist(lambda: runs.task_of(self._database, claim))
        try:
            if task.host == host() and worktree.is_ready(task.worktree, os.environ):
                return {}
            has_plan = task.host == host() and task.worktree and task.start
            place = Place(task.worktree, task.branch, task.start)
            if not has_plan:
                place = worktree.plan(task, os.environ)
                self._note(run, place)
            self._note(run, worktree.create(task, place, os.environ))
        except CccError as error:
            return {"problem": True, "outcome": assignment.NOT_PREPARED, "detail": str(error)}
        return {}

    def _note(self, run: int, place: Place) -> None:
        claim = self._worker.claims[run]
        facts = {"worktree": place.directory, "branch": place.branch, "start": place.start}
        self._persist(
            lambda: runs.count(self._database, claim, claim.cost_usd, host=host(), **facts)
        )

    def work(self, run: int) -> Result:
        """Let the main thread run the agent, and wait for its end."""
        claim = self._worker.claims[run]
        task = self._persist(lambda: runs.task_of(self._database, claim))
        job = Job(self._worker.where, run, claim.task)
        job.session, job.worktree = task.session, task.worktree
        self._worker.inbox.put(("job", job))
        return _small(job.future.result())

    def deliver(self, run: int, result: Result) -> Result:
        """Measure the result; commit and push it if it is complete."""
        claim = self._worker.claims[run]
        task = self._persist(lambda: runs.task_of(self._database, claim))
        if not os.path.isdir(task.worktree):
            return result
        url, is_pushed = task.pull_request_url, False
        try:
            if result.get("outcome") == "completed":
                delivery.commit(task, os.environ)
                if task.push:
                    delivery.push(task, os.environ)
                    is_pushed = True
                if task.pull_request and not url:
                    url = delivery.open_pull_request(task, os.environ)
        except CccError as error:
            result |= {"outcome": assignment.NOT_DELIVERED, "detail": str(error)}
        size = delivery.measure(task, os.environ)
        changed = {"commits": size.commits, "files": size.files, "pull_request_url": url}
        changed |= {"added": size.added, "removed": size.removed, "is_pushed": is_pushed}
        return {**result, "changes": changed}

    def conclude(self, run: int, result: Result) -> None:
        """Store how the run ended; if another worker has it now, nothing."""
        claim = self._worker.claims[run]
        outcome, until = result.get("outcome"), assignment.pause_until(result, time.time())
        if outcome == assignment.LOST:
            return
        state = assignment.state_after(result)
        facts = {
            **result.get("changes", {}),
            "state": state,
            "outcome": str(outcome or ""),
            "detail": str(result.get("detail") or "")[:_LONGEST_DETAIL],
        }
        if session := result.get("session"):
            facts["session"] = session
        if source := result.get("cost_source"):
            facts["cost_source"] = source
        if state != WAITING:
            facts["message"] = ""
        spent = result.get("cost_usd")
        cost = claim.cost_usd if spent is None else max(0.0, spent - claim.before_usd)
        if self._persist(lambda: runs.end(self._database, claim, cost, **facts)):
            if until:
                self._persist(lambda: self._pause(claim.provider, until))
            if outcome in (assignment.NOT_PREPARED, assignment.NOT_DELIVERED):
                notify(self._worker.where, claim.task, str(outcome), facts["detail"])
            told = {**facts, "cost_usd": cost, "until": until, "provider": claim.provider}
            self._worker.plan.tell(state, claim.task, told)

    def _pause(self, provider: str, until: float) -> None:
        with self._database.change() as connection:
            settings.pause_provider(connection, provider, until)

    def leave(self, run: int) -> None:
        """Tell the main thread that nothing works on the run any more."""
        self._worker.inbox.put(("left", run))

    def _persist(self, action: Callable[[], Any]) -> Any:
        """Repeat the action until the database is there again."""
        while True:
            try:
                return action()
            except CccError as error:
                if error.message != "queue.database" or self._worker.is_stopping:
                    raise
                time.sleep(_RETRY_SECONDS)


def start(worker: "Worker", job: Job) -> None:
    """Start the child of a job, or find out that there is nothing to run."""
    claim = worker.claims[job.run]
    task = runs.task_of(worker.database, claim)
    record = run_record.find(worker.where, task.worktree, task.session)
    plan = assignment.assign(task, claim, record)
    if plan is None:
        job.skip({"outcome": "completed"})
        return
    claim = runs.begin_session(worker.database, claim, plan.session, plan.session_usd)
    worker.claims[job.run] = claim
    program = worker.plan.program or (own_program(sys.argv[0]),)
    if job.start(program, plan, task.worktree, os.environ):
        facts = {"provider": claim.provider, "text": task.title, "goes_on": bool(plan.session)}
        worker.plan.tell("started", task.id, facts)


def notify(where: Paths, task: int, outcome: str, detail: str) -> None:
    """Notify the user of an end that no `ccc run` reports."""
    config = ccc_json.read(where)
    wish = config.supervisor.notify
    if wish:
        message = f"#{task}: {terminal.plain(detail)}"
        end = Notification(wish, outcome, "", message=message, project="", task=str(task))
        end.send(config, where, os.environ)


def end_if_open(worker: "Worker", claim: Claim) -> None:
    """End a run whose workflow failed before it could do that; not while the worker stops."""
    if worker.is_stopping:
        return
    facts = {"state": FAILED, "outcome": "agent_failed", "detail": words.say("worker.unexpected")}
    try:
        if runs.end(worker.database, claim, claim.cost_usd, **facts):
            worker.plan.tell(FAILED, claim.task, facts)
    except CccError:
        pass  # the database is gone; the run is taken over when this worker has ended


def _small(result: Result) -> Result:
    """Return the part of a run's result that the queue needs."""
    cost, source = result.get("cost_usd"), result.get("cost_source")
    return {
        "outcome": result.get("outcome"),
        "detail": result.get("detail") or "",
        "session": result.get("session_id") or "",
        "cost_usd": cost.get("total") if isinstance(cost, dict) else None,
        "cost_source": source.get("total") if isinstance(source, dict) else "",
        "api_status": result.get("api_status") or 0,
        "limit_ends": result.get("limit_ends") or 0,
    }


def host() -> str:
    """Return the name of this machine."""
    return places.host()


def task_of_run(database: Database, run: int) -> Task | None:
    """Return the task of a run."""
    with database.read() as connection:
        query = sa.select(RUNS.c.task).where(RUNS.c.id == run)
        id_ = connection.execute(query).scalar()
        return store.get(connection, id_) if id_ is not None else None
