"""A queue in which nothing can start: nobody looks at it or locks it for nothing."""

import time
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from ccc.backlog import database, runs, settings, store
from ccc.backlog.admission import Budget, ProviderLimit, Who
from ccc.backlog.database import Database
from ccc.backlog.poller import Recheck
from ccc.backlog.task import FAILED, QueuedTask
from ccc.storage.paths import Paths
from harness import CccProject
from harness.backlog import store_tasks
from harness.postgres import Postgres

WHO = Who("w", "here", "kimi", providers=("kimi",), living_hosts={"here"})


@pytest.fixture
def impatient(stubbed: CccProject, queue: Database) -> Database:
    """The same queue, for somebody who waits a moment only for others."""
    where = Paths(stubbed.env | {"CLAUDE_CONFIG_DIR": str(stubbed.claude_dir)})
    return database.connect(where, {}, patience_ms=200)


@pytest.fixture(params=["sqlite", "postgres"])
def any_queue(request: pytest.FixtureRequest, stubbed: CccProject) -> Iterator[Database]:
    """A queue on each kind of database."""
    server = Postgres() if request.param == "postgres" else None
    where = Paths(stubbed.env | {"CLAUDE_CONFIG_DIR": str(stubbed.claude_dir)})
    opened = database.connect(where, {"CCC_QUEUE_URL": server.database()} if server else {})
    try:
        yield opened
    finally:
        opened.close()
        if server:
            server.remove()


def block(queue: Database, how: str) -> None:
    """Add a task that can't start."""
    after: tuple[int, ...] = ()
    if how == "after":
        after = (store_tasks(queue, [QueuedTask(text="x", repo="/r", state=FAILED)])[0].id,)
    store_tasks(queue, [QueuedTask(text="y", repo="/r", after=after)])
    with queue.change() as connection:
        if how == "paused":
            settings.change(connection, is_paused=True)
        elif how == "budget":
            settings.change(connection, budget=Budget(total=0.0))
        elif how == "provider":
            settings.pause_provider(connection, "kimi", time.time() + 60)


@pytest.mark.parametrize("how", ["paused", "budget", "after", "provider"])
def test_nothing_to_start_waits_for_no_change(
    queue: Database, impatient: Database, how: str
) -> None:
    """A worker with nothing to start doesn't need the right to change the queue."""
    block(queue, how)
    with queue.change():
        claims, shortage = runs.admit(impatient, WHO, 2)
    assert not claims
    assert bool(shortage) == (how == "budget")
    impatient.close()


def rested(queue: Database) -> Recheck:
    """Return what a worker has noted that found nothing to start."""
    recheck = Recheck(queue)
    assert recheck.is_due(WHO)
    recheck.rest()
    return recheck


def test_a_change_ends_the_rest(any_queue: Database) -> None:
    """A worker looks again after any change of the queue, and of what it can run."""
    block(any_queue, "paused")
    recheck = rested(any_queue)
    assert not recheck.is_due(WHO)
    with any_queue.change() as connection:
        settings.change(connection, is_paused=False)
    assert recheck.is_due(WHO)
    recheck.rest()
    assert not recheck.is_due(WHO)
    assert recheck.is_due(replace(WHO, providers=("kimi", "glm")))


def test_a_start_ends_the_rest(queue: Database) -> None:
    """After a start the worker looks again: more may start."""
    store_tasks(queue, [QueuedTask(text="x", repo="/r")] * 2)
    recheck = Recheck(queue)
    assert recheck.is_due(WHO)
    assert len(runs.admit(queue, WHO, 1)[0]) == 1
    assert recheck.is_due(WHO)


def test_a_moment_ends_the_rest(queue: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """The end of a provider's pause, or of the minute of a start, ends the rest in time."""
    with queue.change() as connection:
        settings.pause_provider(connection, "kimi", time.time() + 0.4)
    recheck = rested(queue)
    assert not recheck.is_due(WHO)
    time.sleep(0.5)
    assert recheck.is_due(WHO)
    monkeypatch.setattr("ccc.backlog.runs.RATE_SECONDS", 0.8)
    store_tasks(queue, [QueuedTask(text="x", repo="/r")] * 2)
    with queue.change() as connection:
        settings.change(connection, limits={"kimi": ProviderLimit(per_minute=1)})
    assert len(runs.admit(queue, WHO, 2)[0]) == 1
    recheck = rested(queue)
    assert not recheck.is_due(WHO)
    time.sleep(0.9)
    assert recheck.is_due(WHO)
    assert len(runs.admit(queue, WHO, 2)[0]) == 1


def test_one_moment(any_queue: Database) -> None:
    """All queries of one look see the same moment, whatever others change meanwhile."""
    with any_queue.read() as connection:
        assert store.totals(connection) == {}
        store_tasks(any_queue, [QueuedTask(text="x", repo="/r")])
        assert store.totals(connection) == {}
        assert not store.load(connection)
    with any_queue.read() as connection:
        assert store.totals(connection) == {"waiting": 1}
