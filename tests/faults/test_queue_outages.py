"""The queue when its database goes away, and when its workers are asked to stop."""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ccc.backlog import database, runs, store
from ccc.backlog.task import CANCELLED, COMPLETED, RUNNING, WAITING
from harness.backlog import COST, Backlog
from harness.postgres import Postgres, Proxy
from harness.processes import wait_until


@pytest.fixture
def local(tmp_path: Path) -> Iterator[Backlog]:
    """Return a queue on SQLite."""
    made = Backlog(tmp_path)
    yield made
    made.close()


@pytest.mark.thorough
@pytest.mark.parametrize("seconds", [1.0, 8.0])
def test_the_database_is_gone_and_back(tmp_path: Path, seconds: float) -> None:
    """Tasks go on while the database is away for a moment, and continue later otherwise."""
    server = Postgres()
    backlog = Backlog(tmp_path, server.database(), seconds=1.0)
    try:
        backlog.add(12)
        for _ in range(2):
            backlog.start_worker(2)
        wait_until(lambda: len(backlog.noted()["start"]) >= 4, timeout=30)
        server.stop()
        time.sleep(seconds)
        server.start()
        backlog.wait(90)
        assert [task.state for task in backlog.tasks()] == [COMPLETED] * 12, backlog.logs()
        assert not backlog.noted()["twice"]
        with backlog.database.read() as connection:
            assert runs.spent(connection, time.time()).total == pytest.approx(12 * COST)
    finally:
        backlog.close()
        server.remove()


@pytest.mark.thorough
def test_a_long_outage(tmp_path: Path) -> None:
    """A connection that was asked for during a long outage comes with the database."""
    server = Postgres()
    backlog = Backlog(tmp_path, server.database())
    engine = database.wait_for_connections(backlog.database.engine)
    try:
        with engine.connect() as connection:
            assert connection.exec_driver_sql("SELECT 1").scalar() == 1
        server.stop()
        with ThreadPoolExecutor() as pool:
            waiting = pool.submit(lambda: engine.connect().exec_driver_sql("SELECT 1").scalar())
            time.sleep(10)
            assert not waiting.done()
            server.start()
            assert waiting.result(15) == 1
    finally:
        engine.dispose()
        backlog.close()
        server.remove()


@pytest.mark.thorough
def test_a_worker_that_is_cut_off(tmp_path: Path) -> None:
    """A worker whose connections hang ends its runs before another one has them."""
    server = Postgres()
    url = server.database()
    proxy = Proxy(url)
    backlog = Backlog(tmp_path, url, seconds=60.0)
    try:
        backlog.add(1)
        first = backlog.start_worker(1, CCC_QUEUE_URL=proxy.url, CCC_QUEUE_HOST="one")
        wait_until(lambda: len(backlog.alive()) == 1, timeout=30)
        backlog.start_worker(1, CCC_QUEUE_HOST="one", STANDIN_SECONDS="0.1")
        time.sleep(2)
        proxy.freeze()
        wait_until(lambda: not backlog.alive(), timeout=8)
        proxy.drop()
        backlog.wait(60)
        assert [task.state for task in backlog.tasks()] == [COMPLETED]
        assert not backlog.noted()["twice"]
        first.send_signal(signal.SIGTERM)
        assert first.wait(20) == 0
    finally:
        proxy.close()
        backlog.close()
        server.remove()


@pytest.mark.thorough
def test_another_machine_starts_again(tmp_path: Path) -> None:
    """A task by URL is taken over by another machine, which has neither worktree nor session."""
    server = Postgres()
    backlog = Backlog(tmp_path, server.database(), seconds=60.0)
    try:
        backlog.git("clone", "--quiet", "--bare", ".", str(tmp_path / "origin.git"))
        origin = (tmp_path / "origin.git").as_uri()
        backlog.add(1, repo=origin, push=True)
        first = backlog.start_worker(1, CCC_QUEUE_HOST="one")
        wait_until(lambda: len(backlog.alive()) == 1, timeout=30)
        (before,) = backlog.tasks()
        first.send_signal(signal.SIGKILL)
        first.wait()
        shutil.rmtree(before.worktree)  # it is on the other machine
        backlog.start_worker(1, CCC_QUEUE_HOST="two", STANDIN_SECONDS="0.1")
        backlog.wait(60)
        (after,) = backlog.tasks()
        assert (after.state, after.host, after.is_pushed) == (COMPLETED, "two", True)
        branches = subprocess.run(
            ["git", "-C", str(tmp_path / "origin.git"), "branch", "--list", after.branch],
            capture_output=True,
            check=True,
        )
        assert after.branch.encode() in branches.stdout
        assert not backlog.noted()["twice"]
    finally:
        backlog.close()
        server.remove()


