"""Which workers live: each holds a lock that ends with it, however it ends."""

import contextlib
import fcntl
import os
import time
import zlib
from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from ccc.backlog import places
from ccc.backlog.database import Database
from ccc.backlog.tables import WORKERS
from ccc.storage import files
from ccc.storage.paths import Paths
from ccc.system import private_files

_SPACE = 0x6363_7765  # the first number of Postgres's locks for workers


class WorkerLock:
    """A worker's own lock."""

    def __init__(self, database: Database, where: Paths, jobs: int) -> None:
        self.name = f"{places.host()}-{os.getpid()}-{os.urandom(3).hex()}"
        self._database, self._where = database, where
        self._connection: sa.Connection | None = None
        if database.is_shared:
            self.hold()
        else:
            path = _path(where, self.name)
            files.make_directory(os.path.dirname(path))
            # held until the process ends
            fcntl.flock(private_files.open_file(path, os.O_RDWR), fcntl.LOCK_EX)
        values = {"name": self.name, "host": places.host(), "pid": os.getpid(), "jobs": jobs}
        with database.change() as connection:
            values |= {"providers": [], "started_at": time.time()}
            connection.execute(sa.insert(WORKERS).values(values))

    def offer(self, providers: Sequence[str]) -> None:
        """Store the providers that this worker has."""
        with self._database.change() as connection:
            own = sa.update(WORKERS).where(WORKERS.c.name == self.name)
            connection.execute(own.values(providers=list(providers)))

    def hold(self) -> bool:
        """Take the lock in a shared database, unless it is held; False if that fails."""
        own = sa.text(f"{_held_by(self.name)} AND pid = pg_backend_pid()")
        with contextlib.suppress(sa.exc.SQLAlchemyError):
            if self._connection is not None and self._connection.execute(own).scalar():
                return True
        self._drop()
        try:
            opened = self._database.engine.connect()
            self._connection = opened.execution_options(isolation_level="AUTOCOMMIT")
            query = sa.text(f"SELECT pg_try_advisory_lock({_SPACE}, {_number(self.name)})")
            return bool(self._connection.execute(query).scalar())
        except sa.exc.SQLAlchemyError:
            return False

    def release(self) -> None:
        """Give the lock back at the end of the worker."""
        forget(self._database, self._where, self.name)
        self._drop()

    def _drop(self) -> None:
        if self._connection is not None:
            with contextlib.suppress(sa.exc.SQLAlchemyError):  # it may be broken
                self._connection.close()
            self._connection = None


def is_alive(database: Database, where: Paths, name: str) -> bool:
    """Return whether the worker holds its lock."""
    if database.is_shared:
        with database.read() as connection:
            return bool(connection.execute(sa.text(_held_by(name))).scalar())
    try:
        file = os.open(_path(where, name), os.O_RDWR | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(file)
    return False


def find_living(database: Database, where: Paths) -> list[dict[str, Any]]:
    """Return the workers that live, oldest first: name, host, pid, jobs, providers, started_at."""
    with database.read() as connection:
        rows = connection.execute(sa.select(WORKERS).order_by(WORKERS.c.started_at)).all()
    return [dict(row._mapping) for row in rows if is_alive(database, where, row.name)]


def forget(database: Database, where: Paths, name: str) -> None:
    """Remove a dead worker, or one that ends, from the list."""
    with database.change() as connection:
        connection.execute(sa.delete(WORKERS).where(WORKERS.c.name == name))
    with contextlib.suppress(FileNotFoundError):
        os.unlink(_path(where, name))


def _path(where: Paths, name: str) -> str:
    return os.path.join(places.records(where), f"worker-{name}.lock")


def _held_by(name: str) -> str:
    """Return the query for how many sessions of Postgres hold the lock of a worker."""
    locks = f"FROM pg_locks WHERE locktype = 'advisory' AND granted AND classid = {_SPACE}"
    return f"SELECT count(*) {locks} AND objid = {_number(name) & 0xFFFFFFFF}"


def _number(name: str) -> int:
    number = zlib.crc32(name.encode())
    return number - (1 << 32) if number >= 1 << 31 else number
