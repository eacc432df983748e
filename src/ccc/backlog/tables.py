"""The tables of the queue, the same on SQLite and Postgres."""

from dataclasses import fields

import sqlalchemy as sa

from ccc.backlog.task import QueuedTask

METADATA = sa.MetaData()

TASKS = sa.Table(
    "ccc_tasks",
    METADATA,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("repo", sa.Text, nullable=False),
    sa.Column("branch", sa.Text, nullable=False),
    sa.Column("base", sa.Text, nullable=False),
    sa.Column("providers", sa.JSON, nullable=False),
    sa.Column("checks", sa.JSON, nullable=False),
    sa.Column("allow", sa.JSON, nullable=False),
    sa.Column("limits", sa.JSON, nullable=False),
    sa.Column("setup", sa.Text, nullable=False),
    sa.Column("push", sa.Boolean, nullable=False),
    sa.Column("push_url", sa.Text, nullable=False, server_default=""),
    sa.Column("pull_request", sa.Boolean, nullable=False),
    sa.Column("priority", sa.Integer, nullable=False),
    sa.Column("after", sa.JSON, nullable=False),
    sa.Column("state", sa.Text, nullable=False, index=True),
    sa.Column("outcome", sa.Text, nullable=False),
    sa.Column("detail", sa.Text, nullable=False),
    sa.Column("message", sa.Text, nullable=False),
    sa.Column("created_at", sa.Double, nullable=False),
    sa.Column("started_at", sa.Double, nullable=False),
    sa.Column("ended_at", sa.Double, nullable=False),
    sa.Column("run", sa.Integer, nullable=False),
    sa.Column("runs", sa.Integer, nullable=False),
    sa.Column("worker", sa.Text, nullable=False),
    sa.Column("host", sa.Text, nullable=False),
    sa.Column("provider", sa.Text, nullable=False),
    sa.Column("worktree", sa.Text, nullable=False),
    sa.Column("start", sa.Text, nullable=False),
    sa.Column("session", sa.Text, nullable=False),
    sa.Column("cost_usd", sa.Double, nullable=False),
    sa.Column("cost_source", sa.Text, nullable=False),
    sa.Column("is_cancelled", sa.Boolean, nullable=False),
    sa.Column("commits", sa.Integer, nullable=False),
    sa.Column("files", sa.Integer, nullable=False),
    sa.Column("added", sa.Integer, nullable=False),
    sa.Column("removed", sa.Integer, nullable=False),
    sa.Column("is_pushed", sa.Boolean, nullable=False),
    sa.Column("pull_request_url", sa.Text, nullable=False),
    sqlite_autoincrement=True,  # a removed task's number is not used again
)
RUNS = sa.Table(
    "ccc_runs",
    METADATA,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("task", sa.Integer, nullable=False, index=True),
    sa.Column("provider", sa.Text, nullable=False),
    sa.Column("worker", sa.Text, nullable=False),
    sa.Column("fence", sa.Integer, nullable=False),
    sa.Column("started_at", sa.Double, nullable=False, index=True),
    sa.Column("ended_at", sa.Double, nullable=True, index=True),
    sa.Column("outcome", sa.Text, nullable=False),
    sa.Column("reserved_usd", sa.Double, nullable=False),
    sa.Column("cost_usd", sa.Double, nullable=False),
    sa.Column("session", sa.Text, nullable=False),
    sa.Column("before_usd", sa.Double, nullable=False),
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

_TUPLES = ("providers", "checks", "allow", "after")


def to_task(row: sa.Row[tuple[object, ...]]) -> QueuedTask:
    """Return the task in a row."""
    values = dict(row._mapping)
    for name in _TUPLES:
        values[name] = tuple(values[name] or ())
    return QueuedTask(**values)


def to_values(task: QueuedTask) -> dict[str, object]:
    """Return the columns of a task without its id."""
    values = {each.name: getattr(task, each.name) for each in fields(task)}
    del values["id"]
    return values | {name: list(values[name]) for name in _TUPLES}
