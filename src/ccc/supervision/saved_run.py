"""Find the run that `ccc run --continue` continues."""

from collections.abc import Iterable
from dataclasses import dataclass

from ccc.errors import CccError
from ccc.model.state import RunState, State
from ccc.storage import sessions
from ccc.storage.paths import Paths
from ccc.system import processes


@dataclass(frozen=True, slots=True)
class SavedRun:
    """An unfinished run and its session."""

    session: str
    state: State
    run: RunState


def find_unfinished(where: Paths, directory: str) -> SavedRun:
    """Return the last unfinished run in a directory; raise CccError if it is still running.

    A session that can't be read may be a later run, so then no run is continued.
    """
    found, unreadable = {}, []
    for changed_at, session in sessions.list_by_change(where.state_dir):
        known = sessions.load(where, session)
        if known is None:
            unreadable.append((changed_at, where.state(session)))
        elif (run := known.run) and run.cwd == directory and not run.is_finished:
            found[session] = known, run
    last = find_last((run.saved_at, session) for session, (_, run) in found.items())
    state, run = found.get(last, (State(""), RunState()))
    if unreadable and unreadable[0][0] > run.saved_at:
        file = unreadable[0][1]
        raise CccError("look.unreadable", hint="run.unreadable_hint", file=file)
    if not found:
        raise CccError("run.nothing_to_continue", directory=directory)
    if processes.is_alive(state.pid, "ccc"):
        raise CccError("run.under_way", directory=directory, pid=state.pid)
    return SavedRun(last, state, run)


def find_last(unfinished: Iterable[tuple[float, str]]) -> str:
    """Return the session to continue, of the unfinished runs in a directory and their times."""
    return max(unfinished, default=(0.0, ""))[1]


def name_question(session: str, count: int, decided_at: float) -> str:
    """Return what an answer names, so that it isn't taken for one to a later question."""
    return f"{session}:{count}:{decided_at}"
