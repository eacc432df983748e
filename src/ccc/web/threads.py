"""Threads for what may take a while; none of them delays the end of the server."""

import asyncio
import contextvars
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

from ccc.errors import CccError

Made = TypeVar("Made")
_ACTION_SECONDS = 5.0


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
