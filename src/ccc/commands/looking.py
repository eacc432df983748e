"""Which session a person means, and all that is on record of it."""

import os

from ccc.commands import glancing
from ccc.domain import names, record
from ccc.domain.glance import Glance
from ccc.errors import CccError
from ccc.storage import paths, sessions, tail

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ccc.domain.record import Session
    from ccc.storage.paths import Paths

_MOST_VERDICTS = 16 * 1024 * 1024
_CANDIDATES = 8


def choose(where: "Paths", said: str) -> str:
    """The session that the beginning of an id names; the newest where nothing was said."""
    known = sessions.ids(where)
    if not known:
        raise CccError("look.no_sessions", hint="look.no_sessions_hint", directory=where.state_dir)
    if not said:
        seen = (each for each in known if glancing.glance(where.state_dir, each))
        return next(seen, known[0])
    if said in known:
        return said
    meant = [session for session in known if session.startswith(said)]
    if len(meant) == 1:
        return meant[0]
    if meant:
        raise CccError("look.ambiguous", hint="look.which", said=said, known=_listed(meant))
    beginnings = {session[: len(said)]: session for session in reversed(known)}
    near = beginnings.get(names.nearest(said, list(beginnings)), "")
    hint = "look.nearest" if near else "look.newest"
    raise CccError("look.unknown", hint=hint, said=said, near=_listed([near]), known=_listed(known))


def _listed(found: list[str]) -> str:
    more = " …" if len(found) > _CANDIDATES else ""
    return ", ".join(session[:13] for session in found[:_CANDIDATES]) + more


def recall(where: "Paths", session: str) -> "Session | None":
    """Everything on record of a session; None where its state can't be read."""
    seen = glancing.glance(where.state_dir, session)
    return None if seen is None else with_rounds(where, seen)


def with_rounds(where: "Paths", seen: Glance) -> "Session":
    """A session with its rounds and the files of its records."""
    files = {**paths.records(where, seen.session), "errors": where.review_errors(seen.session)}
    return record.Session(
        glance=seen,
        rounds=record.rounds(tail.last_lines(where.verdicts(seen.session), _MOST_VERDICTS)),
        logs={name: path for name, path in files.items() if os.path.exists(path)},
    )


def demand(where: "Paths", said: str) -> "Session":
    """The session that was asked for, which must be readable."""
    session = choose(where, said)
    found = recall(where, session)
    if found is None:
        raise CccError("look.unreadable", hint="file.hint", file=where.state(session))
    return found
