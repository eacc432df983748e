"""The queue of the board: looks at it and changes it, in one thread.

It imports SQLAlchemy, so `threads` imports it when there is a queue.
"""

import functools
import os
import time
from collections.abc import Callable, Mapping

import sqlalchemy as sa

from ccc.backlog import database, locks, settings, snapshot, store
from ccc.backlog.database import Database
from ccc.backlog.snapshot import Snapshot
from ccc.backlog.task import FAILED, NEEDS_INPUT, RUNNING, WAITING, QueuedTask
from ccc.errors import CccError
from ccc.sessions import record_file
from ccc.sessions.known_keys import KnownKeys
from ccc.storage.paths import Paths

_MOST_TASKS = {NEEDS_INPUT: 50, RUNNING: 100, WAITING: 100, FAILED: 50}
"""How many tasks of each state the page shows, in its order; none hides those of another."""
_ENDED_TASKS = 30
_PATIENCE_MS = 3_000
_OLDEST_SECONDS = 30.0
"""How old a look at a queue without changes may be: pauses end and costs leave the budget."""


class Queue:
    """The queue of this user."""

    def __init__(self, where: Paths, keys: KnownKeys) -> None:
        self._where = where
        self._keys = keys
        self._opened: Database | None = None
        self.last: Snapshot | None = None
        """The last look at it."""
        self._made_from: object = None
        self._looked_at = 0.0

    def look(self) -> Snapshot:
        """Return the queue at this moment, or the last look if nothing has changed since."""
        opened = self._open()
        # before the look: what changes during it is seen by the next one
        version = opened.version()
        made_from = version, record_file.changed_at(self._where.config), self._keys.look()
        if self.last is None or made_from != self._made_from or self._is_old(opened, self.last):
            self.last, self._made_from = snapshot.take(opened, self._where, self._choose), made_from
            self._looked_at = time.monotonic()
        return self.last

    def _is_old(self, opened: Database, last: Snapshot) -> bool:
        """Return whether the queue may differ although the database doesn't."""
        names = [str(each["name"]) for each in last.workers]
        is_expired = time.monotonic() - self._looked_at > _OLDEST_SECONDS
        return is_expired or not all(locks.is_alive(opened, self._where, name) for name in names)

    def _choose(self, connection: sa.Connection) -> list[QueuedTask]:
        """Return the tasks that need attention, and the last others, without keys."""
        of_states = (store.load(connection, [s], most) for s, most in _MOST_TASKS.items())
        tasks = [task for found in of_states for task in found]
        tasks += snapshot.last_ended(connection, _ENDED_TASKS)
        return [self._keys.hide_in(task) for task in tasks]

    def pause(self, is_paused: bool) -> None:
        """Start no more tasks, or start them again."""
        with self._open().change() as connection:
            settings.change(connection, is_paused=is_paused)

    def act(self, task: int, verb: str, seen: str, value: str) -> None:
        """Answer, cancel, retry or move a task, if it still is as the user has `seen` it."""
        has_worker = functools.partial(locks.is_alive, self._open(), self._where)
        edits: Mapping[str, Callable[[sa.Connection, QueuedTask], None]] = {
            "answer": lambda connection, found: store.answer(connection, found, value),
            "cancel": lambda connection, found: store.cancel(connection, found, has_worker),
            "retry": store.retry,
            "move": lambda connection, found: store.move(connection, found, value),
        }
        with self._open().change() as connection:
            found = store.find(connection, task)
            if seen != found.stage:
                reason = f"queue.state_{found.state}"
                raise CccError("web.task_changed", id=task, reason=reason)
            edits[verb](connection, found)

    def _open(self) -> Database:
        """Open the database, or another file in its place."""
        try:
            if self._opened is not None:
                self._opened.require_file()
        except CccError:
            self.close()
        self._opened = self._opened or database.connect(self._where, os.environ, _PATIENCE_MS)
        return self._opened

    def close(self) -> None:
        """Close the database, and forget what was in it."""
        if self._opened is not None:
            self._opened.close()
        self._opened = self.last = None
