"""The numbers and titles of tasks for completion: quick, silent, and without SQLAlchemy."""

import os
import sqlite3
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from urllib.parse import quote

from ccc.backlog import places
from ccc.backlog.task import STATES
from ccc.storage.paths import Paths
from ccc.system import terminal

_MOST = 100
_SECONDS = 1.0
"""How long the user waits after Tab."""
_LONGEST_TITLE = 60
_RANK = " ".join(f"WHEN '{state}' THEN {rank}" for rank, state in enumerate(STATES))
_Row = tuple[int, str]


def find(
    where: Paths, environ: Mapping[str, str], begin: str, states: Sequence[str] = ()
) -> list[tuple[str, str]]:
    """Return tasks whose number begins so, in the order of the board; none if the queue is away."""
    # the values are digits and the names of states
    if not places.exists(where, environ) or not (begin.isdecimal() or not begin):
        return []
    chosen = ", ".join(f"'{state}'" for state in states or STATES)
    query = (
        "SELECT id, substr(text, 1, 200) FROM ccc_tasks "
        f"WHERE CAST(id AS TEXT) LIKE '{begin}%' AND state IN ({chosen}) "
        f"ORDER BY CASE state {_RANK} END, id DESC LIMIT {_MOST}"
    )
    url = environ.get(places.URL, "").strip()
    read = _read_postgres if url else _read_sqlite
    rows = _within(_SECONDS, lambda: read(url or places.database_file(where), query))
    return [(str(id_), _title(text)) for id_, text in rows]


def _title(text: str) -> str:
    return terminal.cut(terminal.plain(text), _LONGEST_TITLE)


def _within(seconds: float, read: Callable[[], Iterable[_Row]]) -> Sequence[_Row]:
    """Return what is read, or nothing if that fails or takes longer."""
    found: list[_Row] = []

    def run() -> None:
        try:
            found.extend(read())
        except Exception:
            pass  # pressing Tab must never show an error

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(seconds)
    return () if thread.is_alive() else found


def _read_sqlite(file: str, query: str) -> list[_Row]:
    # Tab creates no queue
    connection = sqlite3.connect(f"file:{quote(os.path.abspath(file))}?mode=ro", uri=True)
    try:
        return connection.execute(query).fetchall()
    finally:
        connection.close()


def _read_postgres(url: str, query: str) -> list[_Row]:
    import psycopg

    _, _, rest = url.partition("://")
    with psycopg.connect(f"postgresql://{rest}", client_encoding="utf8") as connection:
        # the query has no parameters, so % needs no escape
        return connection.execute(query.encode()).fetchall()
