"""The queue's database: SQLite in the state directory, or Postgres for many machines."""

import contextlib
import os
import time
from collections.abc import Iterator, Mapping
from typing import Any

import sqlalchemy as sa
from sqlalchemy import event

from ccc.backlog import places, tables
from ccc.errors import CccError
from ccc.storage.paths import Paths, display_path
from ccc.system import private_files

URL = places.URL
SCHEMA = 2
_LOCK = 0x6363_6371  # the number of Postgres's lock for changes of the queue
_BUSY_MS = 30_000
# a connection that doesn't answer is given up within seconds
_POSTGRES = {
    "connect_timeout": 3,
    "tcp_user_timeout": 3_000,
    "keepalives_idle": 2,
    "keepalives_interval": 1,
    "keepalives_count": 3,
    # so does the server: the lock of a machine without power ends
    "options": "-c tcp_keepalives_idle=2 -c tcp_keepalives_interval=1 -c tcp_keepalives_count=3",
    "client_encoding": "utf8",
}
_POOL: Any = {"pool_pre_ping": True, "max_overflow": 40}
_RETRY_SECONDS = 1.0
_ERRORS = (sa.exc.DBAPIError, sa.exc.TimeoutError, sa.exc.PendingRollbackError)
_BUSY = ("database is locked", "lock timeout", "statement timeout")
"""What a database says that has waited too long for others."""
_DAMAGED = ("malformed", "not a database")  # what SQLite says about a damaged file


class Database:
    """The database and its transactions."""

    def __init__(self, engine: sa.Engine, url: str, file: str = "") -> None:
        self.engine = engine
        self.url = url
        self._file = file
        self._identity = _identify(file)
        self._watching: sa.Connection | None = None

    @property
    def is_shared(self) -> bool:
        """Whether workers of several machines use it."""
        return self.engine.dialect.name == "postgresql"

    def require_file(self) -> None:
        """Raise CccError if its file was removed or replaced: what is stored now would be lost."""
        if _identify(self._file) != self._identity:
            raise CccError("queue.database_gone", file=display_path(self._file))

    @contextlib.contextmanager
    def change(self) -> Iterator[sa.Connection]:
        """Begin a transaction that excludes every other change."""
        with self.explain_errors(), self.engine.begin() as connection:
            if self.is_shared:
                connection.execute(sa.text(f"SELECT pg_advisory_xact_lock({_LOCK})"))
            else:
                connection.exec_driver_sql("BEGIN IMMEDIATE")
            yield connection

    @contextlib.contextmanager
    def read(self) -> Iterator[sa.Connection]:
        """Open a connection whose queries all see the same moment; it waits for no change."""
        with self.explain_errors(), self.engine.connect() as connection:
            if self.is_shared:
                connection.execution_options(
                    isolation_level="REPEATABLE READ", postgresql_readonly=True
                )
            else:
                connection.exec_driver_sql("BEGIN DEFERRED")
            yield connection

    @contextlib.contextmanager
    def explain_errors(self) -> Iterator[None]:
        """Raise CccError instead of the errors of the database."""
        # a lost connection also raises the driver's own errors, and one about the open transaction
        driver = self.engine.dialect.loaded_dbapi.Error
        try:
            yield
        except (*_ERRORS, driver) as error:
            cause = "".join(str(getattr(error, "orig", error)).strip().splitlines()[:1])
            where = _without_password(self.url)
            if any(words in cause for words in _BUSY):
                raise CccError("queue.busy", url=where) from None
            if any(words in cause for words in _DAMAGED):
                raise CccError("queue.damaged", url=where, cause=cause) from None
            hint = "queue.database" if self.is_shared else "file.hint"
            raise CccError("queue.database", hint=hint, url=where, cause=cause) from None

    def version(self) -> str:
        """Return a text that is another one after every change of the database.

        SQLite's belongs to a connection, which stays open for it.
        """
        if self.is_shared:
            # the transactions whose changes are visible
            with self.read() as connection:
                found = connection.exec_driver_sql("SELECT txid_current_snapshot()::text")
                return str(found.scalar_one())
        with self.explain_errors():
            if self._watching is None:
                self._watching = self.engine.connect()
            return str(self._watching.exec_driver_sql("PRAGMA data_version").scalar_one())

    def close(self) -> None:
        """Close all connections."""
        if self._watching is not None:
            self._watching.close()
        self.engine.dispose()


