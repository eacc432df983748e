"""The sessions that the state directory knows, and the files of each."""

import os

from ccc.domain import names
from ccc.errors import CccError
from ccc.storage import files, state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccc.storage.paths import Paths
    from ccc.storage.state import State

_STATE = ("supervisor-", ".json")


def ids(where: "Paths") -> "list[str]":
    """The sessions that have a state, the one that changed last in front."""
    found = []
    try:
        listed = list(os.scandir(where.state_dir))
    except OSError:
        return []
    begin, end = _STATE
    for entry in listed:
        session = entry.name[len(begin) : -len(end)]
        is_state = entry.name.startswith(begin) and entry.name.endswith(end)
        if is_state and names.is_session_id(session):
            found.append((_changed(entry), session))
    return [session for _, session in sorted(found, reverse=True)]


def load(where: "Paths", session: str) -> "State | None":
    """A session's state; None where there is none, or one that can't be read."""
    try:
        text = files.read(where.state(session))
        return None if text is None else state.parse(text, session)
    except (state.Corrupt, CccError):
        return None


def all_of(where: "Paths") -> "Iterator[tuple[str, State]]":
    """Each session with its state, the one that changed last in front."""
    for session in ids(where):
        known = load(where, session)
        if known is not None:
            yield session, known


def _changed(entry: "os.DirEntry[str]") -> float:
    try:
        return entry.stat().st_mtime
    except OSError:
        return 0.0
