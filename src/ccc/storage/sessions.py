"""The sessions in the state directory; imports nothing slow, because the status line needs it."""

import os

from ccc.text import names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccc.storage.paths import Paths
    from ccc.storage.session_state import State

_PREFIX, _SUFFIX = "supervisor-", ".json"


def list_by_change(state_dir: str) -> "list[tuple[float, str]]":
    """Return apparent sessions with the times of their last changes, newest first.

    There may be thousands, of which only a few are shown, so the file names aren't validated.
    """
    states = []
    try:
        # names relative to the directory take two thirds of the time
        directory = os.open(state_dir, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError:
        return []
    try:
        for name in os.listdir(directory):
            if name.endswith(_SUFFIX) and name.startswith(_PREFIX):
                try:
                    changed = os.stat(name, dir_fd=directory).st_mtime
                except OSError:
                    continue  # removed in the meantime
                states.append((changed, name[len(_PREFIX) : -len(_SUFFIX)]))
    finally:
        os.close(directory)
    return sorted(states, reverse=True)


def ids(where: "Paths") -> "list[str]":
    """Return the ids of the sessions that have a state, newest first."""
    listed = list_by_change(where.state_dir)
    return [session for _, session in listed if names.is_session_id(session)]


def load(where: "Paths", session: str) -> "State | None":
    """Return a session's state, or None if there is no readable one."""
    from ccc.storage import files, session_state

    text = files.read_or_none(where.state(session))
    try:
        return None if text is None else session_state.parse(text, session)
    except session_state.Corrupt:
        return None


def follow_leader(where: "Paths", known: "State") -> "State":
    """Return the state, switched on or off like the session it follows, with `follows` cleared."""
    from ccc.text.values import replace

    leader = load(where, known.follows) if known.follows else None
    return replace(known, follows="", enabled=(leader or known).enabled)


def load_all(where: "Paths") -> "Iterator[tuple[str, State]]":
    """Yield each session with its state, newest first."""
    for session in ids(where):
        if known := load(where, session):
            yield session, known
