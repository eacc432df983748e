"""A session's state: `supervisor-{id}.json`, changed under the lock, unknown fields kept."""

import os
import time
from dataclasses import dataclass, field, replace

from ccc.domain import jsontext
from ccc.storage import files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

VERSION = 1


@dataclass(frozen=True, slots=True)
class State:
    """What is known of a session; `other` holds fields of a newer or older ccc."""

    session_id: str
    enabled: bool = False
    count: int = 0
    created_at: str = ""
    updated_at: str = ""
    provider: str = ""
    claude: str = ""
    other: "Mapping[str, object]" = field(default_factory=dict)


class Corrupt(ValueError):
    """A state file that can't be read as a state."""


def parse(text: str, session: str) -> State:
    """The state in the text; an old one without `enabled` is disabled, its other fields kept."""
    try:
        raw = jsontext.parse(text)
    except jsontext.JsonError:
        raise Corrupt(session) from None
    if not isinstance(raw, dict):
        raise Corrupt(session)
    known = {name: raw.pop(name) for name in _TYPES if name in raw}
    if any(not _fits(known[name], _TYPES[name]) for name in known):
        raise Corrupt(session)
    return replace(State(session, other=raw), **known)


_TYPES: dict[str, type] = {
    "session_id": str,
    "enabled": bool,
    "count": int,
    "created_at": str,
    "updated_at": str,
    "provider": str,
    "claude": str,
}


def _fits(value: object, kind: type) -> bool:
    return isinstance(value, kind) and (kind is bool or not isinstance(value, bool))


def dump(state: State) -> str:
    """The state as it stands in its file."""
    known = {name: getattr(state, name) for name in _TYPES}
    return jsontext.dump({**known, **state.other, "version": VERSION})


def change(directory: str, path: str, session: str, edit: "Callable[[State], State]") -> State:
    """Change the session's state, which is made where it is missing.

    A corrupt file is set aside under another name, and supervision begins switched off.
    """
    now = _now()
    latest = State(session)

    def rewrite(text: str | None) -> str:
        nonlocal latest
        try:
            before = parse(text, session) if text is not None else State(session, created_at=now)
        except Corrupt:
            os.replace(path, f"{path}.corrupt-{now.replace(':', '')}")
            before = State(session, created_at=now)
        latest = replace(edit(before), updated_at=now)
        return dump(latest)

    with files.Lock((directory,)) as lock:
        lock.update(path, rewrite, durable=False)
    return latest


def _now() -> str:
    """This moment in ISO 8601 with the local offset."""
    stamp = time.strftime("%Y-%m-%dT%H:%M:%S%z")
    return f"{stamp[:-2]}:{stamp[-2:]}"
