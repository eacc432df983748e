"""The tasks in the database: add, list and change them."""

import json
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from msgspec.structs import replace

from ccc.backlog.tables import RUNS, TASKS, to_task, to_values
from ccc.backlog.task import (
    CANCELLED,
    COMPLETED,
    FAILED,
    FIRST,
    LAST,
    MOST_PRIORITY,
    NEEDS_INPUT,
    RUNNING,
    STATES,
    WAITING,
    QueuedTask,
    is_place,
)
from ccc.errors import CccError

_CHUNK = 200
_LONGEST_PLACE = 20
_NO_LIMITS: dict[str, float] = {}


def add(connection: sa.Connection, task: QueuedTask) -> QueuedTask:
    """Store a new task; the tasks that it waits for must exist."""
    if task.after:
        known = sa.select(TASKS.c.id).where(TASKS.c.id.in_(task.after))
        missing = {*task.after} - {*connection.execute(known).scalars()}
        if missing:
            raise CccError("queue.no_task", id=min(missing))
    task = replace(task, created_at=time.time())
    values = to_values(task)
    id_ = connection.execute(sa.insert(TASKS).values(values).returning(TASKS.c.id)).scalar_one()
    return replace(task, id=id_)


def get(connection: sa.Connection, id_: int) -> QueuedTask | None:
    """Return a task, or None if there is none with this number."""
    row = connection.execute(sa.select(TASKS).where(TASKS.c.id == id_)).one_or_none()
    return to_task(row) if row is not None else None


def find(connection: sa.Connection, id_: int) -> QueuedTask:
    """Return a task; raise CccError if there is none with this number."""
    task = get(connection, id_)
    if task is None:
        raise CccError("queue.no_task", id=id_)
    return task


def update(connection: sa.Connection, id_: int, **values: Any) -> None:
    """Change columns of a task."""
    connection.execute(sa.update(TASKS).where(TASKS.c.id == id_).values(values))


def load_waiting(
    connection: sa.Connection, find_blocked: Callable[[], Collection[tuple[str, ...]]]
) -> Iterator[QueuedTask]:
    """Yield the waiting tasks in the order of their turns, as many as are looked at.

    There may be thousands (10,000 take 0.3 s), so those whose providers can't take any more are
    left out. Which these are changes as tasks start.
    """
    turn, last = sa.tuple_(-TASKS.c.priority, TASKS.c.id), (-MOST_PRIORITY, 0)
    query = sa.select(TASKS).order_by(-TASKS.c.priority, TASKS.c.id).limit(_CHUNK)
    given = sa.cast(TASKS.c.providers, sa.Text)
    while True:
        is_free = given.not_in(map(json.dumps, find_blocked()))
        rest = query.where(TASKS.c.state == WAITING, turn > last, is_free)
        rows = connection.execute(rest).all()
        yield from map(to_task, rows)
        if len(rows) < _CHUNK:
            return
        last = (-rows[-1].priority, rows[-1].id)


def states_of_awaited(connection: sa.Connection) -> dict[int, str]:
    """Return the states of all tasks for which a waiting one waits."""
    has_any = sa.cast(TASKS.c.after, sa.Text).not_in(("[]", "null"))
    query = sa.select(TASKS.c.after).where(TASKS.c.state == WAITING, has_any)
    awaited = {id_ for after in connection.execute(query).scalars() for id_ in after or ()}
    if not awaited:
        return {}
    states = sa.select(TASKS.c.id, TASKS.c.state).where(TASKS.c.id.in_(awaited))
    return dict(map(tuple, connection.execute(states)))


def load(connection: sa.Connection, states: Iterable[str] = (), most: int = 0) -> list[QueuedTask]:
    """Return tasks in the order of the board: running first, then by turn, then the last ended."""
    rank = sa.case({state: n for n, state in enumerate(STATES)}, value=TASKS.c.state)
    is_waiting = TASKS.c.state == WAITING
    turn = sa.case((is_waiting, -TASKS.c.priority), else_=0)
    order = (rank, turn, sa.case((is_waiting, TASKS.c.id), else_=-TASKS.c.ended_at), TASKS.c.id)
    query = sa.select(TASKS).order_by(*order)
    if chosen := list(states):
        query = query.where(TASKS.c.state.in_(chosen))
    rows = connection.execute(query.limit(most) if most else query)
    return [to_task(row) for row in rows]


def totals(connection: sa.Connection) -> dict[str, int]:
    """Return how many tasks are in each state."""
    query = sa.select(TASKS.c.state, sa.func.count()).group_by(TASKS.c.state)
    return dict(map(tuple, connection.execute(query)))


