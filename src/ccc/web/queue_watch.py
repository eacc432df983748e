"""What the pages know about the queue: a thread of its own looks at it and changes it.

The database may be locked by another program, or be on a machine that doesn't answer. Then pages
show the last look, and say so.
"""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ccc.errors import CccError
from ccc.storage.paths import Paths
from ccc.web.known_keys import KnownKeys
from ccc.web.queue import Queue
from ccc.web.threads import Worker, print_if_debugging

if TYPE_CHECKING:
    from ccc.backlog.snapshot import Snapshot


_FIRST_SECONDS = 3.0
"""How long a page waits for the first look, which also loads the packages of the queue."""
_SECONDS = 0.5
_SILENT_SECONDS = 2.0
"""After how long a page says that the queue doesn't answer."""


@dataclass(frozen=True, slots=True)
class Seen:
    """The last look at the queue."""

    snapshot: "Snapshot | None" = None
    problem: CccError | None = None
    """Why there is no later one."""


class QueueWatch:
    """Looks at the queue without letting anybody wait for long."""

    def __init__(self, where: Paths, keys: KnownKeys) -> None:
        self._queue = Queue(where, keys)
        self._worker = Worker("queue")
        self._look: asyncio.Future[Seen] | None = None
        """The look that is under way."""
        self._begun_at = 0.0
        self.seen = Seen()

    async def look(self) -> None:
        """Look at the queue if it may have changed, and wait a moment for that."""
        if self._look is None:
            job = self._worker.begin(self._take)
            self._begun_at, self._look = time.monotonic(), asyncio.wrap_future(job)
            self._look.add_done_callback(self._note)
        limit = _SECONDS if self.seen.snapshot else _FIRST_SECONDS
        left = self._begun_at + limit - time.monotonic()
        done, _ = await asyncio.wait({self._look}, timeout=max(0.0, left))
        if not done and time.monotonic() - self._begun_at > _SILENT_SECONDS:
            silent = CccError("web.queue_silent", hint="web.queue_silent_hint")
            self.seen = Seen(self.seen.snapshot, silent)

    def _note(self, look: asyncio.Future[Seen]) -> None:
        self._look = None
        if not look.cancelled():
            self.seen = look.result()

    def _take(self) -> Seen:
        """Look, in the thread; texts are made by whoever shows them."""
        try:
            return Seen(self._queue.look())
        except CccError as error:
            return Seen(self._queue.last, error)
        except Exception:
            print_if_debugging()
            return Seen(self._queue.last, CccError("web.failed"))

    async def act(self, change: Callable[[Queue], None]) -> None:
        """Change the queue; raise CccError if that isn't possible."""
        unknown = "web.queue_unknown"
        await self._worker.act(lambda: change(self._queue), "web.queue_silent", unknown)
