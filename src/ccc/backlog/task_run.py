"""The `ccc run` of a task: its project, its command line, and what its end means for the task."""

import os
from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ccc import words
from ccc.backlog.admission import allowance
from ccc.backlog.runs import Claim
from ccc.backlog.task import CANCELLED, COMPLETED, FAILED, NEEDS_INPUT, WAITING, QueuedTask
from ccc.config import projects
from ccc.config.schema import Check, Config
from ccc.project import checks, git
from ccc.storage import sessions
from ccc.storage.paths import Paths

RELEASED, LOST = "released", "lost"
NOT_DELIVERED, NO_REQUEST = "not_delivered", "no_request"
NOT_PREPARED, NOT_SET_UP = "not_prepared", "not_set_up"
WITHOUT_RUN = (NOT_DELIVERED, NO_REQUEST, NOT_PREPARED, NOT_SET_UP)
"""Outcomes besides those of `ccc run`: the worker stopped, another worker has the run, the result
could not be pushed, or no pull request opened, there is no worktree, its setup failed. `ccc run`
reports none of `WITHOUT_RUN`."""
_CONTINUED = ("", "interrupted", "needs_user", "plan", "agent_failed", "not_judged", "cut_off")
"""The outcomes after which the same session goes on; after others a new one looks at the work."""
_RATE_LIMIT = 429
_PAUSE_SECONDS = 300.0  # how long a provider is left alone if it doesn't say when its limit ends
_SHORTEST_PAUSE, _LONGEST_PAUSE = 30.0, 7 * 86_400.0


class RunRecord(Struct, frozen=True):
    """A run, as far as it is."""

    session: str
    provider: str
    outcome: str
    cost_usd: float
    cost_source: str


def read_record(where: Paths, worktree: str, session: str) -> RunRecord | None:
    """Return the run of a session in the worktree; None if there is none on this machine."""
    state = sessions.load(where, session) if session else None
    run = state.run if state else None
    if state is None or run is None or run.cwd != worktree:
        return None
    cost = state.task.cost_usd + run.turn_cost_usd
    source = state.task.cost_source or run.turn_cost_source
    return RunRecord(session, state.provider, run.outcome, cost, source)


class RunOrder(Struct, frozen=True):
    """How to start the run of a task."""

    arguments: tuple[str, ...]
    text: str  # the task or the answer, which the run reads from a file; empty if there is none
    session: str = ""  # the session that goes on; empty for a new one
    session_usd: float = 0.0  # what that session has cost


def assign(task: QueuedTask, claim: Claim, record: RunRecord | None) -> RunOrder | None:
    """Return how to run the task; None if the work is done and only has to be delivered."""
    if record and record.outcome == "completed" and not task.message:
        return None
    known = record if record and _goes_on(task, claim, record) else None
    session_usd = known.cost_usd if known else 0.0
    limits = dict(task.limits)
    # what the run has spent before a takeover is gone
    reserved = max(0.01, claim.reserved_usd - claim.cost_usd) if claim.reserved_usd else 0.0
    if most := reserved or allowance(task):
        limits["max_cost_usd"] = most + session_usd
    # the queue lets another provider or task have its turn meanwhile
    arguments = ["--no-wait"]
    arguments += [f"--{name.replace('_', '-')}={value:g}" for name, value in limits.items()]
    if claim.provider:
        arguments.append(f"--provider={claim.provider}")
    arguments += [f"--allow={rule}" for rule in task.allow]
    if known:
        return RunOrder(("--continue", *arguments), task.message, known.session, session_usd)
    arguments += [f"--check={command}" for command in task.checks]
    return RunOrder(tuple(arguments), _text(task, has_begun=record is not None or task.runs > 1))


def _goes_on(task: QueuedTask, claim: Claim, record: RunRecord) -> bool:
    """Return whether the same session goes on; it can't with another provider."""
    is_same = not claim.provider or record.provider in ("", claim.provider)
    return is_same and record.outcome in _CONTINUED


def _text(task: QueuedTask, has_begun: bool) -> str:
    parts = [task.text]
    if task.message:
        parts.append(words.say("worker.answered", answer=task.message))
    if has_begun:
        parts.append(words.say("worker.begun"))
    return "\n\n".join(parts)


def state_after(result: Mapping[str, Any]) -> str:
    """Return the state of a task whose run has ended so."""
    match result.get("outcome"):
        case "completed":
            return COMPLETED
        case "needs_user" | "plan":
            return NEEDS_INPUT
        case "cancelled":
            return CANCELLED
        case "released":
            return WAITING
    return WAITING if pause_until(result, 0.0) else FAILED


def pause_until(result: Mapping[str, Any], now: float) -> float:
    """Return until when the provider takes no more requests; 0 if that isn't why the run ended."""
    if result.get("outcome") != "agent_failed":
        return 0.0
    ends = result.get("limit_ends")
    if isinstance(ends, int | float) and ends > 0:
        # another machine's clock may be wrong
        return min(max(float(ends), now + _SHORTEST_PAUSE), now + _LONGEST_PAUSE)
    return now + _PAUSE_SECONDS if result.get("api_status") == _RATE_LIMIT else 0.0


def project_of(config: Config, task: QueuedTask) -> str:
    """Return the task's repository on this machine, or the project that was cloned from it.

    Its settings apply, whatever the agent does to the worktree.
    """
    if not task.is_remote:
        return task.repo if os.path.isdir(task.repo) else ""
    for path in filter(os.path.isdir, map(os.path.expanduser, config.projects)):
        origin = git.ask(path, "config", "--get", "remote.origin.url")
        if _address(os.fsdecode(origin or b"")) == _address(task.repo):
            return path
    return ""


def _address(url: str) -> str:
    return url.strip().removesuffix("/").removesuffix(".git")


def list_checks(config: Config | None, task: QueuedTask) -> str:
    """List the checks of a task: those of its project, and its own."""
    if config is None:
        return ""
    project = project_of(config, task)
    config = projects.apply(config, project) if project else config
    rules = config.supervisor
    rules = replace(rules, checks=(*rules.checks, *map(Check, task.checks)))
    # the commit from which the task starts, and its setup, decide what can run
    shown = "" if rules.checks else project
    return checks.list_checks(replace(config, supervisor=rules), shown)
