"""The sessions that the state directory knows, and the files of each."""

import os

from ccc.text import names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccc.storage.paths import Paths
    from ccc.storage.state import State

_STATE = ("supervisor-", ".json")


def listed(state_dir: str) -> "list[tuple[float, str]]":
    """What looks like a session by its file's name, with the time of its last change.

    The one that changed last is in front. The names are not looked at any closer: there may be
    thousands, of which a few are shown.
    """
    begin, end = _STATE
    found = []
    try:
        # names relative to the directory are found in two thirds of the time
        directory = os.open(state_dir, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError:
        return []
    try:
        for name in os.listdir(directory):
            if name.endswith(end) and name.startswith(begin):
                try:
                    changed = os.stat(name, dir_fd=directory).st_mtime
                except OSError:
                    continue  # gone meanwhile
                found.append((changed, name[len(begin) : -len(end)]))
    finally:
        os.close(directory)
    found.sort(reverse=True)
    return found


def ids(where: "Paths") -> "list[str]":
    """The sessions that have a state, the one that changed last in front."""
    return [session for _, session in listed(where.state_dir) if names.is_session_id(session)]


def load(where: "Paths", session: str) -> "State | None":
    """A session's state; None where there is none, or one that can't be read."""
    from ccc.errors import CccError
    from ccc.storage import files, state

    try:
        text = files.read(where.state(session))
        return None if text is None else state.parse(text, session)
    except (state.Corrupt, CccError):
        return None


def led(where: "Paths", known: "State") -> "State":
    """The state as the one that it follows has it, on or off; it follows nobody any more."""
    from dataclasses import replace

    leader = load(where, known.follows) if known.follows else None
    return replace(known, follows="", enabled=(leader or known).enabled)


def all_of(where: "Paths") -> "Iterator[tuple[str, State]]":
    """Each session with its state, the one that changed last in front."""
    for session in ids(where):
        known = load(where, session)
        if known is not None:
            yield session, known
