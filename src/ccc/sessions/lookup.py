"""Find the session that the user means, load its records, and mark its verdicts."""

import os
from collections.abc import Iterator

from msgspec import to_builtins
from msgspec.structs import replace

from ccc import words
from ccc.errors import CccError
from ccc.model import record
from ccc.model.evidence import to_record
from ccc.model.overview import Overview
from ccc.model.record import SessionRecord
from ccc.model.round import Round, mark_line
from ccc.sessions import overview_reader, record_file, review_steps
from ccc.storage import sessions
from ccc.storage.journal import Journal, stamp
from ccc.storage.paths import Paths
from ccc.system import terminal
from ccc.text import names
from ccc.ui import formatting, table

_CANDIDATES = 8
_MOST_OUTPUT = 8 * 1024 * 1024
_TASK_WIDTH = 40
SHORT_ID = 8  # the length of the beginning of an id, as in tables
_ONLY_RECORDED = ("completed", "needs_user", "agent_model")


def find_id(where: Paths, beginning: str) -> str:
    """Return the session whose id starts with `beginning`, or the newest one of this directory.

    If no session was supervised in this directory, return the newest of all.
    """
    ids = sessions.ids(where)
    if not beginning:
        return _newest(where, ids)
    if beginning in ids:
        return beginning
    matches = [session for session in ids if session.startswith(beginning)]
    if len(matches) == 1:
        return matches[0]
    if matches:
        listed = _candidates(where, matches)
        raise CccError("look.ambiguous", beginning=beginning, known=listed)
    beginnings = {session[: len(beginning)]: session for session in reversed(ids)}
    near = beginnings.get(names.nearest(beginning, list(beginnings)), "")
    newest = [each for each in ids if _supervised(where, each)][:_CANDIDATES]
    hint = "look.nearest" if near else "look.newest" if newest else "look.none"
    listed = _candidates(where, [near] if near else newest)
    raise CccError("look.unknown", hint=hint, beginning=beginning, known=listed)


def _newest(where: Paths, ids: list[str]) -> str:
    here, newest = os.getcwd(), ""
    for session in ids:
        if overview_reader.is_unreadable(where, session) and not newest:
            terminal.tell(words.say("look.unreadable", file=where.state(session)))
            terminal.tell(words.remedy("look.unreadable", file=where.state(session)))
        if overview := _supervised(where, session):
            if overview.directory == here:
                return session
            newest = newest or session
    if newest:
        return newest
    raise CccError("look.none", directory=where.state_dir)


def find_supervised(where: Paths, most: int | None = None) -> Iterator[Overview]:
    """Yield the sessions that were supervised, among so many that have changed last."""
    for session in sessions.ids(where)[:most]:
        overview = overview_reader.read(where, session)
        if overview and overview.was_supervised:
            yield overview


def _supervised(where: Paths, session: str) -> Overview | None:
    """Return the overview of the session if it was supervised or will be."""
    seen = overview_reader.read(where, session)
    return seen if seen and (seen.was_supervised or (seen.is_on and seen.is_open)) else None


def _candidates(where: Paths, ids: list[str]) -> str:
    """Return a list of sessions to choose from, one line each, with their requests."""
    rows = []
    for session in ids[:_CANDIDATES]:
        seen = overview_reader.read(where, session)
        age, request = (formatting.age(seen.changed_at), seen.request) if seen else ("-", "")
        rows.append([session[:13], age, table.cut(request, _TASK_WIDTH) or "-"])
    lines = ["  " + "  ".join(row).rstrip() for row in table.align(rows, None, {})]
    return "\n".join(lines + ["  …"] * (len(ids) > _CANDIDATES))


def load(where: Paths, session: str) -> SessionRecord | None:
    """Return a session with its rounds, or None if its state can't be read."""
    overview = overview_reader.read(where, session)
    return None if overview is None else load_rounds(where, overview)


