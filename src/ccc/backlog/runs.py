"""The runs of tasks in the database: start, take over, count, end. Each is one transaction.

A run belongs to the worker that last increased its fence. Another worker may still believe that it
has the run, but can't end it or count its cost any more.
"""

import time
from collections.abc import Callable, Sequence
from typing import Any

import sqlalchemy as sa
from msgspec import Struct
from msgspec.structs import replace

from ccc.backlog import admission, settings, store
from ccc.backlog.admission import (
    DAY_SECONDS,
    AdmissionObstacle,
    Capacity,
    Settings,
    Spent,
    Start,
    Who,
)
from ccc.backlog.database import Database
from ccc.backlog.tables import RUNS, TASKS
from ccc.backlog.task import CANCELLED, RUNNING, WAITING, QueuedTask

RATE_SECONDS = 60.0  # the minute of a provider's starts per minute; tests have a shorter one
_ANYONE = Who()


class Claim(Struct, frozen=True):
    """A worker's right to a run."""

    run: int
    task: int
    fence: int
    provider: str
    reserved_usd: float
    cost_usd: float = 0.0  # what the run had cost when the worker got it
    session: str = ""
    before_usd: float = 0.0  # what to subtract from the session's cost


def admit(database: Database, who: Who, free: int) -> tuple[list[Claim], AdmissionObstacle | None]:
    """Start waiting tasks, at most `free`, within all limits.

    Also return what the next one lacks if that is budget.
    """
    # most of the time nothing can start, and then nobody else has to wait for this
    with database.read() as connection:
        starts, shortage = _find_starts(connection, who, free, time.time())
    if not starts:
        return [], shortage
    with database.change() as connection:
        # after the wait for other changes: a start counts for a whole minute
        now = time.time()
        starts, shortage = _find_starts(connection, who, free, now)
        return [_start(connection, each, who, now) for each in starts], shortage


def _find_starts(
    connection: sa.Connection, who: Who, free: int, now: float
) -> tuple[list[Start], AdmissionObstacle | None]:
    """Return what may start now; if that is nothing for lack of budget, also the obstacle."""
    rules = settings.load(connection)
    if rules.is_paused:
        return [], None
    capacity = look(connection, rules, now, who)
    waiting = store.load_waiting(connection, capacity.blocked_provider_lists)
    starts = admission.choose(waiting, capacity, free)
    return starts, None if starts else capacity.shortage


def _start(connection: sa.Connection, start: Start, who: Who, now: float) -> Claim:
    task = start.task
    values = {"task": task.id, "provider": start.provider, "worker": who.worker}
    values |= {"started_at": now, "reserved_usd": start.reserved_usd}
    insert = sa.insert(RUNS).values(values).returning(RUNS.c.id)
    run = connection.execute(insert).scalar_one()
    store.update(
        connection,
        task.id,
        state=RUNNING,
        run=run,
        runs=task.runs + 1,
        worker=who.worker,
        provider=start.provider,
        # a task without a provider stays with the one that it started with
        providers=task.providers or (start.provider,),
        started_at=now,
        ended_at=0.0,
        outcome="",
        detail="",
    )
    return Claim(run, task.id, 1, start.provider, reserved_usd=start.reserved_usd)


def find_dead(
    database: Database, is_dead: Callable[[str, int], bool], who: Who
) -> list[tuple[int, str]]:
    """Return the runs that nobody works on and that this machine can take, with their workers.

    A repository in a directory is on its own machine only.
    """
    is_here = TASKS.c.host.in_(("", who.host)) | TASKS.c.repo.not_like("/%")
    has_provider = RUNS.c.provider.in_(("", *who.providers))
    query = (
        sa.select(RUNS.c.id, RUNS.c.worker)
        .join(TASKS, TASKS.c.id == RUNS.c.task)
        .where(RUNS.c.ended_at.is_(None), is_here, has_provider)
        .order_by(RUNS.c.id)
    )
    with database.read() as connection:
        rows = connection.execute(query).all()
    return [(run, worker) for run, worker in rows if is_dead(worker, run)]


def take_over(database: Database, run: int, worker: str, who: Who) -> Claim | None:
    """Take a run from a dead worker; None if another one was faster."""
    with database.change() as connection:
        claim = (
            sa.update(RUNS)
            .where(RUNS.c.id == run, RUNS.c.worker == worker, RUNS.c.ended_at.is_(None))
            .values(worker=who.worker, fence=RUNS.c.fence + 1)
            .returning(RUNS)
        )
        row = connection.execute(claim).one_or_none()
        if row is None:
            return None
        store.update(connection, row.task, worker=who.worker)
        known = (name for name in Claim.__struct_fields__ if name != "run")
        return Claim(run, **{name: getattr(row, name) for name in known})


def _is_ours(claim: Claim) -> sa.ColumnElement[bool]:
    return (RUNS.c.id == claim.run) & (RUNS.c.fence == claim.fence) & RUNS.c.ended_at.is_(None)


def begin_session(database: Database, claim: Claim, session: str, session_usd: float) -> Claim:
    """Note the session of a run, and what it has cost before."""
    if session == claim.session:
        return claim
    before = session_usd - claim.cost_usd
    with database.change() as connection:
        values = {"session": session, "before_usd": before}
        connection.execute(sa.update(RUNS).where(_is_ours(claim)).values(values))
    return replace(claim, session=session, before_usd=before)


