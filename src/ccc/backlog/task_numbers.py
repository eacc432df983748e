"""The numbers and titles of tasks for completion: quick, silent, and without SQLAlchemy."""

import contextlib
import os
import sqlite3
import threading
from collections.abc import Mapping, Sequence
from urllib.parse import quote

from ccc.backlog import places
from ccc.backlog.task import STATES
from ccc.storage.paths import Paths
from ccc.system import terminal

_MOST = 100
_SECONDS = 1.0  # how long the user waits after Tab
_LONGEST_TITLE = 60
_RANK = " ".join(f"WHEN '{state}' THEN {rank}" for rank, state in enumerate(STATES))


def find(
    where: Paths, environ: Mapping[str, str], begin: str, states: Sequence[str] = ()
) -> list[tuple[str, str]]:
    """Return tasks whose number begins so, in the order of the board; none if the queue is away."""
    # the values are digits and the names of states
    if not places.queue_configured(where, environ) or not (begin.isdecimal() or not begin):
        return []
    chosen = ", ".join(f"'{state}'" for state in states or STATES)
    query = (
        "SELECT id, substr(text, 1, 200) FROM ccc_tasks "
        f"WHERE CAST(id AS TEXT) LIKE '{begin}%' AND state IN ({chosen}) "
        f"ORDER BY CASE state {_RANK} END, id DESC LIMIT {_MOST}"
    )
    found: list[tuple[int, str]] = []

    def run() -> None:
        url = environ.get(places.URL, "").strip()
        # pressing Tab must never show an error
        with contextlib.suppress(Exception):
            found.extend(_read_postgres(url, query) if url else _read_sqlite(where, query))

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(_SECONDS)
    return [(str(id_), terminal.cut(terminal.plain(text), _LONGEST_TITLE)) for id_, text in found]


def _read_sqlite(where: Paths, query: str) -> list[tuple[int, str]]:
    # Tab creates no queue
    file = f"file:{quote(os.path.abspath(places.database_file(where)))}?mode=ro"
    with contextlib.closing(sqlite3.connect(file, uri=True)) as connection:
        return connection.execute(query).fetchall()


def _read_postgres(url: str, query: str) -> list[tuple[int, str]]:
    import psycopg

    _, _, rest = url.partition("://")
    with psycopg.connect(f"postgresql://{rest}", client_encoding="utf8") as connection:
        # the query has no parameters, so % needs no escape
        return connection.execute(query.encode()).fetchall()
