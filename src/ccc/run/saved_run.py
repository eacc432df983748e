"""A run in the state of its session: begin it, and find and take over the one to continue."""

import os
import time
import uuid
from operator import itemgetter

from msgspec.structs import replace

from ccc.errors import CccError
from ccc.model.state import RunState, State, Task
from ccc.storage import sessions
from ccc.storage.paths import Paths
from ccc.system import processes


def find_unfinished(where: Paths, directory: str) -> State:
    """Return the last unfinished run in a directory; raise CccError if it is still running.

    A session that can't be read may be a later run, so then no run is continued.
    """
    found, unreadable = [], []
    for changed_at, session in sessions.list_by_change(where.state_dir):
        known = sessions.load(where, session)
        if known is None:
            unreadable.append((changed_at, where.state(session)))
        elif (run := known.run) and run.cwd == directory and not run.is_finished:
            found.append((run.saved_at, session, known))
    saved_at, _, last = max(found, key=itemgetter(0, 1), default=(0.0, "", State("")))
    if unreadable and unreadable[0][0] > saved_at:
        file = unreadable[0][1]
        raise CccError("look.unreadable", hint="run.unreadable_hint", file=file)
    if not found:
        raise CccError("run.nothing_to_continue", directory=directory)
    if processes.is_alive(last.pid, "ccc"):
        raise CccError("run.under_way", directory=directory, pid=last.pid)
    return last


def name_question(session: str, count: int, decided_at: float) -> str:
    """Return what an answer names, so that it isn't taken for one to a later question."""
    return f"{session}:{count}:{decided_at}"


def begin(where: Paths, session: str, run: RunState) -> None:
    """Save a new run; raise CccError if one with this session is running."""

    def update(before: State) -> State:
        known, is_other = before.run, before.pid != os.getpid()
        if known and not known.outcome and is_other and processes.is_alive(before.pid, "ccc"):
            raise CccError("run.under_way", directory=known.cwd, pid=before.pid)
        return State(
            session,
            enabled=True,
            enabled_at=time.time(),
            created_at=before.created_at,
            pid=os.getpid(),
            task=Task(prompt_id=str(uuid.uuid4()), started=time.time()),
            run=run,
            other=before.other,
        )

    sessions.change(where, session, update)


def take_over(where: Paths, saved: State, question: str = "") -> None:
    """Claim the run for this process; raise CccError if another process was faster.

    An answer to a named question is one to no other.
    """

    def update(before: State) -> State:
        if before.pid != saved.pid:
            raise CccError("run.under_way", directory=os.getcwd(), pid=before.pid)
        asked = name_question(saved.session_id, before.task.count, before.decided_at)
        if question not in ("", asked):
            raise CccError("run.other_question")
        return replace(before, enabled=True, pid=os.getpid())

    sessions.change(where, saved.session_id, update)
