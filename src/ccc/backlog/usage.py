"""What is used of the limits: running tasks, starts in the last minute, dollars."""

import sqlalchemy as sa

from ccc.backlog import store
from ccc.backlog.admission import Capacity
from ccc.backlog.budget import DAY_SECONDS, Spent
from ccc.backlog.settings import Settings
from ccc.backlog.tables import RUNS

RATE_SECONDS = 60.0  # the minute of a provider's starts per minute; tests have a shorter one


def look(connection: sa.Connection, rules: Settings, now: float) -> Capacity:
    """Return what is running and what the limits are."""
    counts = sa.select(RUNS.c.provider, sa.func.count()).group_by(RUNS.c.provider)
    running = counts.where(RUNS.c.ended_at.is_(None))
    started = counts.where(RUNS.c.started_at > now - RATE_SECONDS)
    return Capacity(
        now=now,
        is_paused=rules.is_paused,
        limits=rules.limits,
        paused_until=rules.paused_until,
        running=dict(map(tuple, connection.execute(running))),
        started=dict(map(tuple, connection.execute(started))),
        left_usd=rules.budget.left(spent(connection, now)),
        budget_usd=rules.budget.smallest,
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