def record_cost(database: Database, claim: Claim, cost_usd: float, **changes: object) -> bool:
    """Store what the run has cost so far, and facts about its task; False if it was lost."""
    with database.change() as connection:
        ours = sa.update(RUNS).where(_is_ours(claim)).values(cost_usd=cost_usd)
        if not connection.execute(ours).rowcount:
            return False
        store.update(connection, claim.task, cost_usd=_cost(connection, claim.task), **changes)
        return True


def end(
    database: Database, claim: Claim, cost_usd: float, pause_until: float = 0.0, **changes: Any
) -> bool:
    """End the run and settle its cost; False if it has ended already or belongs to another.

    Nobody starts a task on its provider before `pause_until`.
    """
    now = time.time()
    with database.change() as connection:
        outcome = str(changes.get("outcome", ""))
        ours = sa.update(RUNS).where(_is_ours(claim))
        ended = ours.values(ended_at=now, cost_usd=cost_usd, outcome=outcome)
        if not connection.execute(ended).rowcount:
            return False
        if pause_until:
            settings.pause_provider(connection, claim.provider, pause_until)
        task = store.get(connection, claim.task)
        if task is None:  # removed by hand
            return True
        if task.is_cancelled and changes.get("state") == WAITING:
            changes["state"] = CANCELLED
        store.update(
            connection,
            claim.task,
            cost_usd=_cost(connection, claim.task),
            worker="",
            ended_at=now,
            is_cancelled=False,
            **changes,
        )
        return True


def _cost(connection: sa.Connection, task: int) -> float:
    query = sa.select(sa.func.sum(RUNS.c.cost_usd)).where(RUNS.c.task == task)
    return connection.execute(query).scalar() or 0.0


def check(database: Database, claims: Sequence[Claim]) -> tuple[set[int], set[int]]:
    """Return the runs that have ended or belong to another worker, and those to be cancelled."""
    numbers = {each.run for each in claims}
    if not numbers:
        return set(), set()
    query = (
        sa.select(RUNS.c.id, RUNS.c.fence, TASKS.c.is_cancelled)
        .outerjoin(TASKS, TASKS.c.run == RUNS.c.id)
        .where(RUNS.c.id.in_(numbers), RUNS.c.ended_at.is_(None))
    )
    with database.read() as connection:
        found = {(run, fence): value for run, fence, value in connection.execute(query)}
    lost = {each.run for each in claims if (each.run, each.fence) not in found}
    return lost, {run for (run, _), is_cancelled in found.items() if is_cancelled}


def task_of(database: Database, claim: Claim) -> QueuedTask:
    """Return the task of a run."""
    with database.read() as connection:
        return store.get(connection, claim.task) or QueuedTask(claim.task)


def look(connection: sa.Connection, rules: Settings, now: float, who: Who = _ANYONE) -> Capacity:
    """Return what is running and what the limits are."""
    counts = sa.select(RUNS.c.provider, sa.func.count()).group_by(RUNS.c.provider)
    running = counts.where(RUNS.c.ended_at.is_(None))
    started = counts.where(RUNS.c.started_at > now - RATE_SECONDS)
    return Capacity(
        now,
        rules,
        who,
        running=dict(map(tuple, connection.execute(running))),
        started=dict(map(tuple, connection.execute(started))),
        left_usd=rules.budget.left(spent(connection, now)),
        states=store.states_of_awaited(connection),
    )


def spent(connection: sa.Connection, now: float) -> Spent:
    """Return what all runs have cost; a running one counts with what is reserved for it."""
    is_running = RUNS.c.ended_at.is_(None)
    cost = sa.case(
        (is_running & (RUNS.c.reserved_usd > RUNS.c.cost_usd), RUNS.c.reserved_usd),
        else_=RUNS.c.cost_usd,
    )
    today = sa.case((is_running | (RUNS.c.ended_at > now - DAY_SECONDS), cost), else_=0.0)
    own = sa.case((is_running, RUNS.c.cost_usd), else_=cost)
    sums = (sa.func.coalesce(sa.func.sum(each), 0.0) for each in (today, cost, cost - own))
    of_today, total, reserved = connection.execute(sa.select(*sums)).one()
    return Spent(of_today, total, reserved)


def budget_frees_at(connection: sa.Connection, now: float) -> float:
    """Return when the oldest cost leaves the last 24 hours; 0 if there is none."""
    query = sa.select(sa.func.min(RUNS.c.ended_at)).where(
        RUNS.c.ended_at > now - DAY_SECONDS, RUNS.c.cost_usd > 0
    )
    oldest = connection.execute(query).scalar()
    return oldest + DAY_SECONDS if oldest else 0.0


def next_moment(connection: sa.Connection, rules: Settings, now: float) -> float:
    """Return when more may start though nobody changes anything; 0 if never.

    A provider's pause ends, or a start leaves the last minute, or a cost the last 24 hours.
    """
    moments = [until for until in rules.paused_until.values() if until > now]
    if any(limit.per_minute for limit in rules.limits.values()):
        query = sa.select(sa.func.min(RUNS.c.started_at))
        oldest = connection.execute(query.where(RUNS.c.started_at > now - RATE_SECONDS)).scalar()
        moments += [oldest + RATE_SECONDS] if oldest else []
    if rules.budget.per_day is not None and (frees_at := budget_frees_at(connection, now)):
        moments.append(frees_at)
    return min(moments, default=0.0)
