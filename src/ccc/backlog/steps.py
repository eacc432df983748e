"""The steps of a run, in threads of the engine: each may be repeated after a crash."""

import os
import sys
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ccc import words
from ccc.backlog import (
    assignment,
    delivery,
    forge,
    places,
    run_record,
    runs,
    task_project,
    worktree,
)
from ccc.backlog.child import Child, Command, Ended
from ccc.backlog.database import Database, is_unavailable
from ccc.backlog.run_record import RunRecord
from ccc.backlog.runs import Claim
from ccc.backlog.task import COMPLETED, FAILED, NEEDS_INPUT, WAITING, QueuedTask
from ccc.backlog.worktree import Checkout, Execute
from ccc.claude.formats import environment
from ccc.config import ccc_json
from ccc.errors import CccError
from ccc.sessions import tail
from ccc.storage.paths import Paths, own_program
from ccc.supervision.notifications import Notification
from ccc.system import private_files, terminal
from ccc.text import lenient_json, names

if TYPE_CHECKING:
    from ccc.backlog.looker import Looker
    from ccc.backlog.worker import QueueWorker, WorkerOptions


_RETRY_SECONDS = 1.0
_LONGEST_DETAIL = 4_000
_LAST_LINES = 3
_LONGEST_NAMES = 300

Result = dict[str, Any]


class Stopped(Exception):
    """The worker stopped a command: the task was cancelled, or the worker stops."""

    def __init__(self, outcome: str) -> None:
        super().__init__(outcome)
        self.outcome = outcome


class RunSteps:
    """What the engine calls."""

    def __init__(self, worker: "QueueWorker", looker: "Looker") -> None:
        self._worker = worker
        self._looker = looker
        self._database = looker.database
        self._where = looker.where

    def _claim(self, run: int) -> Claim:
        return self._looker.claims[run]

    def _task(self, run: int) -> QueuedTask:
        task: QueuedTask = self._persist(lambda: runs.task_of(self._database, self._claim(run)))
        return task

    def prepare(self, run: int) -> Result:
        """Create the task's worktree, unless it is on this machine already."""
        task = self._task(run)
        try:
            if task.pull_request and not forge.find_programs(os.environ):
                raise CccError("worker.no_forge", id=task.id)
            if task.host == places.host() and worktree.is_prepared(task.worktree, os.environ):
                return {}
            checkout = Checkout(task.worktree, task.branch, task.start)
            if task.host != places.host() or not task.worktree:
                checkout = worktree.plan(task, os.environ)
                self._note(run, checkout)

            execute = self._execute(run, task)
            self._note(run, worktree.create(task, checkout, os.environ, execute))
        except Stopped as stop:
            return {"problem": True, "outcome": stop.outcome}
        except CccError as error:
            is_setup = error.message == "worker.setup"
            outcome = assignment.NOT_SET_UP if is_setup else assignment.NOT_PREPARED
            return {"problem": True, "outcome": outcome, "detail": str(error)}
        return {}

    def _note(self, run: int, checkout: Checkout) -> None:
        facts = {"worktree": checkout.directory, "branch": checkout.branch, "start": checkout.start}
        self._persist(
            lambda: runs.record_cost(
                self._database,
                self._claim(run),
                self._claim(run).cost_usd,
                host=places.host(),
                **facts,
            )
        )

    def _execute(self, run: int, task: QueuedTask) -> Execute:
        """Return what runs a long command; it raises Stopped if the worker stops that."""

        def execute(
            line: Sequence[str], cwd: str, env: Mapping[str, str], seconds: float
        ) -> tuple[bool, str]:
            command = Command(run, task.id, line, cwd, env=env, seconds=seconds)
            ended = self._worker.start(Child(self._where, command))
            if ended.stopped:
                raise Stopped(ended.stopped)
            if ended.code is None and not ended.output:
                return False, f"> {seconds:g} s"
            return ended.code == 0, ended.output.strip()

        return execute

    def work(self, run: int) -> Result:
        """Run the agent until its run ends."""
        task, claim = self._task(run), self._claim(run)
        record = self._record(task, claim.session) or self._record(task, task.session)
        plan = assignment.assign(task, claim, record)
        if plan is None:
            # a worker that died then may not have counted everything
            is_ours = record and record.session == claim.session
            cost = {"cost_usd": record.cost_usd} if record and is_ours else {}
            return {"outcome": "completed", **cost}
        # a session with a name can be found, whenever the worker is killed
        session = plan.session or str(uuid.uuid4())
        claim = self._persist(
            lambda: runs.begin_session(self._database, claim, session, plan.session_usd)
        )
        self._looker.claims[run] = claim
        line = [*(self._worker.plan.program or (own_program(sys.argv[0]),)), "run", "--json"]
        line += plan.arguments
        try:
            if plan.text:
                line.append(f"--file={self._write(task, plan.text)}")
            log = places.log_file(self._where, task.id)
            config = ccc_json.read(self._where)
            project = task_project.directory(config, task)
            own = {"CCC_QUEUE_TASK": str(task.id), environment.SESSION: session}
            own[environment.REPOSITORY] = project
            env = places.env_of_run(os.environ) | own
            command = Command(run, task.id, line, task.worktree, env=env, log=log)
        except OSError as error:
            return {"outcome": "agent_failed", "detail": str(error)}
        facts = {"provider": claim.provider, "title": task.title, "continues": bool(plan.session)}
        facts["checks"] = task_project.list_checks(config, task)
        self._worker.plan.tell("started", task.id, facts)
        return _result(self._worker.start(Child(self._where, command)), log)

    def _record(self, task: QueuedTask, session: str) -> RunRecord | None:
        return run_record.read(self._where, task.worktree, session)

    def _write(self, task: QueuedTask, text: str) -> str:
        places.make_private(places.records(self._where))
        path = os.path.join(places.records(self._where), f"task-{task.id}.md")
        file = private_files.open_file(path, os.O_WRONLY | os.O_TRUNC)
        with open(file, "w", encoding="utf-8", errors="replace") as stream:
            stream.write(text)
        return path

    def deliver(self, run: int, result: Result) -> Result:
        """Measure the result; commit and push it if it is complete."""
        task = self._task(run)
        is_complete = result.get("outcome") == "completed"
        if not os.path.isdir(task.worktree):
            if is_complete:
                detail = words.say("worker.no_worktree", directory=task.worktree)
                result |= {"outcome": assignment.NOT_DELIVERED, "detail": detail}
            return result

        try:
            done = delivery.deliver(task, os.environ, self._execute(run, task), is_complete)
        except Stopped as stop:
            return {**result, "outcome": stop.outcome}
        except CccError as error:
            if not is_complete:
                return result
            return {**result, "outcome": assignment.NOT_DELIVERED, "detail": str(error)}
        if done.error:
            result |= {"outcome": _failure(done.error), "detail": str(done.error)}
        if done.changed_programs:
            names = ", ".join(done.changed_programs)[:_LONGEST_NAMES]
            facts = {"detail": names, "directory": task.worktree}
            self._worker.plan.tell("git_changed", task.id, facts)
            if assignment.state_after(result) != NEEDS_INPUT:
                said = words.say("worker.git_changed", id=task.id, **facts)
                result |= {"detail": "\n".join(filter(None, (result.get("detail"), said)))}
        size = done.size
        changed = {"commits": size.commits, "files": size.files, "pull_request_url": done.url}
        changed |= {"added": size.added, "removed": size.removed, "is_pushed": done.is_pushed}
        return {**result, "changes": changed, "branch": task.branch}

    def conclude(self, run: int, result: Result) -> None:
        """Store how the run ended; if another worker has it now, nothing."""
        claim = self._claim(run)
        outcome, until = result.get("outcome"), assignment.pause_until(result, time.time())
        if outcome == assignment.LOST:
            return
        state = assignment.state_after(result)
        detail = names.storable(str(result.get("detail") or ""))[:_LONGEST_DETAIL]
        facts = {**result.get("changes", {}), "outcome": str(outcome or ""), "detail": detail}
        for name in ("session", "cost_source"):
            if value := result.get(name):
                facts[name] = value
        change = {**facts, "state": state} | ({} if state == WAITING else {"message": ""})
        spent = result.get("cost_usd")
        cost = claim.cost_usd if spent is None else max(0.0, spent - claim.before_usd)
        if self._persist(lambda: runs.end(self._database, claim, cost, until, **change)):
            if outcome in assignment.WITHOUT_RUN:
                notify(self._where, claim.task, str(outcome), detail)
            told = {"cost_usd": cost, "until": until, "provider": claim.provider}
            told |= {"branch": result.get("branch", ""), **facts}
            self._worker.plan.tell(state, claim.task, told)

    def leave(self, run: int, error: Exception | None) -> None:
        """Tell the looker that nothing works on the run any more."""
        self._looker.leave(run, error)

    def _persist(self, action: Callable[[], Any]) -> Any:
        """Repeat the action until the database is there again."""
        while True:
            try:
                return action()
            except CccError as error:
                if not is_unavailable(error) or self._worker.is_stopping:
                    raise
                time.sleep(_RETRY_SECONDS)


