"""`ccc queue list|show`: all tasks in a table; everything about one, and how to go on with it."""

import argparse
import os
import shlex
import sys
import time
from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa

from ccc import words
from ccc.backlog import places, store, task_run, wording
from ccc.backlog.admission import BLOCKED, AdmissionObstacle
from ccc.backlog.snapshot import Snapshot, open_and_last, open_queue, take
from ccc.backlog.task import ENDED, FAILED, NEEDS_INPUT, STATES, WAITING, QueuedTask
from ccc.config import ccc_json
from ccc.model.outcome import OUTCOMES
from ccc.model.round import Diff
from ccc.storage import sessions
from ccc.storage.journal import stamp
from ccc.storage.paths import Paths, display_path
from ccc.system import terminal
from ccc.ui import formatting, table

_SHORT_COMMIT = 12
_ENDED_SHOWN = 10
_SHARED = {
    "session": "look.session",
    "cost": "look.cost_usd",
    "state": "queue.head_state",
    "checks": "report.checks",
    "feedback": "show.reviewers",
}
"""The labels that other commands have, too."""
_RUN_HEADINGS = ("started", "time", "provider", "worker", "outcome", "cost")


def list_tasks(where: Paths, options: argparse.Namespace) -> int:
    """Print the tasks."""
    most = options.n or 0

    def choose(connection: sa.Connection) -> list[QueuedTask]:
        if options.state or options.all:
            return store.load(connection, options.state, most)
        return open_and_last(connection, most, _ENDED_SHOWN)

    with open_queue(where) as queue:
        snapshot = take(queue, where, choose)
    if options.json:
        print(terminal.as_json(snapshot.values()))
    elif not sum(snapshot.totals.values()):
        print(terminal.fit(words.say("queue.empty"), sys.stdout))
    else:
        _print_list(snapshot, options)
    return 0


def _print_list(snapshot: Snapshot, options: argparse.Namespace) -> None:
    for line in wording.head(snapshot):
        print(terminal.fit(line, sys.stdout))
    if snapshot.tasks:
        print()
        rows = [wording.headings(), *(wording.row(snapshot, task) for task in snapshot.tasks)]
        table.print_rows(rows, wording.LEAST, [wording.styles(task) for task in snapshot.tasks])
    for task in snapshot.tasks:
        if task.state == NEEDS_INPUT:
            asked, command = wording.question(task)
            print("\n" + terminal.fit(terminal.plain(f"? {asked}"), sys.stdout))
            print(f"  {command}")
    of_states = options.state or STATES
    more = sum(snapshot.totals.get(state, 0) for state in of_states) - len(snapshot.tasks)
    if more > 0:
        print(words.say("look.more", n=more, command="ccc queue list --all"))
    if snapshot.totals.get(WAITING) and not snapshot.workers:
        print(terminal.fit(words.say("queue.start_worker"), sys.stdout))


def show(where: Paths, options: argparse.Namespace) -> int:
    """Print a task."""
    with open_queue(where) as queue:
        with queue.read() as connection:
            task = store.find(connection, options.id)
            runs = store.load_runs(connection, task.id)
        # what keeps it may depend on the tasks before it
        snapshot = take(queue, where, lambda c: store.load(c, [WAITING]))
    obstacle = snapshot.obstacles.get(task.id)
    commands = list(_commands(task, obstacle))
    if options.json:
        values = snapshot.task_values(task) | {
            "runs": [_run_values(each) for each in runs],
            "log": places.log_file(where, task.id),
            "commands": commands,
        }
        print(terminal.as_json(values))
        return 0
    _print_text(task)
    config, _ = ccc_json.try_load(where)
    checks = task_run.list_checks(config, task)
    _print_facts(_facts(task, obstacle, _last_feedback(where, task), checks))
    if runs:
        print()
        rows = [[words.say(wording.heading(name)) for name in _RUN_HEADINGS], *map(_run_row, runs)]
        table.print_rows(rows, {2: 6, 3: 8, 4: 9}, [{} for _ in runs])
    if commands:
        print("\n" + words.say("queue.go_on"))
        print("".join(f"  {terminal.plain(command)}\n" for command in commands), end="")
    return 0


def _run_values(run: dict[str, Any]) -> dict[str, Any]:
    times = {name: stamp(run[name]) if run[name] else None for name in ("started_at", "ended_at")}
    hidden = ("task", "fence", "before_usd")
    return {name: value for name, value in {**run, **times}.items() if name not in hidden}


def _print_text(task: QueuedTask) -> None:
    title = f"#{task.id} {terminal.plain(task.text)}"
    style = "bold" if sys.stdout.isatty() else ""
    first, _, rest = terminal.fit(title, sys.stdout).partition("\n")
    print(table.paint(first, style) + (f"\n{rest}" if rest else "") + "\n")


def _last_feedback(where: Paths, task: QueuedTask) -> str:
    """Return what the reviewer said last about a task that has reached a limit, if it is known."""
    if task.state != FAILED or not task.session or not OUTCOMES[task.outcome].is_limit:
        return ""
    state = sessions.load(where, task.session)
    return state.task.feedback[-1] if state and state.task.feedback else ""


