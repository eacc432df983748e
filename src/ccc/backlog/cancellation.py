"""Cancel tasks, by command and on the page."""

import time
from collections.abc import Callable

import sqlalchemy as sa

from ccc.backlog import store
from ccc.backlog.tables import RUNS
from ccc.backlog.task import CANCELLED, RUNNING, QueuedTask


def cancel(connection: sa.Connection, task: QueuedTask, is_alive: Callable[[str], bool]) -> None:
    """Cancel a task; its worker ends a running one, but nobody would if the worker is dead."""
    if task.state == RUNNING and not is_alive(task.worker):
        _end(connection, task)
    else:
        store.cancel(connection, task)


def _end(connection: sa.Connection, task: QueuedTask) -> None:
    """Cancel a task whose worker is dead; what it has cost so far stays counted."""
    now = time.time()
    run = sa.update(RUNS).where(RUNS.c.id == task.run, RUNS.c.ended_at.is_(None))
    values = {"ended_at": now, "outcome": CANCELLED, "fence": RUNS.c.fence + 1}
    connection.execute(run.values(values))
    changes = {"state": CANCELLED, "outcome": CANCELLED, "worker": "", "is_cancelled": False}
    store.update(connection, task.id, ended_at=now, **changes)
