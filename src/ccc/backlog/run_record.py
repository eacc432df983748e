"""What `ccc run` has recorded about the run of a task."""

from dataclasses import dataclass

from ccc.storage import sessions
from ccc.storage.paths import Paths


@dataclass(frozen=True, slots=True)
class RunRecord:
    """A run, as far as it is."""

    session: str
    provider: str
    outcome: str
    cost_usd: float
    cost_source: str

    @property
    def is_finished(self) -> bool:
        """Whether `ccc run --continue` has nothing to continue."""
        return self.outcome == "completed"


def read(where: Paths, worktree: str, session: str) -> RunRecord | None:
    """Return the run of a session in the worktree; None if there is none on this machine."""
    state = sessions.load(where, session) if session else None
    run = state.run if state else None
    if state is None or run is None or run.cwd != worktree:
        return None
    cost = state.task.cost_usd + run.turn_cost_usd
    source = state.task.cost_source or run.turn_cost_source
    return RunRecord(session, state.provider, run.outcome, cost, source)
