"""Workers of the queue that are killed: each task ends once, and no limit is exceeded."""

import random
import signal
import time

import pytest

from ccc.backlog import runs, settings
from ccc.backlog.admission import ProviderLimit
from ccc.backlog.budget import Budget
from ccc.backlog.task import COMPLETED
from harness.backlog import COST, Backlog

TASKS, KILLS, WORKERS, JOBS, LIMIT = 200, 50, 4, 2, 6


@pytest.mark.thorough
def test_killed_workers(backlog: Backlog) -> None:
    """200 tasks, 4 workers, 50 kills: every task ends once, limits hold, the budget is exact."""
    with backlog.database.change() as connection:
        settings.set_limit(connection, "kimi", ProviderLimit(jobs=LIMIT))
        settings.set_budget(connection, Budget(total=1_000_000.0))
    backlog.add(TASKS)
    workers = [backlog.start_worker(JOBS) for _ in range(WORKERS)]
    kills, until = 0, time.monotonic() + 400
    while not all(task.is_ended for task in backlog.tasks()):
        assert time.monotonic() < until, backlog.logs()[-5000:]
        assert backlog.running() <= LIMIT
        assert len(backlog.alive()) <= LIMIT
        time.sleep(random.uniform(0.1, 0.5))
        # a worker needs a second to start
        if kills < KILLS and backlog.noted()["start"]:
            victim = random.randrange(WORKERS)
            workers[victim].send_signal(signal.SIGKILL)
            workers[victim].wait()
            workers[victim] = backlog.start_worker(JOBS)
            kills += 1
    assert kills == KILLS
    tasks, noted = backlog.tasks(), backlog.noted()
    others = [task for task in tasks if task.state != COMPLETED]
    assert not others
    assert not noted["twice"]
    with backlog.database.read() as connection:
        spent = runs.spent(connection, time.time())
    assert spent.total == pytest.approx(TASKS * COST)
    assert sum(task.cost_usd for task in tasks) == pytest.approx(TASKS * COST)
    assert backlog.running() == 0
    assert not backlog.alive()
    assert {task.branch for task in tasks} <= set(
        backlog.git("branch", "--format=%(refname:short)").split()
    )
    assert all(task.commits == 1 for task in tasks)
