"""Threads for what may take a while, such as the queue; none delays the end of the server.

The database may be locked by another program, or be on a machine that doesn't answer. Then pages
show the last look, and say so.
"""

import asyncio
import contextvars
import functools
import importlib.util
import os
import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct

from ccc import failure
from ccc.backlog import places
from ccc.errors import CccError
from ccc.sessions.known_keys import KnownKeys
from ccc.storage.paths import Paths

if TYPE_CHECKING:
    from ccc.backlog.snapshot import Snapshot
    from ccc.web.queue_access import Queue

Made = TypeVar("Made")
_ACTION_SECONDS = 5.0
_FIRST_SECONDS = 3.0
"""How long a page waits for the first look, which also loads the packages of the queue."""
_SECONDS = 0.5
_SILENT_SECONDS = 2.0  # after how long a page says that the queue doesn't answer


class Worker:
    """A thread that does one thing after the other, each in the language of whoever asks for it.

    A thread of `ThreadPoolExecutor` would keep the process until its work ends.
    """

    def __init__(self, name: str) -> None:
        self._jobs: queue.SimpleQueue[tuple[Future[Any], Callable[[], Any]]] = queue.SimpleQueue()
        threading.Thread(target=self._run, name=name, daemon=True).start()

    def begin(self, work: Callable[[], Made]) -> Future[Made]:
        """Do this after everything before it."""
        job: Future[Made] = Future()
        context = contextvars.copy_context()
        self._jobs.put((job, lambda: context.run(work)))
        return job

    async def do(self, work: Callable[[], Made]) -> Made:
        """Return the result of the work."""
        return await asyncio.wrap_future(self.begin(work))

    async def act(self, work: Callable[[], Made], problem: str, hint: str) -> Made:
        """Return the result of an action; raise CccError if it takes long, with what that means.

        `hint` says it if the action has begun; otherwise it never will.
        """
        job = self.begin(work)
        result = asyncio.wrap_future(job)
        done, _ = await asyncio.wait({result}, timeout=_ACTION_SECONDS)
        if not done:
            raise CccError(problem, hint="web.not_done" if job.cancel() else hint)
        return result.result()

    def _run(self) -> None:
        while True:
            job, work = self._jobs.get()
            if not job.set_running_or_notify_cancel():
                continue
            try:
                job.set_result(work())
            except BaseException as error:
                job.set_exception(error)
            del job, work  # nothing is kept while the thread waits


@functools.cache
def _is_installed() -> bool:
    return importlib.util.find_spec("sqlalchemy") is not None


def has_queue(where: Paths) -> bool:
    """Return whether there is a queue that can be opened."""
    return places.queue_configured(where, os.environ) and _is_installed()


class LastLook(Struct, frozen=True):
    """The last look at the queue."""

    snapshot: "Snapshot | None" = None
    problem: CccError | None = None  # why there is no later one


class QueueWatch:
    """Looks at the queue without letting anybody wait for long."""

    def __init__(self, where: Paths, keys: KnownKeys) -> None:
        self._where, self._keys = where, keys
        self._queue: Queue | None = None
        self._worker = Worker("queue")
        self._look: asyncio.Future[LastLook] | None = None
        """The look that is under way."""
        self._begun_at = 0.0
        self.last = LastLook()

    async def look(self) -> None:
        """Look at the queue if it may have changed, and wait a moment for that."""
        if self._look is None:
            job = self._worker.begin(self._take)
            self._begun_at, self._look = time.monotonic(), asyncio.wrap_future(job)
            self._look.add_done_callback(self._note)
        limit = _SECONDS if self.last.snapshot else _FIRST_SECONDS
        left = self._begun_at + limit - time.monotonic()
        done, _ = await asyncio.wait({self._look}, timeout=max(0.0, left))
        if not done and time.monotonic() - self._begun_at > _SILENT_SECONDS:
            silent = CccError("web.queue_silent")
            self.last = LastLook(self.last.snapshot, silent)

    def _note(self, look: asyncio.Future[LastLook]) -> None:
        self._look = None
        if not look.cancelled():
            self.last = look.result()

    def _take(self) -> LastLook:
        """Look, in the thread; texts are made by whoever shows them."""
        if not has_queue(self._where):
            if self._queue:
                self._queue.close()
            return LastLook()
        try:
            return LastLook(self._open().look())
        except CccError as error:
            problem = error
        except Exception:
            failure.print_if_debugging()
            problem = CccError("web.failed")
        return LastLook(self._queue.last if self._queue else None, problem)

    def _open(self) -> "Queue":
        # SQLAlchemy takes 0.15 s, longer than the server's start, and may not be installed
        from ccc.web.queue_access import Queue

        self._queue = self._queue or Queue(self._where, self._keys)
        return self._queue

    async def act(self, change: "Callable[[Queue], None]") -> None:
        """Change the queue; raise CccError if that isn't possible."""

        def make() -> None:
            if not has_queue(self._where):
                raise CccError("web.no_queue")
            change(self._open())

        await self._worker.act(make, "web.queue_silent", "web.queue_unknown")
