"""Remove what nobody needs any more: worktrees of completed tasks, traces of dead workers."""

import os
import time

import sqlalchemy as sa

from ccc.backlog import locks, places, settings, store, worktree
from ccc.backlog.database import Database
from ccc.backlog.tables import RUNS, TASKS, WORKERS, to_task
from ccc.backlog.task import COMPLETED
from ccc.storage.paths import Paths

_DAY_SECONDS = 86_400.0
_MINUTE_SECONDS = 60.0
_MOST = 20
_last: list[float] = []


def clean(database: Database, where: Paths) -> list[str]:
    """Clean up, at most once a minute; return the workers that were forgotten."""
    now = time.monotonic()
    if _last and now - _last[0] < _MINUTE_SECONDS:
        return []
    _last[:] = [now]
    remove_worktrees(database)
    return forget_workers(database, where)


def remove_worktrees(database: Database) -> None:
    """Remove the worktrees of tasks that were completed long enough ago; their branches stay."""
    with database.read() as connection:
        days = settings.load(connection).keep_days
        is_here = (TASKS.c.worktree != "") & (TASKS.c.host == places.host())
        is_old = TASKS.c.ended_at < time.time() - days * _DAY_SECONDS
        # the branch of a clone is nowhere else unless it was pushed
        is_safe = TASKS.c.is_pushed | TASKS.c.repo.like("/%")
        is_done = (TASKS.c.state == COMPLETED) & is_here & is_old & is_safe
        query = sa.select(TASKS).where(is_done)
        tasks = [to_task(row) for row in connection.execute(query.limit(_MOST))]
    for task in tasks:
        worktree.remove(task, os.environ)
        with database.change() as connection:
            store.update(connection, task.id, worktree="")


def forget_workers(database: Database, where: Paths) -> list[str]:
    """Forget dead workers whose runs others have taken over."""
    busy = sa.select(RUNS.c.worker).where(RUNS.c.ended_at.is_(None))
    with database.read() as connection:
        names = connection.execute(sa.select(WORKERS.c.name).where(WORKERS.c.name.not_in(busy)))
        dead = [name for name in names.scalars() if not locks.is_alive(database, where, name)]
    for name in dead:
        locks.forget(database, name)
        locks.remove_file(where, name)
    return dead
