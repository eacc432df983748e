"""Threads for what may take a while; none of them delays the end of the server."""

import asyncio
import os
import queue
import threading
import traceback
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

Made = TypeVar("Made")


class Slow(Exception):
    """Something isn't done in time."""

    def __init__(self, has_begun: bool) -> None:
        super().__init__()
        self.has_begun = has_begun
        """Whether it may still be done; otherwise it never will."""


class Worker:
    """A thread that does one thing after the other.

    A thread of `ThreadPoolExecutor` would keep the process until its work ends.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._jobs: queue.SimpleQueue[tuple[Future[Any], Callable[[], Any]]] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    def begin(self, work: Callable[[], Made]) -> "Future[Made]":
        """Do this after everything before it."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
            self._thread.start()
        job: Future[Made] = Future()
        self._jobs.put((job, work))
        return job

    async def do(self, work: Callable[[], Made], seconds: float | None = None) -> Made:
        """Return the result of the work; raise Slow if it takes longer than the seconds."""
        job = self.begin(work)
        result = asyncio.wrap_future(job)
        done, _ = await asyncio.wait({result}, timeout=seconds)
        if not done:
            raise Slow(has_begun=not job.cancel())
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


def print_if_debugging() -> None:
    """Print where an exception comes from, for somebody who looks for the reason."""
    if os.environ.get("CCC_DEBUG"):
        traceback.print_exc()
