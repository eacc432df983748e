"""`ccc web` while the queue or ccc's records make it wait: nothing else waits with it."""

import asyncio
import fcntl
import os
import shutil
import signal
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from board import get, put
from looking import SENT_BACK, at_work

from ccc import words
from ccc.backlog import database, locks
from ccc.backlog.database import Database
from ccc.backlog.task import CANCELLED, RUNNING, WAITING, QueuedTask
from ccc.sessions.known_keys import KnownKeys
from ccc.storage.paths import Paths
from ccc.system import private_files
from ccc.web.browser import LANGUAGE
from ccc.web.queue_access import Queue
from ccc.web.threads import QueueWatch, Worker
from harness import CccProject
from harness.backlog import store_tasks
from harness.page import Answer, Browser, PageServer
from harness.postgres import Postgres, Proxy
from harness.processes import wait_until
from harness.records import Records, init, said


@contextmanager
def locked(stubbed: CccProject) -> Iterator[None]:
    """Another program is changing the queue."""
    other = sqlite3.connect(stubbed.claude_dir / "ccc" / "queue.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        other.close()


class Sent:
    """A form that is sent in the background."""

    def __init__(self, visitor: Browser, path: str, **values: str) -> None:
        token = visitor.form_token
        self.answer: Answer | None = None
        self.seconds = 0.0

        def send() -> None:
            start = time.monotonic()
            self.answer = visitor.post(path, token, **values)
            self.seconds = time.monotonic() - start

        self.thread = threading.Thread(target=send, daemon=True)
        self.thread.start()
        time.sleep(0.3)  # until the server has it


def look_around(server: PageServer, visitor: Browser) -> None:
    """Assert that everything but the queue answers at once."""
    start = time.monotonic()
    for path in ("/", "/history", f"/session/{SENT_BACK}", "/static/web.js"):
        assert visitor.get(path).status == 200, path
    assert Browser(server).get("/board").status == 401
    assert visitor.send("/queue/pause", b"token=x").status == 403
    assert time.monotonic() - start < 2


class TestLocked:
    """Another program holds a lock."""

    @pytest.mark.usefixtures("three_sessions")
    def test_the_queue(self, stubbed: CccProject, queue: Database) -> None:
        """An action on a locked queue says so within seconds; the pages go on meanwhile."""
        task = put(queue)
        with PageServer(stubbed) as server:
            visitor = server.browser()
            assert f"#{task.id}" in visitor.get("/board").text
            with locked(stubbed):
                sent = Sent(visitor, f"/queue/{task.id}/cancel", sure="yes", back="/board")
                look_around(server, visitor)
                assert sent.answer is None
                sent.thread.join(10)
                assert sent.seconds < 5
                text = visitor.get("/board").text
                assert "another program is changing the queue" in text
                assert "Nothing was changed" in text
            assert get(queue, task).state == WAITING
            visitor.post(f"/queue/{task.id}/cancel", sure="yes")
            assert get(queue, task).state == CANCELLED

    def test_the_end(self, stubbed: CccProject, queue: Database) -> None:
        """Ctrl-C ends the server while an action waits."""
        put(queue)
        with PageServer(stubbed) as server, locked(stubbed):
            Sent(server.browser(), "/queue/pause")
            start = time.monotonic()
            assert server.end(signal.SIGINT) == 0
            assert time.monotonic() - start < 4  # the action would wait longer

    def test_the_records(
        self, server: PageServer, visitor: Browser, three_sessions: Records
    ) -> None:
        """So does an action on a session while another program holds the lock of the records."""
        three_sessions.change(SENT_BACK, **at_work())
        with open(three_sessions.directory / "lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            sent = Sent(visitor, f"/session/{SENT_BACK}/supervise", word="off")
            look_around(server, visitor)
            assert sent.answer is None
            sent.thread.join(10)
            assert sent.seconds < 7
            assert "holds the lock" in visitor.get("/").text
        wait_until(lambda: "Turn supervision on" in visitor.get("/").text)


@pytest.mark.thorough
def test_a_database_that_does_not_answer(stubbed: CccProject, three_sessions: Records) -> None:
    """The board shows the last look and says so, sessions go on, and it recovers."""
    postgres = Postgres()
    url = postgres.database()
    proxy = Proxy(url)
    queue = database.connect(Paths(stubbed.env), {database.URL: url})
    try:
        task = put(queue, text="Rename the option")
        with PageServer(stubbed, CCC_QUEUE_URL=proxy.url) as server:
            visitor = server.browser()
            with visitor.events("board") as board, visitor.events("now") as now:
                board.wait_for("Rename the option")
                now.wait_for("importer")
                put(queue, text="Sort the imports")
                _, took = board.wait_for("Sort the imports")
                assert took < 2
                worker = locks.WorkerLock(queue, Paths(stubbed.env), 1)
                put(queue, state=RUNNING, worker=worker.name, started_at=time.time())
                board.wait_for("data-since")
                assert worker._connection is not None
                worker._connection.invalidate()  # as if the worker had been killed
                _, took = board.wait_for("interrupted: worker gone")
                assert took < 2
                proxy.freeze()
                text, _ = board.wait_for("the queue doesn&#x27;t answer")
                assert "Rename the option" in text
                assert "This is how the queue was at" in text
                three_sessions.append(SENT_BACK, "output.jsonl", init(), said("I look around."))
                three_sessions.change(SENT_BACK, **at_work())
                _, took = now.wait_for("I look around.")
                assert took < 2
                sent = Sent(visitor, f"/queue/{task.id}/cancel", sure="yes", back="/board")
                look_around(server, visitor)
                sent.thread.join(10)
                assert sent.seconds < 7
                assert "Nothing was changed" in visitor.get("/board").text
                assert get(queue, task).state == WAITING
                proxy.thaw()
                put(queue, text="Drop the cache")
                text, _ = board.wait_for("Drop the cache")
                assert "the queue doesn&#x27;t answer" not in text
                proxy.freeze()
                start = time.monotonic()
                assert server.end(signal.SIGINT) == 0
                assert time.monotonic() - start < 2
    finally:
        proxy.close()
        queue.close()
        postgres.remove()


@pytest.fixture
def where(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Paths:
    """The paths of a user with a queue in a file."""
    monkeypatch.delenv("CCC_QUEUE_URL", raising=False)
    return Paths({"CLAUDE_CONFIG_DIR": str(tmp_path / "claude")})


class TestLooks:
    """When the page looks at the queue again."""

    def test_a_change(self, where: Paths) -> None:
        """A change of another program, or of the page itself, is seen by the next look."""
        other, own = database.connect(where, {}), Queue(where, KnownKeys(where))
        seen = []
        for change in (
            lambda: put(other),
            lambda: own.pause(True),
            lambda: os.utime(where.config) if os.path.exists(where.config) else _write(where),
        ):
            change()
            seen.append(own.look())
            assert own.look() is seen[-1]
        assert len({id(each) for each in seen}) == 3
        assert seen[1].rules.is_paused
        other.close()
        own.close()

    def test_a_worker_that_is_killed(self, where: Paths, monkeypatch: pytest.MonkeyPatch) -> None:
        """Its lock ends without a change of the database."""
        other, own = database.connect(where, {}), Queue(where, KnownKeys(where))
        held, lock_file = [], private_files.open_file
        monkeypatch.setattr(
            *(private_files, "open_file"),
            lambda path, flags: held.append(lock_file(path, flags)) or held[-1],
        )
        lock = locks.WorkerLock(other, where, 1)
        put(other, state=RUNNING, worker=lock.name)
        before = own.look()
        assert [each["name"] for each in before.workers] == [lock.name]
        assert own.look() is before
        os.close(held[0])
        after = own.look()
        assert (after.workers, len(after.obstacles)) == ([], 1)
        other.close()
        own.close()

    def test_another_file(self, where: Paths, tmp_path: Path) -> None:
        """A database in the place of the first one is another queue; a removed one is none."""
        other = Paths({"CLAUDE_CONFIG_DIR": str(tmp_path / "other")})
        for paths, text in ((where, "The first"), (other, "The second")):
            opened = database.connect(paths, {})
            store_tasks(opened, [QueuedTask(text=text, repo="/r")])
            opened.close()

        async def look() -> None:
            own = QueueWatch(where, KnownKeys(where))
            await own.look()
            assert _titles(own) == ["The first"]
            os.replace(Path(other.state_dir, "queue.db"), Path(where.state_dir, "queue.db"))
            await own.look()
            assert _titles(own) == ["The second"]
            shutil.rmtree(where.state_dir)
            await own.look()
            assert _titles(own) == []

        asyncio.run(look())


def _write(where: Paths) -> None:
    Path(where.config).write_text('{"providers": {"kimi": {}}}')


def _titles(queue: QueueWatch) -> list[str]:
    snapshot = queue.last.snapshot
    return [task.title for task in snapshot.tasks] if snapshot else []


def test_each_request_has_its_language(monkeypatch: pytest.MonkeyPatch) -> None:
    """A text in another language doesn't change what others are told meanwhile."""
    words.use({"CCC_LANG": "en"})
    monkeypatch.setattr(words, "_choosers", [LANGUAGE.get])

    async def say(language: str) -> str:
        LANGUAGE.set(language)
        await asyncio.sleep(0)
        return await Worker("test").do(lambda: words.say("web.now"))

    async def say_all() -> list[str]:
        return await asyncio.gather(say("zh"), say("en"), say(""))

    assert asyncio.run(say_all()) == ["现在", "Now", "Now"]
    assert words.say("web.now") == "Now"