@pytest.mark.thorough
def test_setup_runs_until_it_succeeds(local: Backlog) -> None:
    """A killed or failed setup runs again; the agent never starts without it."""
    marker = local.root / "ready"
    setup = f"echo try >> {local.root}/tries; [ -e {marker} ] || sleep 60"
    local.add(1, setup=setup)
    first = local.start_worker(1)
    wait_until((local.root / "tries").exists, timeout=30)
    first.send_signal(signal.SIGKILL)
    first.wait()
    marker.touch()
    local.start_worker(1, once=True).wait(60)
    assert [task.state for task in local.tasks()] == [COMPLETED], local.logs()
    assert (local.root / "tries").read_text() == "try\ntry\n"
    assert len(local.noted()["start"]) == 1


@pytest.mark.thorough
def test_a_failed_setup_says_why(local: Backlog) -> None:
    """The task fails with the command's words, and a retry runs the setup again."""
    local.add(1, setup="echo broken tool; exit 3")
    local.start_worker(1, once=True).wait(60)
    (task,) = local.tasks()
    assert (task.state, task.outcome) == ("failed", "not_set_up")
    assert "broken tool" in task.detail
    assert not local.noted()["start"]


@pytest.mark.thorough
def test_cancelled_during_setup(local: Backlog) -> None:
    """Cancelling doesn't wait for a long setup, and ends its processes."""
    (task,) = local.add(1, setup=f"echo $$ > {local.root}/pid; sleep 60")
    local.start_worker(1)
    wait_until((local.root / "pid").exists, timeout=30)
    pid = int((local.root / "pid").read_text())
    start = time.monotonic()
    with local.database.change() as connection:
        store.cancel(connection, store.find(connection, task.id))
    wait_until(lambda: [t.state for t in local.tasks()] == [CANCELLED], timeout=10)
    assert time.monotonic() - start < 3
    # the task is cancelled when its processes have been killed, just before the last is reaped
    wait_until(lambda: not os.path.exists(f"/proc/{pid}"), timeout=5)


@pytest.mark.thorough
def test_a_stopped_worker_gives_its_tasks_back(local: Backlog) -> None:
    """SIGTERM ends the runs within seconds; their tasks wait, and the next worker takes them."""
    local.environ["STANDIN_SECONDS"] = "60"
    local.add(2)
    worker = local.start_worker(2)
    wait_until(lambda: len(local.alive()) == 2, timeout=20)
    worker.send_signal(signal.SIGTERM)
    assert worker.wait(10) == 0
    assert not local.alive()
    assert [task.state for task in local.tasks()] == [WAITING] * 2
    local.environ["STANDIN_SECONDS"] = "0.1"
    local.start_worker(2, once=True).wait(30)
    assert [task.state for task in local.tasks()] == [COMPLETED] * 2


@pytest.mark.thorough
def test_a_cancelled_task_ends_with_its_children(local: Backlog) -> None:
    """Cancelling ends a running task within three seconds, and a waiting one at once.

    The agent and a child of it ignore SIGTERM, another child has its own session.
    """
    local.environ |= {"STANDIN_SECONDS": "60", "STANDIN_STUBBORN": "1"}
    running, waiting = local.add(2)
    local.start_worker(1)
    wait_until(lambda: len(local.alive_children()) == 3, timeout=20)
    start = time.monotonic()
    for task in (running, waiting):
        with local.database.change() as connection:
            store.cancel(connection, store.find(connection, task.id))
    wait_until(lambda: not local.alive() and not local.alive_children(), timeout=3)
    wait_until(lambda: all(t.state == CANCELLED for t in local.tasks()), timeout=3)
    assert time.monotonic() - start < 3


@pytest.mark.thorough
def test_a_killed_worker_is_replaced_within_seconds(local: Backlog) -> None:
    """Another worker notices the death by the lock, and has the task again soon."""
    local.environ["STANDIN_SECONDS"] = "60"
    local.add(1)
    first = local.start_worker(1)
    wait_until(lambda: len(local.alive()) == 1, timeout=20)
    local.environ["STANDIN_SECONDS"] = "0.1"
    local.start_worker(1)
    time.sleep(1)
    assert [task.state for task in local.tasks()] == [RUNNING]
    first.send_signal(signal.SIGKILL)
    first.wait()
    start = time.monotonic()
    local.wait(15)
    assert time.monotonic() - start < 10
    assert [task.state for task in local.tasks()] == [COMPLETED]
    assert not local.noted()["twice"]
