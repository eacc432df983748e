"""The steps of a run, in threads of the engine: each may be repeated after a crash."""

import os
import sys
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ccc import words
from ccc.backlog import (
    assignment,
    delivery,
    forge,
    places,
    runs,
    task_project,
    worktree,
)
from ccc.backlog.active_runs import ActiveRuns
from ccc.backlog.child import Command, Ended
from ccc.backlog.database import is_unavailable
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

    def __init__(self, active: ActiveRuns) -> None:
        self.active = active
        self._database = active.database
        self._where = active.where

    def _claim(self, run: int) -> Claim:
        return self.active.runs[run].claim

    def _task(self, run: int) -> QueuedTask:
        task: QueuedTask = self._persist(lambda: runs.task_of(self._database, self._claim(run)))
        return task

    def prepare(self, run: int) -> Result:
        """Create the task's worktree, unless it is on this machine already."""
        task = self._task(run)
        try:
            if task.pull_request and not forge.find_programs():
                raise CccError("worker.no_forge", id=task.id)
            if task.host == places.host() and worktree.is_prepared(task.worktree):
                return {}
            checkout = Checkout(task.worktree, task.branch, task.start)
            if task.host != places.host() or not task.worktree:
                checkout = worktree.plan(task)
                self._note(run, checkout)

            execute = self._execute(run, task)
            self._note(run, worktree.create(task, checkout, execute))
        except Stopped as stop:
            return {"problem": True, "outcome": stop.outcome}
        except CccError as error:
            is_setup = error.message == "worker.setup"
            outcome = assignment.NOT_SET_UP if is_setup else assignment.NOT_PREPARED
            return {"problem": True, "outcome": outcome, "detail": str(error)}
        return {}

    def _note(self, run: int, checkout: Checkout) -> None:
        facts = {"worktree": checkout.directory, "branch": checkout.branch, "start": checkout.start}
        claim = self._claim(run)
        self._persist(
            lambda: runs.record_cost(
                self._database, claim, claim.cost_usd, host=places.host(), **facts
            )
        )

    def _execute(self, run: int, task: QueuedTask) -> Execute:
        """Return what runs a long command; it raises Stopped if the run is stopped."""

        def execute(
            line: Sequence[str], cwd: str, env: Mapping[str, str], seconds: float
        ) -> tuple[bool, str]:
            ended = self.active.execute(Command(run, task.id, line, cwd, env=env, seconds=seconds))
            if outcome := self.active.runs[run].stop_outcome:
                raise Stopped(outcome)
            if ended.code is None and not ended.output:
                return False, f"> {seconds:g} s"
            return ended.code == 0, ended.output.strip()

        return execute

    def work(self, run: int) -> Result:
        """Run the agent until its run ends."""
        task, claim, active = self._task(run), self._claim(run), self.active.runs[run]
        record = self._record(task, claim.session) or self._record(task, task.session)
        order = assignment.assign(task, claim, record)
        if order is None:
            return {"outcome": "completed"}
        # a session with a name can be found, whenever the worker is killed
        session = order.session or str(uuid.uuid4())
        active.claim = self._persist(
            lambda: runs.begin_session(self._database, claim, session, order.session_usd)
        )
        active.worktree = task.worktree
        line = [*(self.active.options.program or (own_program(sys.argv[0]),)), "run", "--json"]
        line += order.arguments
        try:
            if order.text:
                places.make_private(places.records(self._where))
                path = os.path.join(places.records(self._where), f"task-{task.id}.md")
                private_files.write(path, order.text)
                line.append(f"--file={path}")
        except OSError as error:
            return {"outcome": "agent_failed", "detail": str(error)}
        config = ccc_json.read(self._where)
        own = {"CCC_QUEUE_TASK": str(task.id), environment.SESSION: session}
        own[environment.REPOSITORY] = task_project.directory(config, task)
        env, log = places.env_of_run(os.environ) | own, places.log_file(self._where, task.id)
        facts = {"provider": claim.provider, "title": task.title, "continues": bool(order.session)}
        facts["checks"] = task_project.list_checks(config, task)
        self.active.options.tell("started", task.id, facts)
        command = Command(run, task.id, line, task.worktree, env=env, log=log)
        return _result(self.active.execute(command), active.stop_outcome, log)

    def _record(self, task: QueuedTask, session: str) -> assignment.RunRecord | None:
        return assignment.read_record(self._where, task.worktree, session)

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
            done = delivery.deliver(task, self._execute(run, task), is_complete)
        except Stopped as stop:
            return {**result, "outcome": stop.outcome}
        except CccError as error:
            if not is_complete:
                return result
            return {**result, "outcome": assignment.NOT_DELIVERED, "detail": str(error)}
        if done.error:
            is_pushed = done.error.message in ("worker.forge", "worker.no_forge")
            outcome = assignment.NO_REQUEST if is_pushed else assignment.NOT_DELIVERED
            result |= {"outcome": outcome, "detail": str(done.error)}
        if done.changed_programs:
            names = ", ".join(done.changed_programs)[:_LONGEST_NAMES]
            facts = {"detail": names, "directory": task.worktree}
            self.active.options.tell("git_changed", task.id, facts)
            if assignment.state_after(result) != NEEDS_INPUT:
                said = words.say("worker.git_changed", id=task.id, **facts)
                result |= {"detail": "\n".join(filter(None, (result.get("detail"), said)))}
        return {**result, "changes": done.changes, "branch": task.branch}

    def conclude(self, run: int, result: Result) -> None:
        """Store how the run ended; if another worker has it now, nothing."""
        claim, task = self._claim(run), self._task(run)
        outcome, until = result.get("outcome"), assignment.pause_until(result, time.time())
        if outcome == assignment.LOST:
            return
        state = assignment.state_after(result)
        detail = names.storable(str(result.get("detail") or ""))[:_LONGEST_DETAIL]
        facts = {**result.get("changes", {}), "outcome": str(outcome or ""), "detail": detail}
        cost = claim.cost_usd
        if record := self._record(task, claim.session):
            cost = max(0.0, record.cost_usd - claim.before_usd)
            facts |= {"session": record.session, "cost_source": record.cost_source}
        change = {**facts, "state": state} | ({} if state == WAITING else {"message": ""})
        if self._persist(lambda: runs.end(self._database, claim, cost, until, **change)):
            if outcome in assignment.WITHOUT_RUN:
                notify(self._where, claim.task, str(outcome), detail)
            told = {"cost_usd": cost, "until": until, "provider": claim.provider}
            told |= {"branch": result.get("branch", ""), **facts}
            self.active.options.tell(state, claim.task, told)

    def _persist(self, action: Callable[[], Any]) -> Any:
        """Repeat the action until the database is there again."""
        while True:
            try:
                return action()
            except CccError as error:
                if not is_unavailable(error) or self.active.is_stopping:
                    raise
                time.sleep(_RETRY_SECONDS)


