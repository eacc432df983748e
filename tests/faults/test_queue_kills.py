"""Workers of the queue that are killed: each task ends once, and no limit is exceeded."""

import collections
import random
import signal
import time

import pytest

from ccc.backlog import runs, settings
from ccc.backlog.admission import Budget, ProviderLimit
from ccc.backlog.task import COMPLETED, RUNNING, WAITING
from harness.backlog import COST, Backlog
from harness.processes import wait_until

TASKS, KILLS, WORKERS, JOBS, LIMIT = 200, 50, 4, 2, 6
SECONDS = 0.4
"""What a stand-in takes: long enough to be hit."""
PAID, MORE = 20, 10
"""How many tasks the small budget allows, and how many there are besides."""


class Killer:
    """Kills workers while they run something, and looks at the limits meanwhile."""

    def __init__(self, backlog: Backlog, kills: int) -> None:
        self.backlog = backlog
        self.kills_left = kills
        self.most_running = 0
        self.most_of_worker = 0

    def look(self) -> None:
        """Assert that no limit is exceeded at this moment."""
        running = self.backlog.running()
        tasks = [task for task in self.backlog.tasks() if task.state == RUNNING]
        of_worker = collections.Counter(task.worker for task in tasks).most_common(1)
        self.most_running = max(self.most_running, running)
        self.most_of_worker = max([self.most_of_worker, *(count for _, count in of_worker)])
        assert self.most_running <= LIMIT
        assert self.most_of_worker <= JOBS
        assert len(self.backlog.alive()) <= LIMIT

    def kill(self) -> None:
        """Kill a worker at a random moment of a run, and start another one."""
        wait_until(self.backlog.busy_workers, "a worker that runs something", timeout=30)
        time.sleep(random.uniform(0.0, SECONDS))
        busy = self.backlog.busy_workers()
        if not busy:
            return
        victim = random.choice(busy)
        victim.send_signal(signal.SIGKILL)
        victim.wait()
        self.backlog.start_worker(JOBS)
        self.kills_left -= 1


def repeated(backlog: Backlog) -> int:
    """Return how many starts of stand-ins were repetitions."""
    starts = [task for task, _ in backlog.noted()["start"]]
    return len(starts) - len(set(starts))


def assert_nothing_left(backlog: Backlog) -> None:
    """Assert that no run is open, and no process of one is running."""
    assert backlog.running() == 0
    wait_until(lambda: not backlog.alive() and not backlog.alive_children(), timeout=5)


@pytest.mark.thorough
def test_killed_workers(backlog: Backlog) -> None:
    """200 tasks, 4 workers, 50 kills: every task ends once, and limits hold."""
    with backlog.database.change() as connection:
        settings.change(connection, limits={"kimi": ProviderLimit(jobs=LIMIT)})
        settings.change(connection, budget=Budget(total=1_000_000.0))
    backlog.environ["STANDIN_SECONDS"] = str(SECONDS)
    backlog.add(TASKS)
    for _ in range(WORKERS):
        backlog.start_worker(JOBS)
    killer, until = Killer(backlog, KILLS), time.monotonic() + 500
    while not all(task.is_ended for task in backlog.tasks()):
        assert time.monotonic() < until, backlog.logs()[-5000:]
        killer.look()
        if killer.kills_left:
            killer.kill()
        else:
            time.sleep(0.1)
    assert not killer.kills_left
    assert (killer.most_running, killer.most_of_worker) == (LIMIT, JOBS)
    assert repeated(backlog) >= KILLS * 0.8
    tasks = backlog.tasks()
    assert {task.state for task in tasks} == {COMPLETED}
    assert not backlog.noted()["twice"]
    with backlog.database.read() as connection:
        spent = runs.spent(connection, time.time())
    assert spent.total == pytest.approx(TASKS * COST)
    assert sum(task.cost_usd for task in tasks) == pytest.approx(TASKS * COST)
    assert {task.branch for task in tasks} <= set(
        backlog.git("branch", "--format=%(refname:short)").split()
    )
    assert all(task.commits == 1 for task in tasks)
    assert_nothing_left(backlog)


@pytest.mark.thorough
def test_budget_of_killed_workers(backlog: Backlog) -> None:
    """A budget for 20 of 30 tasks, 3 workers, 8 kills: 20 are paid, and never more is promised."""
    # a running task reserves twice its cost, since its dearest request counts once more until it
    # ends; the rest is not enough for another one
    budget = (PAID + 1.5) * COST
    with backlog.database.change() as connection:
        settings.change(connection, limits={"kimi": ProviderLimit(jobs=LIMIT)})
        settings.change(connection, budget=Budget(total=budget))
    backlog.environ["STANDIN_SECONDS"] = str(SECONDS)
    backlog.add(PAID + MORE, limits={"max_cost_usd": 2 * COST})
    for _ in range(3):
        backlog.start_worker(JOBS)

    def paid() -> int:
        with backlog.database.read() as connection:
            spent = runs.spent(connection, time.time())
        assert spent.total <= budget + 1e-9
        return round((spent.total - spent.reserved) / COST)

    killer, until = Killer(backlog, 8), time.monotonic() + 120
    while paid() < PAID:
        assert time.monotonic() < until, backlog.logs()[-5000:]
        killer.look()
        if killer.kills_left and paid() < PAID - JOBS:
            killer.kill()
        else:
            time.sleep(0.1)
    assert not killer.kills_left
    time.sleep(2)  # nothing else starts
    states = collections.Counter(task.state for task in backlog.tasks())
    assert states == {COMPLETED: PAID, WAITING: MORE}
    assert repeated(backlog) >= 4
    assert paid() == PAID
    assert_nothing_left(backlog)
