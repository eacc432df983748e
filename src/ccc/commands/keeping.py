"""An unattended run in its session's state: every change is kept at once, with time and cost."""

import os
import threading
import time
from dataclasses import replace

from ccc.domain import run as runs
from ccc.storage import state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ccc.domain.run import Run
    from ccc.storage.journal import Journal
    from ccc.storage.paths import Paths


class Keeper:
    """The run as it is now; `save` is the only thing that changes it."""

    def __init__(self, where: "Paths", session: str, journal: "Journal", run: "Run") -> None:
        self.run = run
        self.cost_usd = 0.0
        """Agent and reviews, as it was kept last."""
        self._where = where
        self._session = session
        self._journal = journal
        self._before, self._since = run.elapsed_seconds, time.monotonic()
        # what is typed is kept from a thread of its own
        self._lock = threading.RLock()

    @property
    def elapsed(self) -> float:
        """How long the run has taken, over all its continuations."""
        return self._before + time.monotonic() - self._since

    def save(self, spent: float = 0.0, **changes: "Any") -> None:
        """Change the run, and keep it: one write for the run and what it has cost."""
        with self._lock:
            self._save(replace(self.run, **changes), spent)

    def asked(self, text: str) -> None:
        """Keep a further request of the person's."""
        with self._lock:
            self._save(replace(self.run, requests=(*self.run.requests, text)), 0.0)

    def _save(self, run: "Run", spent: float) -> None:
        self.run = replace(run, elapsed_seconds=self.elapsed, saved_at=time.time())
        raw = runs.dump(self.run)
        kept = state.change(
            self._where.state_dir,
            self._where.state(self._session),
            self._session,
            lambda before: replace(before, run=raw, cost_usd=before.cost_usd + spent),
            lambda aside: self._journal.log("state corrupt", file=aside),
        )
        self.cost_usd = kept.cost_usd


def begin(where: "Paths", session: str, run: "Run") -> None:
    """Keep a new run, whose task begins now."""
    raw, now = runs.dump(run), time.time()

    def begun(before: state.State) -> state.State:
        return replace(before, run=raw, prompt_id=session, task_started=now, pid=os.getpid())

    state.change(where.state_dir, where.state(session), session, begun, lambda aside: None)


def take_over(where: "Paths", session: str) -> None:
    """Keep that the run is ours now."""

    def ours(before: state.State) -> state.State:
        return replace(before, pid=os.getpid())

    state.change(where.state_dir, where.state(session), session, ours, lambda aside: None)
