"""The steps of a run, in threads of the engine: each may be repeated after a crash."""

import os
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ccc import words
from ccc.backlog import delivery, places, runs, task_run, worktree
from ccc.backlog.active_runs import ActiveRuns, Command
from ccc.backlog.database import is_unavailable
from ccc.backlog.runs import Claim
from ccc.backlog.task import COMPLETED, FAILED, NEEDS_INPUT, WAITING, QueuedTask
from ccc.claude.formats import environment
from ccc.config import ccc_json
from ccc.errors import CccError
from ccc.sessions import record_file
from ccc.storage import files
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
    """The steps of one run."""

    def __init__(self, active: ActiveRuns, run: int) -> None:
        self._active = active
        self._run = active.runs[run]
        self._database, self._where = active.database, active.where

    def _task(self) -> QueuedTask:
        task: QueuedTask = self._persist(lambda: runs.task_of(self._database, self._run.claim))
        return task

    def prepare(self) -> Result:
        """Create the task's worktree, unless it is on this machine already."""
        task = self._task()
        is_here = task.host == places.host()
        try:
            if task.pull_request and not delivery.find_forges():
                raise CccError("worker.no_forge", id=task.id)
            if is_here and worktree.is_prepared(task.worktree):
                return {}
            if not is_here or not task.worktree:
                task = worktree.plan(task)
                self._note(task)
            self._note(worktree.create(task, self._execute))
        except Stopped as stop:
            return {"problem": True, "outcome": stop.outcome}
        except CccError as error:
            is_setup = error.message == "worker.setup"
            outcome = task_run.NOT_SET_UP if is_setup else task_run.NOT_PREPARED
            return {"problem": True, "outcome": outcome, "detail": str(error)}
        return {}

    def _note(self, task: QueuedTask) -> None:
        place = {name: getattr(task, name) for name in ("worktree", "branch", "start")}
        claim, host = self._run.claim, places.host()
        self._persist(
            lambda: runs.record_cost(self._database, claim, claim.cost_usd, host=host, **place)
        )

    def _execute(
        self, line: Sequence[str], cwd: str, env: Mapping[str, str], seconds: float
    ) -> tuple[bool, str]:
        """Run a command that may take long; raise Stopped if the run is stopped."""
        code, output = self._active.execute(self._run, Command(line, cwd, env, seconds))
        if outcome := self._run.stop_outcome:
            raise Stopped(outcome)
        if code is None and not output:
            return False, f"> {seconds:g} s"
        return code == 0, output.strip()

    def work(self) -> Result:
        """Run the agent until its run ends."""
        task, run = self._task(), self._run
        record = self._record(task, run.claim.session) or self._record(task, task.session)
        order = task_run.assign(task, run.claim, record)
        if order is None:
            return {"outcome": "completed"}
        # a session with a name can be found, whenever the worker is killed
        session, claim = order.session or str(uuid.uuid4()), run.claim
        run.claim = self._persist(
            lambda: runs.begin_session(self._database, claim, session, order.session_usd)
        )
        run.worktree = task.worktree
        program = self._active.options.program or (own_program(),)
        line = [*program, "run", "--json", *order.arguments]
        if order.text:
            path = os.path.join(places.records(self._where), f"task-{task.id}.md")
            try:
                files.make_directory(os.path.dirname(path))
                private_files.write(path, order.text)
            except (OSError, CccError) as error:
                return {"outcome": "agent_failed", "detail": str(error)}
            line.append(f"--file={path}")
        config = ccc_json.read(self._where)
        own = {"CCC_QUEUE_TASK": str(task.id), environment.SESSION: session}
        own[environment.REPOSITORY] = task_run.project_of(config, task)
        env, log = places.env_of_run(os.environ) | own, places.log_file(self._where, task.id)
        facts = {"provider": claim.provider, "title": task.title, "continues": bool(order.session)}
        facts["checks"] = task_run.list_checks(config, task)
        self._active.options.tell("started", task.id, facts)
        code, output = self._active.execute(run, Command(line, task.worktree, env, log=log))
        return _result(code, output, run.stop_outcome, log)

    def _record(self, task: QueuedTask, session: str) -> task_run.RunRecord | None:
        return task_run.read_record(self._where, task.worktree, session)

    def deliver(self, result: Result) -> Result:
        """Measure the result; commit and push it if it is complete."""
        task = self._task()
        is_complete = result.get("outcome") == "completed"
        if not os.path.isdir(task.worktree):
            if is_complete:
                detail = words.say("worker.no_worktree", directory=task.worktree)
                result |= {"outcome": task_run.NOT_DELIVERED, "detail": detail}
            return result
        try:
            done = delivery.deliver(task, self._execute, is_complete)
        except Stopped as stop:
            return {**result, "outcome": stop.outcome}
        except CccError as error:
            if not is_complete:
                return result
            return {**result, "outcome": task_run.NOT_DELIVERED, "detail": str(error)}
        if done.error:
            is_pushed = done.error.message in ("worker.forge", "worker.no_forge")
            outcome = task_run.NO_REQUEST if is_pushed else task_run.NOT_DELIVERED
            result |= {"outcome": outcome, "detail": str(done.error)}
        if done.changed_programs:
            names = ", ".join(done.changed_programs)[:_LONGEST_NAMES]
            facts = {"detail": names, "directory": task.worktree}
            self._active.options.tell("git_changed", task.id, facts)
            if task_run.state_after(result) != NEEDS_INPUT:
                said = words.say("worker.git_changed", id=task.id, **facts)
                result |= {"detail": "\n".join(filter(None, (result.get("detail"), said)))}
        return {**result, "changes": done.changes, "branch": task.branch}

    def conclude(self, result: Result) -> None:
        """Store how the run ended; if another worker has it now, nothing."""
        claim, task = self._run.claim, self._task()
        outcome, until = result.get("outcome"), task_run.pause_until(result, time.time())
        if outcome == task_run.LOST:
            return
        state = task_run.state_after(result)
        detail = names.storable(str(result.get("detail") or ""))[:_LONGEST_DETAIL]
        facts = {**result.get("changes", {}), "outcome": str(outcome or ""), "detail": detail}
        cost = claim.cost_usd
        if record := self._record(task, claim.session):
            cost = max(0.0, record.cost_usd - claim.before_usd)
            facts |= {"session": record.session, "cost_source": record.cost_source}
        change = {**facts, "state": state} | ({} if state == WAITING else {"message": ""})
        if self._persist(lambda: runs.end(self._database, claim, cost, until, **change)):
            if outcome in task_run.WITHOUT_RUN:
                _notify(self._where, claim.task, str(outcome), detail)
            told = {"cost_usd": cost, "until": until, "provider": claim.provider}
            told |= {"branch": result.get("branch", ""), **facts}
            self._active.options.tell(state, claim.task, told)

    def _persist(self, action: Callable[[], Any]) -> Any:
        """Repeat the action until the database is there again."""
        while True:
            try:
                return action()
            except CccError as error:
                if not is_unavailable(error) or self._active.is_stopping:
                    raise
                time.sleep(_RETRY_SECONDS)


def _result(code: int | None, output: str, stop_outcome: str, log: str) -> Result:
    """Return how `ccc run` ended, by what it printed."""
    raw = lenient_json.parse_object(output) or {}
    outcome, detail = raw.get("outcome"), raw.get("detail")
    if stop_outcome and task_run.state_after(raw) not in (COMPLETED, NEEDS_INPUT):
        # whatever it failed with was because of that
        outcome, detail = stop_outcome, ""
    if not outcome:
        last_words = output if code is None else record_file.last_words(log, _LAST_LINES)
        outcome, detail = "agent_failed", last_words or f"exit {code}"
    facts = {name: raw.get(name) or 0 for name in ("api_status", "limit_ends")}
    return {"outcome": outcome, "detail": detail or "", **facts}


def _notify(where: Paths, task: int, outcome: str, detail: str) -> None:
    """Notify the user of an end that no `ccc run` reports."""
    config = ccc_json.read(where)
    if wish := config.supervisor.notify:
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
