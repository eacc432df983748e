"""Remove what nobody needs any more: worktrees of completed tasks, traces of dead workers."""

import contextlib
import threading
import time
from collections.abc import Callable

import sqlalchemy as sa

from ccc.backlog import delivery, locks, places, settings, worktree
from ccc.backlog.budget import DAY_SECONDS
from ccc.backlog.database import Database
from ccc.backlog.tables import RUNS, TASKS, WORKERS, to_task
from ccc.backlog.task import COMPLETED, QueuedTask
from ccc.errors import CccError
from ccc.storage.paths import Paths

_MINUTE_SECONDS = 60.0
_MOST = 20
_last: list[float] = []


def clean(database: Database, where: Paths, forget: Callable[[str], object]) -> None:
    """Clean up in a thread of its own, at most once a minute; `forget` gets each dead worker."""
    now = time.monotonic()
    if _last and now - _last[0] < _MINUTE_SECONDS:
        return
    _last[:] = [now]

    def work() -> None:
        try:
            remove_worktrees(database)
            for name in forget_workers(database, where):
                forget(name)
        except Exception:
            pass  # the next minute tries again

    threading.Thread(target=work, daemon=True).start()


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


def forget_workers(database: Database, where: Paths) -> list[str]:
    """Forget dead workers whose runs others have taken over; return their names."""
    busy = sa.select(RUNS.c.worker).where(RUNS.c.ended_at.is_(None))
    with database.read() as connection:
        names = connection.execute(sa.select(WORKERS.c.name).where(WORKERS.c.name.not_in(busy)))
        known = list(names.scalars())
    dead = [name for name in known if not locks.is_alive(database, where, name)]
    for name in dead:
        locks.forget(database, where, name)
    return dead
