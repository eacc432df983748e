"""The queue of the board, opened if there is one and its packages are installed."""

import importlib.util
import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from ccc.backlog import places
from ccc.errors import CccError
from ccc.storage.paths import Paths

if TYPE_CHECKING:
    import sqlalchemy as sa

    from ccc.backlog.database import Database
    from ccc.backlog.snapshot import Snapshot
    from ccc.backlog.task import Task

_MOST_TASKS = 200
_ENDED_TASKS = 30


class Queue:
    """The queue of this user; used by one thread."""

    def __init__(self, where: Paths) -> None:
        self._where = where
        self._opened: Database | None = None
        self._file: tuple[int, int] | None = None

    @property
    def exists(self) -> bool:
        """Whether there is a queue that can be opened."""
        return places.exists(self._where, os.environ) and _is_installed()

    def look(self) -> "Snapshot":
        """Return the queue at this moment: tasks that need attention, and the last others."""
        from ccc.backlog import snapshot

        def choose(connection: "sa.Connection") -> "list[Task]":
            return snapshot.open_and_last(connection, _MOST_TASKS, _ENDED_TASKS)

        return snapshot.take(self._open(), self._where, choose)

    def change(self, edit: "Callable[[sa.Connection], None]") -> None:
        """Change the queue in one transaction."""
        with self._change() as connection:
            edit(connection)

    def _change(self) -> "AbstractContextManager[sa.Connection]":
        if not self.exists:
            raise CccError("web.no_queue", hint="web.no_queue_hint")
        return self._open().change()

    def _open(self) -> "Database":
        """Open the database, or another file in its place."""
        from ccc.backlog import database

        file = _identity(places.database_file(self._where))
        if self._opened is None or file != self._file:
            self.close()
            self._opened = database.connect(self._where, os.environ)
            self._file = _identity(places.database_file(self._where))
        return self._opened

    def close(self) -> None:
        """Close the database."""
        if self._opened is not None:
            self._opened.close()
        self._opened = None


def _is_installed() -> bool:
    return importlib.util.find_spec("sqlalchemy") is not None


def _identity(path: str) -> tuple[int, int] | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino
