"""Read a session's overview, and the user's language without the whole configuration."""

import os
from typing import Any

from ccc import words
from ccc.model import record
from ccc.model.overview import Figures, Overview
from ccc.model.state import parse
from ccc.sessions import record_file
from ccc.storage.paths import claude_directory, config_directory
from ccc.system import processes
from ccc.text import lenient_json, names

MOST_VERDICTS = 16 * 1024 * 1024
"""The maximum number of bytes to read from the end of a session's verdicts."""


def set_language() -> None:
    """Use the user's language without reading the whole configuration."""
    words.use(os.environ)
    if os.environ.get("CCC_LANG", "").casefold()[:2] not in words.LANGUAGES:
        config = read_object(os.path.join(config_directory(os.environ), "ccc.json"))
        if (language := config.get("language")) in words.LANGUAGES:
            words.use(os.environ, str(language))


def read_object(path: str) -> dict[str, Any]:
    """Return the JSON object in a file of the user, or an empty one if it can't be read."""
    return lenient_json.parse_object(record_file.read(path, may_be_link=True)) or {}


def read(state_dir: str, session: str) -> Overview | None:
    """Return a session's overview, or None if it has no readable state."""
    if not names.is_session_id(session):
        return None
    path = os.path.join(state_dir, f"supervisor-{session}.json")
    changed_at = record_file.changed_at(path) / 1e9
    try:
        state = parse(record_file.read(path).decode(), session)
    except ValueError:
        return None
    programs = {"claude", "ccc", os.path.basename(state.claude)} - {""}
    client = os.path.join(claude_directory(os.environ), "sessions", f"{state.pid}.json")
    return Overview(
        *(session, state, changed_at, lambda pid: processes.is_alive(pid, *programs)),
        client=read_object(client),
    )


def is_unreadable(state_dir: str, session: str) -> bool:
    """Return whether the session has a state that can't be read."""
    is_there = os.path.lexists(os.path.join(state_dir, f"supervisor-{session}.json"))
    return is_there and names.is_session_id(session) and read(state_dir, session) is None


def figures(state_dir: str, seen: Overview) -> Figures:
    """Return a session's rounds and costs from its records."""
    path = os.path.join(state_dir, f"supervisor-{seen.session}-verdicts.jsonl")
    rounds = record.rounds(record_file.last_lines(path, MOST_VERDICTS))
    return Figures(rounds, seen.agent_cost_usd, seen.agent_cost_source)
