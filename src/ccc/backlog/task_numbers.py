"""The numbers and titles of tasks for completion: quick, silent, and without SQLAlchemy."""

import contextlib
import os
import sqlite3
import threading
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any
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
        # pressing Tab must never show an error
        with contextlib.suppress(Exception), _connect(where, environ) as connection:
            found.extend(connection.execute(query).fetchall())

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(_SECONDS)
    return [(str(id_), terminal.cut(terminal.plain(text), _LONGEST_TITLE)) for id_, text in found]


def _connect(where: Paths, environ: Mapping[str, str]) -> AbstractContextManager[Any]:
    if url := environ.get(places.URL, "").strip():
        import psycopg

        return psycopg.connect(f"postgresql://{url.partition('://')[2]}", client_encoding="utf8")
    # Tab creates no queue
    file = f"file:{quote(os.path.abspath(places.database_file(where)))}?mode=ro"
    return contextlib.closing(sqlite3.connect(file, uri=True))