def connect(where: Paths, environ: Mapping[str, str], patience_ms: int = 0) -> Database:
    """Open the queue's database; create it if it doesn't exist.

    `patience_ms` limits how long anything waits for others; by default that is long.
    """
    url = environ.get(URL, "").strip()
    file = places.database_file(where)
    database = _postgres(url, patience_ms) if url else _sqlite(file, patience_ms)
    _create_tables(database)
    return database


def is_unavailable(error: Exception | None) -> bool:
    """Return whether the database didn't answer, so that a later attempt may succeed."""
    if isinstance(error, CccError):
        return error.message in ("queue.database", "queue.busy")
    return isinstance(error, sa.exc.DBAPIError)


def _create_tables(database: Database) -> None:
    """Create the tables if they are missing; raise CccError if they are of another ccc."""
    settings = tables.SETTINGS
    schema = sa.select(settings.c.value).where(settings.c.name == "schema")
    with database.read() as connection:
        has_tables = sa.inspect(connection).has_table(settings.name)
        known = connection.execute(schema).scalar() if has_tables else None
    if known is None:
        with database.change() as connection:
            tables.METADATA.create_all(connection)
            known = connection.execute(schema).scalar()
            if known is None:
                known = SCHEMA
                connection.execute(sa.insert(settings).values(name="schema", value=SCHEMA))
    if known != SCHEMA:
        raise CccError("queue.schema", theirs=known, ours=SCHEMA)


def wait_for_connections(engine: sa.Engine) -> sa.Engine:
    """Return an engine to the same database, whose connections wait until it is there.

    DBOS would wait up to a minute between two attempts.
    """
    other = sa.create_engine(engine.url, **_POOL)

    @event.listens_for(other, "do_connect")
    def connect(dialect: Any, _: object, arguments: Any, options: dict[str, Any]) -> Any:
        while True:
            try:
                return dialect.connect(*arguments, **options, **_POSTGRES)
            except dialect.dbapi.OperationalError:
                time.sleep(_RETRY_SECONDS)

    return other


def _postgres(url: str, patience_ms: int) -> Database:
    scheme, separator, rest = url.partition("://")
    if not separator or scheme.partition("+")[0] not in ("postgres", "postgresql"):
        raise CccError("queue.url", variable=URL)
    full = f"postgresql+psycopg://{rest}"
    arguments = dict(_POSTGRES)
    if patience_ms:
        limits = f"-c lock_timeout={patience_ms} -c statement_timeout={patience_ms}"
        arguments["options"] = f"{_POSTGRES['options']} {limits}"
    try:
        engine = sa.create_engine(full, connect_args=arguments, **_POOL)
    except (sa.exc.ArgumentError, ValueError):
        raise CccError("queue.url", variable=URL) from None
    return Database(engine, full)


def _sqlite(file: str, patience_ms: int) -> Database:
    """Open the file with what several processes, and DBOS on an older SQLite, need to share it."""
    try:
        os.makedirs(os.path.dirname(file), mode=0o700, exist_ok=True)
        os.close(private_files.open_file(file, os.O_RDWR))
    except OSError as error:
        cause = error.strerror or str(error)
        where = display_path(file)
        raise CccError("queue.database", hint="file.hint", url=where, cause=cause) from None
    url = f"sqlite:///{file}"
    engine = sa.create_engine(url, connect_args={"check_same_thread": False})

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _: object) -> None:
        # every transaction of DBOS that writes excludes others, as with DBOS's own engine
        connection.isolation_level = "IMMEDIATE"
        # SQLite before 3.42 doesn't know `unixepoch('subsec')`
        connection.create_function("unixepoch", -1, lambda *_: time.time())
        busy = f"busy_timeout={patience_ms or _BUSY_MS}"
        for pragma in (busy, "foreign_keys=ON", "journal_mode=WAL"):
            connection.execute(f"PRAGMA {pragma}")

    return Database(engine, url, file)


def _identify(file: str) -> tuple[int, int] | None:
    try:
        status = os.stat(file)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _without_password(url: str) -> str:
    """Return the address without user, password and options."""
    if url.startswith("sqlite"):
        return display_path(url.removeprefix("sqlite:///"))
    return "postgresql://" + url.rpartition("@")[2].rpartition("://")[2].partition("?")[0]
