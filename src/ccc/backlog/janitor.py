"""Remove what nobody needs any more: worktrees of completed tasks, traces of dead workers."""

import contextlib
import time

import sqlalchemy as sa

from ccc.backlog import delivery, engine, locks, places, settings, worktree
from ccc.backlog.admission import DAY_SECONDS
from ccc.backlog.database import Database
from ccc.backlog.tables import RUNS, TASKS, WORKERS, to_task
from ccc.backlog.task import COMPLETED, QueuedTask
from ccc.errors import CccError
from ccc.storage.paths import Paths

_MOST = 20


def clean(database: Database, where: Paths) -> None:
    """Remove old worktrees, and dead workers whose runs others have taken over."""
    try:
        remove_worktrees(database)
        busy = sa.select(RUNS.c.worker).where(RUNS.c.ended_at.is_(None))
        query = sa.select(WORKERS.c.name).where(WORKERS.c.name.not_in(busy))
        with database.read() as connection:
            names = connection.execute(query).scalars().all()
        for name in names:
            if not locks.is_alive(database, where, name):
                locks.forget(database, where, name)
                engine.forget(name)
    except Exception:
        pass  # the next minute tries again


def remove_worktrees(database: Database) -> None:
    """Remove the worktrees of tasks that were completed long enough ago; their branches stay."""
    with database.read() as connection:
        days = settings.load(connection).keep_days
        is_here = (TASKS.c.worktree != "") & (TASKS.c.host == places.host())
        is_old = TASKS.c.ended_at < time.time() - days * DAY_SECONDS
        # the branch of a clone is nowhere else unless it was pushed
        is_safe = TASKS.c.is_pushed | TASKS.c.repo.like("/%")
        is_done = (TASKS.c.state == COMPLETED) & is_here & is_old & is_safe
        query = sa.select(TASKS).where(is_done)
        tasks = [to_task(row) for row in connection.execute(query.limit(_MOST))]
    for task in tasks:
        # an edit of the user's, or an answer meanwhile, keeps it
        with contextlib.suppress(CccError):
            if delivery.is_clean(task) and _forget_worktree(database, task):
                worktree.remove(task)


def _forget_worktree(database: Database, task: QueuedTask) -> bool:
    """Let the task forget its worktree, unless it isn't completed any more."""
    own = (TASKS.c.id == task.id) & (TASKS.c.state == COMPLETED)
    with database.change() as connection:
        done = connection.execute(sa.update(TASKS).where(own).values(worktree=""))
        return bool(done.rowcount)
