"""The queue of the board, opened if there is one and its packages are installed."""

import functools
import importlib.util
import os
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from ccc.backlog import places
from ccc.backlog.task import FAILED, NEEDS_INPUT, RUNNING, WAITING
from ccc.errors import CccError
from ccc.storage import record_file
from ccc.storage.paths import Paths
from ccc.web.known_keys import KnownKeys

if TYPE_CHECKING:
    import sqlalchemy as sa

    from ccc.backlog.database import Database
    from ccc.backlog.snapshot import Snapshot
    from ccc.backlog.task import QueuedTask


_MOST_TASKS = {NEEDS_INPUT: 50, RUNNING: 100, WAITING: 100, FAILED: 50}
"""How many tasks of each state the page shows, in its order; none hides those of another."""
_ENDED_TASKS = 30
_PATIENCE_MS = 3_000
_OLDEST_SECONDS = 30.0
"""How old a look at a queue without changes may be: pauses end and costs leave the budget."""


def exists(where: Paths) -> bool:
    """Return whether there is a queue that can be opened."""
    return places.exists(where, os.environ) and _is_installed()


class Queue:
    """The queue of this user; used by one thread."""

    def __init__(self, where: Paths, keys: KnownKeys) -> None:
        self._where = where
        self._keys = keys
        self._opened: Database | None = None
        self.last: Snapshot | None = None
        """The last look at it."""
        self._made_from: object = None
        self._looked_at = 0.0

    def look(self) -> "Snapshot | None":
        """Return the queue at this moment, or the last look if nothing has changed since."""
        if not exists(self._where):
            self.close()
            return None
        opened = self._open()
        # before the look: what changes during it is seen by the next one
        trace = self._trace(opened)
        if self.last is None or self._is_old(opened, self.last, trace):
            self.last, self._made_from = self._take(opened), trace
            self._looked_at = time.monotonic()
        return self.last

    def _is_old(self, opened: "Database", last: "Snapshot", trace: object) -> bool:
        """Return whether the queue may differ from the last look at it."""
        from ccc.backlog import locks

        if trace != self._made_from or time.monotonic() - self._looked_at > _OLDEST_SECONDS:
            return True
        names = [str(each["name"]) for each in last.workers]
        return not all(locks.is_alive(opened, self._where, name) for name in names)

    def _take(self, opened: "Database") -> "Snapshot":
        """Return the tasks that need attention, and the last others, without keys."""
        from ccc.backlog import snapshot, store

        self._keys.look()

        def choose(connection: "sa.Connection") -> "list[QueuedTask]":
            of_states = (store.load(connection, [s], most) for s, most in _MOST_TASKS.items())
            tasks = [task for found in of_states for task in found]
            tasks += snapshot.last_ended(connection, _ENDED_TASKS)
            return [self._keys.hide_in(task) for task in tasks]

        return snapshot.take(opened, self._where, choose)

    def _trace(self, opened: "Database") -> object:
        """Return what differs after a change."""
        return opened.version(), record_file.changed_at(self._where.config), self._keys.look()

    def change(self, edit: "Callable[[sa.Connection], None]") -> None:
        """Change the queue in one transaction."""
        if not exists(self._where):
            raise CccError("web.no_queue", hint="web.no_queue_hint")
        with self._open().change() as connection:
            edit(connection)

    def has_worker(self, name: str) -> bool:
        """Return whether a worker of this name lives."""
        from ccc.backlog import locks

        return locks.is_alive(self._open(), self._where, name)

    def _open(self) -> "Database":
        """Open the database, or another file in its place."""
        from ccc.backlog import database

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


@functools.cache
def _is_installed() -> bool:
    return importlib.util.find_spec("sqlalchemy") is not None
