"""Whether a worker that found nothing to start has to look again: a look at thousands is dear."""

import time

from ccc.backlog import settings, usage
from ccc.backlog.database import Database
from ccc.backlog.runs import Who

_LONGEST_SECONDS = 300.0
"""However little changes: a clock may have been set."""


class Recheck:
    """What a worker saw when it found nothing to start."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._seen: tuple[str, Who] | None = None
        self._began = time.monotonic()
        self._began_at = time.time()
        self._rests_until = 0.0

    def is_due(self, who: Who) -> bool:
        """Return whether something may have changed since the worker rests; it looks then."""
        # before the look: what changes during it counts as new
        seen = (self._database.version(), who)
        if seen == self._seen and time.monotonic() < self._rests_until:
            return False
        self._seen, self._rests_until = seen, 0.0
        self._began, self._began_at = time.monotonic(), time.time()
        return True

    def rest(self) -> None:
        """Note that nothing could start: wait for a change, or for a moment when more may start."""
        with self._database.read() as connection:
            rules = settings.load(connection)
            moment = usage.next_moment(connection, rules, self._began_at)
        seconds = moment - self._began_at if moment else _LONGEST_SECONDS
        self._rests_until = self._began + min(seconds, _LONGEST_SECONDS)