def _result(ended: Ended, stop_outcome: str, log: str) -> Result:
    """Return how `ccc run` ended, by what it printed."""
    raw = lenient_json.parse_object(ended.output) or {}
    outcome, detail = raw.get("outcome"), raw.get("detail")
    if stop_outcome and assignment.state_after(raw) not in (COMPLETED, NEEDS_INPUT):
        # whatever it failed with was because of that
        outcome, detail = stop_outcome, ""
    if not outcome:
        last_words = ended.output if ended.code is None else tail.last_words(log, _LAST_LINES)
        outcome, detail = "agent_failed", last_words or f"exit {ended.code}"
    facts = {name: raw.get(name) or 0 for name in ("api_status", "limit_ends")}
    return {"outcome": outcome, "detail": detail or "", **facts}


def notify(where: Paths, task: int, outcome: str, detail: str) -> None:
    """Notify the user of an end that no `ccc run` reports."""
    config = ccc_json.read(where)
    wish = config.supervisor.notify
    if wish:
        message = f"#{task}: {terminal.plain(detail)}"
        end = Notification(wish, outcome, "", message=message, project="", task=str(task))
        end.send(config, where, os.environ)


def end_if_open(active: ActiveRuns, claim: Claim) -> None:
    """End a run whose workflow failed before it could do that."""
    facts: dict[str, Any] = {"outcome": "agent_failed", "detail": words.say("worker.unexpected")}
    try:
        if runs.end(active.database, claim, claim.cost_usd, state=FAILED, **facts):
            active.options.tell(FAILED, claim.task, {**facts, "cost_usd": claim.cost_usd})
    except CccError:
        pass  # the database is gone; the poller finds the run again