def load_rounds(where: Paths, overview: Overview) -> SessionRecord:
    """Return a session with its rounds and the paths of its records."""
    files = {**where.records(overview.session), "errors": where.review_errors(overview.session)}
    lines = record_file.last_lines(where.verdicts(overview.session), overview_reader.MOST_VERDICTS)
    return SessionRecord(
        overview=overview,
        rounds=record.renumber(record.rounds(lines)),
        logs={name: path for name, path in files.items() if os.path.exists(path)},
    )


def find(where: Paths, beginning: str) -> SessionRecord:
    """Return the session that the user named, including its reviewers' steps."""
    session = find_id(where, beginning)
    if result := load_with_steps(where, session):
        return result
    raise CccError("look.unreadable", file=where.state(session))


def load_with_steps(where: Paths, session: str) -> SessionRecord | None:
    """Return a session with its rounds and its reviewers' steps, or None if it can't be read."""
    result = load(where, session)
    if result is None:
        return None
    output, project = where.review_output(session), result.overview.directory
    return replace(result, rounds=tuple(_with_steps(r, output, project) for r in result.rounds))


def _with_steps(each: Round, output: str, project: str) -> Round:
    """Return the round with its reviewer's steps, if they are on record."""
    if each.output is None:
        return each
    begin, end = each.output
    lines = record_file.lines_between(output, begin, min(end, begin + _MOST_OUTPUT))
    steps, closing = review_steps.read(lines)
    inside = [replace(step, call=step.call.removeprefix(f"{project}/")) for step in steps]
    return replace(each, steps=tuple(inside), closing=closing)


def values(session: SessionRecord) -> dict[str, object]:
    """Return the session as JSON values."""
    overview, sums = session.overview, session.figures
    usd = {"agent": sums.agent_usd, "reviews": sums.reviews_usd, "total": sums.cost_usd}
    source = {"agent": sums.agent_source, "reviews": sums.reviews_source, "total": sums.cost_source}
    return {
        **overview.values(),
        "outcome": session.outcome,
        "changed_at": stamp(overview.changed_at),
        "cost_usd": usd,
        "cost_source": source,
        "cached": session.cached,
        "seconds": session.seconds,
        "rounds": [_round_values(each) for each in session.rounds],
        "logs": dict(session.logs),
    }


def _round_values(each: Round) -> dict[str, object]:
    return {
        **{name: value for name, value in to_builtins(each).items() if name not in _ONLY_RECORDED},
        "iteration": each.number,  # the old name of `number`
        "receipts": list(map(to_record, each.receipts)),
        "cached": each.cached,
        "decided_at": stamp(each.decided_at),
    }


def find_round(session: SessionRecord, number: int = 0) -> Round:
    """Return the last round with a verdict, or the last of this number."""
    name = session.overview.session[:SHORT_ID]
    rounds = [each for each in session.rounds if each.has_verdict]
    if not rounds:
        raise CccError("show.no_verdict", session=name)
    if not number:
        return rounds[-1]
    matches = [each for each in rounds if each.number == number]
    if not matches:
        known = ", ".join(str(n) for n in sorted({each.number for each in rounds}))
        raise CccError("show.no_round", n=number, session=name, known=known)
    return matches[-1]


def mark(where: Paths, session: SessionRecord, each: Round, mark: str) -> None:
    """Record that the verdict of the round was right or wrong."""
    journal = Journal(where, session.overview.session)
    journal.verdict(mark_line(each, mark))
    if journal.problem:
        raise CccError("show.not_marked", hint="file.hint", problem=journal.problem)


def unique_id_of(where: Paths, session: SessionRecord) -> str:
    """Return the shortest beginning of the session's id that no other session has."""
    own = session.overview.session
    others = [each for each in sessions.ids(where) if each != own]
    beginnings = (own[:n] for n in range(SHORT_ID, len(own)))
    return next((b for b in beginnings if not any(o.startswith(b) for o in others)), own)
