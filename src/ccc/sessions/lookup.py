"""Which session a person means, and all that is on record of it."""

import os
from dataclasses import replace

from ccc.claude import inspection
from ccc.errors import CccError
from ccc.sessions import quick_look, record, tail
from ccc.sessions.glance import Glance
from ccc.storage import sessions
from ccc.text import names
from ccc.ui import formatting, table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ccc.sessions.record import Round, Session
    from ccc.storage.paths import Paths

_CANDIDATES = 8
_MOST_OUTPUT = 8 * 1024 * 1024
_TASK = 40


def choose(where: "Paths", said: str) -> str:
    """The session that the beginning of an id names; without one the newest of this directory.

    Where none was supervised here it is the newest of all.
    """
    known = sessions.ids(where)
    if not said:
        return _newest(where, known)
    if said in known:
        return said
    meant = [session for session in known if session.startswith(said)]
    if len(meant) == 1:
        return meant[0]
    if meant:
        listed = _listed(where, meant)
        raise CccError("look.ambiguous", hint="look.which", said=said, known=listed)
    beginnings = {session[: len(said)]: session for session in reversed(known)}
    near = beginnings.get(names.nearest(said, list(beginnings)), "")
    newest = [each for each in known if _supervised(where, each)][:_CANDIDATES]
    hint = "look.nearest" if near else "look.newest" if newest else "look.none_hint"
    listed = _listed(where, [near] if near else newest)
    raise CccError("look.unknown", hint=hint, said=said, known=listed)


def _newest(where: "Paths", known: list[str]) -> str:
    here, first = os.getcwd(), ""
    for session in known:
        if seen := _supervised(where, session):
            if seen.directory == here:
                return session
            first = first or session
    if first:
        return first
    raise CccError("look.none", hint="look.none_hint", directory=where.state_dir)


def _supervised(where: "Paths", session: str) -> Glance | None:
    """The session, where there is something to say of its supervision."""
    seen = quick_look.glance(where.state_dir, session)
    begun = seen is not None and seen.is_on and seen.is_open
    return seen if seen is not None and (seen.was_supervised or begun) else None


def _listed(where: "Paths", found: list[str]) -> str:
    """Sessions to choose from: a line each, with what they were about."""
    rows = []
    for session in found[:_CANDIDATES]:
        seen = quick_look.glance(where.state_dir, session)
        told = (formatting.age(seen.changed_at), seen.request) if seen else ("-", "")
        rows.append([session[:13], told[0], table.cut(told[1], _TASK) or "-"])
    lines = ["  " + "  ".join(row).rstrip() for row in table.aligned(rows, None, {})]
    return "\n".join(lines + ["  …"] * (len(found) > _CANDIDATES))


def recall(where: "Paths", session: str) -> "Session | None":
    """Everything on record of a session; None where its state can't be read."""
    seen = quick_look.glance(where.state_dir, session)
    return None if seen is None else with_rounds(where, seen)


def with_rounds(where: "Paths", seen: Glance) -> "Session":
    """A session with its rounds and the files of its records."""
    files = {**where.records(seen.session), "errors": where.review_errors(seen.session)}
    lines = tail.last_lines(where.verdicts(seen.session), quick_look.MOST_VERDICTS)
    return record.Session(
        glance=seen,
        rounds=record.numbered(record.rounds(lines)),
        logs={name: path for name, path in files.items() if os.path.exists(path)},
    )


def demand(where: "Paths", said: str) -> "Session":
    """The session that was asked for, which must be readable, with what its reviewers did."""
    session = choose(where, said)
    found = recall(where, session)
    if found is None:
        raise CccError("look.unreadable", hint="file.hint", file=where.state(session))
    output = where.review_output(session)
    project = found.glance.directory
    return replace(found, rounds=tuple(_explained(each, output, project) for each in found.rounds))


def _explained(each: "Round", output: str, project: str) -> "Round":
    """The round with what its reviewer did, where that is on record."""
    if each.output is None:
        return each
    begin, end = each.output
    steps, closing = inspection.read(tail.part(output, begin, min(end, begin + _MOST_OUTPUT)))
    inside = [replace(step, call=step.call.removeprefix(f"{project}/")) for step in steps]
    return replace(each, steps=tuple(inside), closing=closing)
