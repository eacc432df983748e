"""The user's marks: whether the verdict of a round was right or wrong."""

from ccc.errors import CccError
from ccc.model.record import SessionRecord
from ccc.model.round import Round, mark_line
from ccc.storage import sessions
from ccc.storage.journal import Journal
from ccc.storage.paths import Paths

SHORT_ID = 8  # the length of the beginning of an id, as in tables


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