def cancel(
    connection: sa.Connection, task: QueuedTask, is_alive: Callable[[str], bool] = lambda _: True
) -> None:
    """Cancel a task; its worker ends a running one, but nobody would if the worker is dead."""
    if task.is_ended:
        raise wrong_state(task, "cancel")
    if task.state == RUNNING and is_alive(task.worker):
        update(connection, task.id, is_cancelled=True)
        return
    ended = {"ended_at": time.time(), "outcome": CANCELLED}
    if task.state == RUNNING:
        # what it has cost so far stays counted
        run = sa.update(RUNS).where(RUNS.c.id == task.run, RUNS.c.ended_at.is_(None))
        connection.execute(run.values(**ended, fence=RUNS.c.fence + 1))
    update(connection, task.id, state=CANCELLED, worker="", is_cancelled=False, **ended)


def retry(
    connection: sa.Connection,
    task: QueuedTask,
    allow: Sequence[str] = (),
    limits: Mapping[str, float] = _NO_LIMITS,
) -> None:
    """Let a task that isn't completed wait for another run, with more permissions and limits."""
    if task.state not in (FAILED, CANCELLED, NEEDS_INPUT):
        raise wrong_state(task, "retry")
    rules = tuple(dict.fromkeys([*task.allow, *allow]))
    _requeue(connection, task, allow=rules, limits={**task.limits, **limits})


def answer(connection: sa.Connection, task: QueuedTask, text: str) -> None:
    """Give the agent an answer; the task waits for another run of the same session."""
    is_asked = task.state in (NEEDS_INPUT, FAILED) or (task.state == WAITING and task.message)
    if not is_asked:
        raise wrong_state(task, "answer")
    _requeue(connection, task, message="\n\n".join(filter(None, [task.message, text])))


def _requeue(connection: sa.Connection, task: QueuedTask, **values: object) -> None:
    fresh = {"state": WAITING, "outcome": "", "detail": "", "started_at": 0.0, "ended_at": 0.0}
    update(connection, task.id, **fresh, **values)


def move(connection: sa.Connection, task: QueuedTask, to: str) -> None:
    """Change the priority of a waiting task: a number, `first` or `last`."""
    if task.state != WAITING:
        raise wrong_state(task, "move")
    if not is_place(to):
        raise CccError("queue.not_place", text=to[:_LONGEST_PLACE])
    others = sa.select(sa.func.max(TASKS.c.priority), sa.func.min(TASKS.c.priority)).where(
        TASKS.c.state == WAITING, TASKS.c.id != task.id
    )
    most, least = connection.execute(others).one()
    if to == FIRST:
        priority = task.priority if most is None else max(task.priority, most + 1)
    elif to == LAST:
        priority = task.priority if least is None else min(task.priority, least - 1)
    else:
        priority = int(to)
    if abs(priority) > MOST_PRIORITY:
        priority = _make_room(connection, priority)
    update(connection, task.id, priority=priority)


def _make_room(connection: sa.Connection, priority: int) -> int:
    """Move all waiting tasks by one, so that there is a priority before or after them."""
    step = 1 if priority < 0 else -1
    is_movable = sa.func.abs(TASKS.c.priority + step) <= MOST_PRIORITY
    waiting = sa.update(TASKS).where(TASKS.c.state == WAITING, is_movable)
    connection.execute(waiting.values(priority=TASKS.c.priority + step))
    return priority + step


def dependents(connection: sa.Connection, task: QueuedTask) -> list[int]:
    """Return the waiting tasks that need this one, unless it is completed."""
    if task.state == COMPLETED:
        return []
    query = sa.select(TASKS.c.id, TASKS.c.after).where(TASKS.c.state == WAITING)
    rows = connection.execute(query.order_by(TASKS.c.id))
    return [id_ for id_, after in rows if task.id in (after or ())]


def remove(connection: sa.Connection, task: QueuedTask) -> None:
    """Forget a task that isn't running; its runs still count for the budget.

    Nothing waits for it any more.
    """
    if task.state == RUNNING:
        raise wrong_state(task, "remove")
    connection.execute(sa.delete(TASKS).where(TASKS.c.id == task.id))
    for id_, after in connection.execute(sa.select(TASKS.c.id, TASKS.c.after)).all():
        if task.id in (after or ()):
            update(connection, id_, after=[other for other in after if other != task.id])


def load_runs(connection: sa.Connection, task: int) -> list[dict[str, Any]]:
    """Return the runs of a task, oldest first."""
    query = sa.select(RUNS).where(RUNS.c.task == task).order_by(RUNS.c.id)
    return [dict(row._mapping) for row in connection.execute(query)]


def wrong_state(task: QueuedTask, verb: str) -> CccError:
    """Return the error for a change that the state of the task doesn't allow."""
    reason, hint = f"queue.state_{task.state}", "queue.state_hint"
    return CccError("queue.cannot", hint=hint, verb=verb, id=task.id, reason=reason)
