"""The queue at one moment: tasks, limits, budget and workers, and what keeps each task."""

import contextlib
import os
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import sqlalchemy as sa
from msgspec import Struct, to_builtins

from ccc.backlog import database, locks, places, runs, settings, store
from ccc.backlog.admission import (
    FOR_ALL,
    ORPHANED,
    AdmissionObstacle,
    Capacity,
    Settings,
    Spent,
    Who,
)
from ccc.backlog.database import Database
from ccc.backlog.task import CANCELLED, COMPLETED, RUNNING, STATES, WAITING, QueuedTask
from ccc.config import ccc_json
from ccc.storage.journal import stamp
from ccc.storage.paths import Paths

_TIMES = ("created_at", "started_at", "ended_at")


class Snapshot(Struct, frozen=True):
    """What the list and the board show."""

    now: float
    tasks: list[QueuedTask]
    totals: dict[str, int]  # how many tasks are in each state, also those that aren't shown
    obstacles: dict[int, AdmissionObstacle]
    rules: Settings
    spent: Spent
    workers: list[dict[str, Any]]  # those that are running: name, host, pid, jobs, started_at
    frees_at: float = 0.0  # when the oldest cost leaves the last 24 hours; 0 if there is none

    def values(self) -> dict[str, Any]:
        """Return everything for `--json`."""
        return {
            "tasks": [self.task_values(each) for each in self.tasks],
            "more": sum(self.totals.values()) - len(self.tasks),
            "totals": self.totals,
            "workers": [{**each, "started_at": stamp(each["started_at"])} for each in self.workers],
            **rule_values(self),
        }

    def task_values(self, task: QueuedTask) -> dict[str, Any]:
        """Return a task for `--json`, with what keeps it."""
        waits_for = None
        if obstacle := self.obstacles.get(task.id):
            until = stamp(obstacle.until) if obstacle.until else None
            waits_for = {"reason": obstacle.name, "detail": obstacle.detail, "until": until}
        return task_values(task) | {"waits_for": waits_for}


@contextlib.contextmanager
def open_queue(where: Paths) -> Iterator[Database]:
    """Open the queue's database and close it afterwards."""
    opened = database.connect(where, os.environ)
    try:
        yield opened
    finally:
        opened.close()


def take(
    queue: Database, where: Paths, choose: Callable[[sa.Connection], list[QueuedTask]]
) -> Snapshot:
    """Look at the queue, and at the tasks that `choose` loads."""
    now = time.time()
    with queue.read() as connection:
        rules = settings.load(connection)
        tasks = choose(connection)
        capacity = runs.look(connection, rules, now)
        totals, spent = store.totals(connection), runs.spent(connection, now)
        frees_at = runs.budget_frees_at(connection, now)
    workers = locks.find_living(queue, where)
    living = {each["name"] for each in workers}
    # the next worker continues them
    orphans = (task for task in tasks if task.state == RUNNING and task.worker not in {"", *living})
    config, _ = ccc_json.try_load(where)
    default = config.choose() if config and config.providers else ""
    # this machine may get a worker any time
    hosts = {places.host(), *(str(each["host"]) for each in workers)}
    capacity.who = Who(default_provider=default, living_hosts=hosts)
    capacity.offered = {name for each in workers for name in each["providers"]}
    return Snapshot(
        now=now,
        tasks=tasks,
        totals=totals,
        obstacles=find_obstacles(tasks, capacity)
        | {task.id: AdmissionObstacle(ORPHANED) for task in orphans},
        rules=rules,
        spent=spent,
        workers=workers,
        frees_at=frees_at,
    )


def find_obstacles(tasks: Iterable[QueuedTask], capacity: Capacity) -> dict[int, AdmissionObstacle]:
    """Return what keeps each waiting task; they are in the order of their turns."""
    found: dict[int, AdmissionObstacle] = {}
    for_all: AdmissionObstacle | None = None
    for task in tasks:
        if task.state != WAITING:
            continue
        obstacle = capacity.obstacle(task) or for_all
        if obstacle is not None:
            found[task.id] = obstacle
            for_all = obstacle if obstacle.name in FOR_ALL else for_all
    return found


def task_values(task: QueuedTask) -> dict[str, Any]:
    """Return a task for `--json`; a time that hasn't come yet is null."""
    values = to_builtins(task)
    times = {name: stamp(values[name]) if values[name] else None for name in _TIMES}
    return {**values, **times, "branch": task.branch_name, "title": task.title}


def rule_values(snapshot: Snapshot) -> dict[str, Any]:
    """Return the pauses, limits and budget for `--json`."""
    rules, spent = snapshot.rules, snapshot.spent
    paused = {name: at for name, at in rules.paused_until.items() if at > snapshot.now}
    return {
        "paused": rules.is_paused,
        "paused_providers": {name: stamp(until) for name, until in paused.items()},
        "limits": {name: to_builtins(limit) for name, limit in rules.limits.items()},
        "budget": {
            **to_builtins(rules.budget),
            "used_today": spent.today - spent.reserved,
            "used": spent.total - spent.reserved,
            "reserved": spent.reserved,
            "left": rules.budget.left(spent),
            "frees_at": stamp(snapshot.frees_at) if snapshot.frees_at else None,
        },
        "keep_days": rules.keep_days,
    }


def open_and_last(connection: sa.Connection, most: int, ended: int = 0) -> list[QueuedTask]:
    """Return open and failed tasks, then others that ended last: so many, or up to `most`."""
    attention = [state for state in STATES if state not in (COMPLETED, CANCELLED)]
    tasks = store.load(connection, attention, most)
    room = most - len(tasks) if most else ended
    wanted = min(ended or room, room) if most else ended
    return tasks + (last_ended(connection, wanted) if wanted > 0 else [])


def last_ended(connection: sa.Connection, most: int) -> list[QueuedTask]:
    """Return the tasks that were completed or cancelled last, newest first."""
    states = (COMPLETED, CANCELLED)
    found = [task for state in states for task in store.load(connection, [state], most)]
    return sorted(found, key=lambda task: -task.ended_at)[:most]
