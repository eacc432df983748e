"""An event loop in a separate thread, driven from the main thread."""

import asyncio
import sys
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from sys import UnraisableHookArgs


T = TypeVar("T")
_POLL_SECONDS = 0.2


class LoopThread:
    """Runs coroutines. Leftover SDK tasks fail silently at the end."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._loop.set_exception_handler(lambda loop, context: None)
        sys.unraisablehook = _ignore_coroutines
        threading.Thread(target=self._loop.run_forever, daemon=True).start()

    def submit(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Start the work and return its future."""
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Do the work, while handling signals that another thread received."""
        future = self.submit(work)
        while True:
            try:
                return future.result(_POLL_SECONDS)
            except FutureTimeout:
                if future.done():
                    raise

    def close(self) -> None:
        """Stop the loop without waiting for unfinished work."""
        self._loop.call_soon_threadsafe(self._loop.stop)


def _ignore_coroutines(error: "UnraisableHookArgs") -> None:
    # Python 3.14 passes only the name
    is_coroutine = asyncio.iscoroutine(error.object)
    if not is_coroutine and "<coroutine object" not in (error.err_msg or ""):
        sys.__unraisablehook__(error)
