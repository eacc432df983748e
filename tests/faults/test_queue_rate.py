"""The limit of starts per minute, with several workers as processes."""

import time

import pytest
import sqlalchemy as sa

from ccc.backlog import settings
from ccc.backlog.admission import ProviderLimit
from ccc.backlog.tables import RUNS
from ccc.backlog.task import COMPLETED, WAITING
from harness.backlog import Backlog
from harness.processes import wait_until

TASKS, WORKERS, JOBS, LIMIT, MINUTE = 11, 3, 4, 3, 3.0


def starts(backlog: Backlog, provider: str) -> list[float]:
    """Return when tasks started on a provider, in order."""
    query = sa.select(RUNS.c.started_at).where(RUNS.c.provider == provider)
    with backlog.database.read() as connection:
        return sorted(connection.execute(query).scalars())


@pytest.mark.thorough
def test_starts_per_minute(backlog: Backlog) -> None:
    """Three workers with twelve free places start three tasks in any minute, and no fewer."""
    with backlog.database.change() as connection:
        settings.change(connection, limits={"kimi": ProviderLimit(per_minute=LIMIT)})
    backlog.environ |= {"RATE_SECONDS": str(MINUTE), "STANDIN_SECONDS": "0.1"}
    for _ in range(WORKERS):
        backlog.start_worker(JOBS)
    begun = "worker_started"
    wait_until(lambda: backlog.logs().count(begun) == WORKERS, timeout=30)
    time.sleep(1)  # all of them look for work now
    backlog.add(TASKS, providers=("kimi",))
    backlog.add(LIMIT + 2, providers=("glm",))
    backlog.wait(60)
    assert {task.state for task in backlog.tasks()} == {COMPLETED}
    limited = starts(backlog, "kimi")
    assert len(limited) == TASKS
    for first, beyond in zip(limited, limited[LIMIT:], strict=False):
        assert beyond - first >= MINUTE
    # every minute is used, and another provider isn't held up
    assert limited[-1] - limited[0] < MINUTE * (TASKS // LIMIT + 1)
    other = starts(backlog, "glm")
    assert other[-1] - other[0] < MINUTE


@pytest.mark.thorough
def test_a_usage_limit_stops_every_worker(backlog: Backlog) -> None:
    """After a 429 in one worker, another one starts nothing on that provider, either."""
    backlog.environ |= {"STANDIN_OUTCOME": "agent_failed", "STANDIN_STATUS": "429"}
    backlog.add(1, providers=("kimi",))
    backlog.start_worker(1, once=True).wait(60)
    assert [task.state for task in backlog.tasks()] == [WAITING]
    backlog.environ |= {"STANDIN_OUTCOME": "completed", "STANDIN_STATUS": "0"}
    backlog.start_worker(JOBS)
    backlog.add(2, providers=("kimi",))
    (other,) = backlog.add(1, providers=("glm",))
    wait_until(lambda: [t for t in backlog.tasks() if t.state == COMPLETED], timeout=30)
    time.sleep(2)
    assert [task.id for task in backlog.tasks() if task.state == COMPLETED] == [other.id]
    assert len(starts(backlog, "kimi")) == 1
