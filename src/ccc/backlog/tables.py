"""The tables of the queue, the same on SQLite and Postgres."""

from typing import Any

import msgspec
import sqlalchemy as sa
from msgspec import to_builtins
from msgspec.structs import fields

from ccc.backlog.task import QueuedTask

METADATA = sa.MetaData()
_TYPES: dict[object, Any] = {str: sa.Text, int: sa.Integer, float: sa.Double, bool: sa.Boolean}

TASKS = sa.Table(
    "ccc_tasks",
    METADATA,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
    *(
        sa.Column(
            each.name, _TYPES.get(each.type, sa.JSON), nullable=False, index=each.name == "state"
        )
        for each in fields(QueuedTask)
        if each.name != "id"
    ),
    sqlite_autoincrement=True,  # a removed task's number is not used again
)
RUNS = sa.Table(
    "ccc_runs",
    METADATA,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("task", sa.Integer, nullable=False, index=True),
    sa.Column("provider", sa.Text, nullable=False),
    sa.Column("worker", sa.Text, nullable=False),
    sa.Column("fence", sa.Integer, nullable=False, default=1),
    sa.Column("started_at", sa.Double, nullable=False, index=True),
    sa.Column("ended_at", sa.Double, nullable=True, index=True),
    sa.Column("outcome", sa.Text, nullable=False, default=""),
    sa.Column("reserved_usd", sa.Double, nullable=False),
    sa.Column("cost_usd", sa.Double, nullable=False, default=0.0),
    sa.Column("session", sa.Text, nullable=False, default=""),
    sa.Column("before_usd", sa.Double, nullable=False, default=0.0),
    sqlite_autoincrement=True,
)
"""Each run of a task: it holds a place at its provider and a part of the budget until it ends.

Its cost is that of its session, without `before_usd`: what the session had cost before the run,
less what the run had cost before the session.
"""
WORKERS = sa.Table(
    "ccc_workers",
    METADATA,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("host", sa.Text, nullable=False),
    sa.Column("pid", sa.Integer, nullable=False),
    sa.Column("jobs", sa.Integer, nullable=False),
    sa.Column("providers", sa.JSON, nullable=False),
    sa.Column("started_at", sa.Double, nullable=False),
)
"""Those that have started; whether a worker lives is told by its lock."""
SETTINGS = sa.Table(
    "ccc_queue_settings",
    METADATA,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("value", sa.JSON, nullable=True),
)


def to_task(row: sa.Row[tuple[object, ...]]) -> QueuedTask:
    """Return the task in a row."""
    # SQLAlchemy has a type of its own for some names
    return msgspec.convert({str(name): value for name, value in row._mapping.items()}, QueuedTask)


def to_values(task: QueuedTask) -> dict[str, object]:
    """Return the columns of a task without its id."""
    return {name: value for name, value in to_builtins(task).items() if name != "id"}
