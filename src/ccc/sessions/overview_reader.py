"""Read a session's overview and figures."""

import os

from ccc.model import record
from ccc.model.overview import Figures, Overview
from ccc.model.state import parse
from ccc.sessions import record_file
from ccc.storage.paths import Paths
from ccc.system import processes
from ccc.text import lenient_json, names

MOST_VERDICTS = 16 * 1024 * 1024
"""The maximum number of bytes to read from the end of a session's verdicts."""


def read(where: Paths, session: str) -> Overview | None:
    """Return a session's overview, or None if it has no readable state."""
    if not names.is_session_id(session):
        return None
    path = where.state(session)
    changed_at = record_file.changed_at(path) / 1e9
    try:
        state = parse(record_file.read(path).decode(), session)
    except ValueError:
        return None
    programs = {"claude", "ccc", os.path.basename(state.claude)} - {""}
    client = os.path.join(where.claude_dir, "sessions", f"{state.pid}.json")
    return Overview(
        *(session, state, changed_at, lambda pid: processes.is_alive(pid, *programs)),
        client=lenient_json.parse_object(record_file.read(client)),
    )


def is_unreadable(where: Paths, session: str) -> bool:
    """Return whether the session has a state that can't be read."""
    is_there = os.path.lexists(where.state(session))
    return is_there and names.is_session_id(session) and read(where, session) is None


def figures(where: Paths, seen: Overview) -> Figures:
    """Return a session's rounds and costs from its records."""
    lines = record_file.last_lines(where.verdicts(seen.session), MOST_VERDICTS)
    return Figures(record.rounds(lines), seen.agent_cost_usd, seen.agent_cost_source)
