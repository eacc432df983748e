"""An unattended run in its session's state: every change is kept at once, with time and cost."""

import os
import threading
import time
from dataclasses import replace

from ccc.errors import CccError
from ccc.providers.usage import Cost, Meter, cost_on_record
from ccc.sessions import tail
from ccc.storage import state
from ccc.supervision import run_state
from ccc.system import processes
from ccc.text import jsontext, names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ccc.providers.prices import Prices
    from ccc.storage.journal import Journal
    from ccc.storage.paths import Paths
    from ccc.supervision.run_state import RunState

_BEAT_SECONDS = 5.0
_NOTHING = Cost()


class Keeper:
    """The run as it is now; `save` is the only thing that changes it."""

    def __init__(self, where: "Paths", session: str, journal: "Journal", run: "RunState") -> None:
        self.run = run
        self.cost = Cost()
        """Agent and reviews, as it was kept last."""
        self._unkept = Cost()
        self._where = where
        self._session = session
        self._journal = journal
        self._before, self._since = run.elapsed_seconds, time.monotonic()
        # what is typed is kept from a thread of its own
        self._lock = threading.RLock()
        self._over = threading.Event()
        threading.Thread(target=self._beat, daemon=True).start()

    @property
    def elapsed(self) -> float:
        """How long the run has taken, over all its continuations."""
        return self._before + time.monotonic() - self._since

    def save(self, spent: Cost = _NOTHING, **changes: "Any") -> None:
        """Change the run, and keep it: one write for the run and what it has cost."""
        with self._lock:
            self._save(replace(self.run, **changes), spent)

    def asked(self, text: str) -> None:
        """Keep a further request of the person's."""
        with self._lock:
            self._save(replace(self.run, requests=(*self.run.requests, text)), _NOTHING)

    def end(self) -> None:
        """No more signs of life."""
        self._over.set()

    def _save(self, run: "RunState", spent: Cost) -> None:
        self.run = replace(run, elapsed_seconds=self.elapsed, saved_at=time.time())
        raw, cost = run_state.dump(self.run), self._unkept + spent
        try:
            kept = state.change(
                self._where,
                self._session,
                lambda before: _charged(replace(before, run=raw), cost),
                lambda aside: self._journal.log("state corrupt", file=aside),
            )
        except CccError as error:
            # a disk that is full for a while must not end the work; it is kept with the next
            self._unkept = cost
            self.cost += spent
            self._journal.problem = self._journal.problem or str(error)
            return
        self._unkept = _NOTHING
        self.cost = cost_on_record(kept.cost_usd, kept.cost_source)

    def _beat(self) -> None:
        """Leave a sign of life: a run that is killed has taken its time up to the last one."""
        while not self._over.wait(_BEAT_SECONDS):
            try:
                os.utime(self._where.state(self._session))
            except OSError:
                continue


def _charged(before: state.State, cost: Cost) -> state.State:
    total = cost_on_record(before.cost_usd, before.cost_source) + cost
    return replace(before, cost_usd=total.usd, cost_source=total.source)


def begin(where: "Paths", session: str, run: "RunState") -> None:
    """Keep a new run, whose task begins now, unless one of that name is under way."""

    def begun(before: state.State) -> state.State:
        known, others = run_state.parse(before.run), before.pid != os.getpid()
        if known and not known.outcome and others and processes.is_alive(before.pid, "ccc"):
            raise CccError("run.under_way", directory=known.cwd, pid=before.pid)
        return state.State(
            session,
            enabled=True,
            enabled_at=time.time(),
            created_at=before.created_at,
            pid=os.getpid(),
            prompt_id=names.uuid(os.urandom(16)),
            task_started=time.time(),
            run=run_state.dump(run),
            other=before.other,
        )

    state.change(where, session, begun)


def take_over(where: "Paths", session: str, pid: int) -> None:
    """Keep that the run is ours now, unless another was faster since we saw its process id."""

    def ours(before: state.State) -> state.State:
        if before.pid != pid:
            raise CccError("run.under_way", directory=os.getcwd(), pid=before.pid)
        return replace(before, enabled=True, pid=os.getpid())

    state.change(where, session, ours)


def uncounted(
    record: str, begin: int, end: int, price_of: "Callable[[str], Prices | None]"
) -> Cost:
    """What the requests in a part of a stream's record cost: a kill leaves no bill."""
    meter = Meter(price_of)
    for line in tail.part(record, begin, end) if 0 <= begin < end else []:
        meter.see(jsontext.object_in(line) or {})
    return meter.bill({})


def last_sign(where: "Paths", session: str) -> float:
    """When the run was last known to be under way."""
    found = [0.0]
    for path in (where.state(session), where.agent_output(session), where.review_output(session)):
        try:
            found.append(os.stat(path).st_mtime)
        except OSError:
            continue
    return max(found)