def _print_facts(known: dict[str, str]) -> None:
    keys = {name: _SHARED.get(name, f"queue.of_{name}") for name in known}
    facts = [(words.label(keys[name]), value) for name, value in known.items() if value]
    wide = max(terminal.width(label) for label, _ in facts)
    room = (terminal.columns(sys.stdout) or 0) - wide - 2
    for label, value in facts:
        text = terminal.plain(value)
        parts = terminal.wrap(text, room) if room > 0 else text.split("\n")
        for number, part in enumerate(parts):
            lead = label if number == 0 else ""
            print(f"{lead}{' ' * (wide - terminal.width(lead))}  {part}".rstrip())


def _facts(
    task: QueuedTask, obstacle: AdmissionObstacle | None, feedback: str, checks: str
) -> dict[str, str]:
    """Return what may be known about the task: names of labels, and values."""
    branch = "queue.pushed" if task.is_pushed else ""
    if task.push and not task.is_pushed and not task.is_ended:
        branch = "queue.will_pr" if task.pull_request else "queue.will_push"
    limits = (words.count(name, value) for name, value in task.limits.items() if value)
    is_elsewhere = task.host and task.host != places.host()
    worktree = f"{task.host}:{task.worktree}" if is_elsewhere else display_path(task.worktree)
    change = ""
    if task.start and task.ended_at:
        change = formatting.diff(Diff(task.files, task.added, task.removed))
        commits = words.count("commits", task.commits)
        change = f"{commits} · {change}" if task.files else change
    return {
        "state": wording.state(task, obstacle),
        "detail": wording.detail(task.outcome, task.detail),
        "feedback": feedback,
        "message": task.message,
        "repo": display_path(task.repo),
        "branch": words.say(branch, branch=task.branch_name) if branch else task.branch_name,
        "base": task.base or task.start[:_SHORT_COMMIT],
        "providers": words.say("comma").join(task.providers),
        "checks": checks,
        "allow": "\n".join(task.allow),
        "limits": words.say("comma").join(limits),
        "setup": task.setup,
        "priority": str(task.priority) if task.priority else "",
        "after": words.say("comma").join(f"#{id_}" for id_ in task.after),
        "added": time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(task.created_at)),
        "worktree": worktree if task.worktree else "",
        "session": task.session,
        "cost": formatting.money(task.cost_usd, task.cost_source) if task.runs else "",
        "change": change,
        "pull_request": task.pull_request_url,
    }


def _run_row(run: dict[str, Any]) -> list[str]:
    end = run["ended_at"] or time.time()
    return [
        time.strftime("%m-%d %H:%M", time.localtime(run["started_at"])),
        formatting.clock(end - run["started_at"]),
        run["provider"] or "-",
        run["worker"],
        wording.outcome(run["outcome"]) or words.say("queue.state_running"),
        formatting.money(run["cost_usd"]),
    ]


def _commands(task: QueuedTask, obstacle: AdmissionObstacle | None) -> Iterator[str]:
    """Yield the commands with which the user goes on."""
    if task.state == NEEDS_INPUT:
        yield wording.question(task)[1]
    if obstacle and obstacle.name == BLOCKED:
        awaited = obstacle.detail
        yield from (f"ccc queue retry {awaited}", f"ccc queue rm {awaited} --force")
    is_here = task.host in ("", places.host())
    if task.session and is_here:
        yield from (f"ccc show {task.session}", f"ccc report {task.session}")
    if task.runs:
        yield f"ccc queue logs {task.id}"
    if task.state in ENDED and task.start and task.commits:
        yield from _git_commands(task, is_here)
    if task.state in ENDED and task.outcome != "completed":
        yield f"ccc queue retry {task.id}"
    outcome = OUTCOMES.get(task.outcome)
    if task.state == FAILED and outcome and (outcome.is_limit or outcome.name == "stuck"):
        yield wording.answer_command(task)


def _git_commands(task: QueuedTask, is_here: bool) -> Iterator[str]:
    branch, start = shlex.quote(task.branch_name), task.start[:_SHORT_COMMIT]
    if task.is_remote and task.is_pushed:
        yield f"git fetch {shlex.quote(task.repo)} {branch}"
        yield f"git log -p {start}..FETCH_HEAD"
        yield "git merge FETCH_HEAD"
    elif task.is_remote and is_here:
        # the result is in the clone only
        git = f"git -C {shlex.quote(task.worktree)}"
        yield f"{git} log -p {start}..{branch}"
        yield f"{git} push origin {branch}"
    elif not task.is_remote:
        here = os.path.join(os.path.realpath(os.curdir), "")
        is_inside = here.startswith(os.path.join(os.path.realpath(task.repo), ""))
        git = "git" if is_inside else f"git -C {shlex.quote(task.repo)}"
        yield f"{git} log -p {start}..{branch}"
        yield f"{git} merge {branch}"
