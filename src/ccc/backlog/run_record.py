"""What `ccc run` has recorded about the run in a worktree."""

from ccc.storage import sessions
from ccc.storage.paths import Paths
from ccc.supervision import run_state
from ccc.text.values import dataclass

_MOST = 200


@dataclass(frozen=True, slots=True)
class Record:
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


def find(where: Paths, worktree: str, session: str, since: float) -> Record | None:
    """Return the last run in the worktree; None if there is none on this machine.

    One that began before `since` is of an earlier task in a directory of the same name.
    """
    names = [session] if session else []
    newest, _ = sessions.newest(where.state_dir, _MOST)
    for name in [*names, *(each for _, each in newest)]:
        state = sessions.load(where, name)
        run = run_state.parse(state.run) if state else None
        if state and run and run.cwd == worktree and state.enabled_at >= since:
            return Record(name, state.provider, run.outcome, state.cost_usd, state.cost_source)
    return None