def _failure(error: CccError) -> str:
    is_pushed = error.message in ("worker.forge", "worker.no_forge")
    return assignment.NO_REQUEST if is_pushed else assignment.NOT_DELIVERED


def _result(ended: Ended, log: str) -> Result:
    """Return the part of what `ccc run` printed that the queue needs."""
    raw = lenient_json.parse_object(ended.output) or {}
    outcome, detail = raw.get("outcome"), raw.get("detail")
    if ended.stopped and assignment.state_after(raw) not in (COMPLETED, NEEDS_INPUT):
        # whatever it failed with was because of that
        outcome, detail = ended.stopped, ""
    if not outcome:
        last_words = ended.output if ended.code is None else tail.last_words(log, _LAST_LINES)
        outcome, detail = "agent_failed", last_words or f"exit {ended.code}"
    cost, source = raw.get("cost_usd"), raw.get("cost_source")
    return {
        "outcome": outcome,
        "detail": detail or "",
        "session": raw.get("session_id") or "",
        "cost_usd": cost.get("total") if isinstance(cost, dict) else None,
        "cost_source": source.get("total") if isinstance(source, dict) else "",
        "api_status": raw.get("api_status") or 0,
        "limit_ends": raw.get("limit_ends") or 0,
    }


def notify(where: Paths, task: int, outcome: str, detail: str) -> None:
    """Notify the user of an end that no `ccc run` reports."""
    config = ccc_json.read(where)
    wish = config.supervisor.notify
    if wish:
        message = f"#{task}: {terminal.plain(detail)}"
        end = Notification(wish, outcome, "", message=message, project="", task=str(task))
        end.send(config, where, os.environ)


def end_if_open(database: Database, plan: "WorkerOptions", claim: Claim) -> None:
    """End a run whose workflow failed before it could do that."""
    facts: dict[str, Any] = {"outcome": "agent_failed", "detail": words.say("worker.unexpected")}
    try:
        if runs.end(database, claim, claim.cost_usd, state=FAILED, **facts):
            plan.tell(FAILED, claim.task, {**facts, "cost_usd": claim.cost_usd})
    except CccError:
        pass  # the database is gone; the looker finds the run again
