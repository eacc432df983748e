"""What the quick commands share: the language, and a session's state, read with little."""

import os

from ccc import words
from ccc.providers import cost_source
from ccc.sessions.glance import Figures, Glance, number, text
from ccc.storage.paths import config_directory
from ccc.system import processes
from ccc.text import names, quick_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_LARGEST = 4 * 1024 * 1024
MOST_VERDICTS = 16 * 1024 * 1024
"""So much of a session's verdicts is read, from the end."""


def speak() -> None:
    """The person's language, without the whole configuration being read for it."""
    words.use(os.environ)
    if os.environ.get("CCC_LANG", "").casefold()[:2] not in words.LANGUAGES:
        config = read_object(os.path.join(config_directory(os.environ), "ccc.json"))
        if (configured := config.get("language")) in words.LANGUAGES:
            words.use(os.environ, str(configured))


def read_object(path: str) -> "dict[str, Any]":
    """The JSON object in a file; an empty one where that can't be had."""
    try:
        with open(path, "rb") as file:
            return quick_json.object_in(file.read(_LARGEST))
    except OSError:
        return {}


def glance(state_dir: str, session: str) -> Glance | None:
    """A session at a glance; None where there is no state that can be read."""
    if not names.is_session_id(session):
        return None
    path = os.path.join(state_dir, f"supervisor-{session}.json")
    raw = read_object(path)
    if not raw or raw.get("follows"):
        return None  # what there is to see of it stands in the state that it follows
    try:
        changed = os.stat(path).st_mtime
    except OSError:
        return None
    program = raw.get("claude")
    named = os.path.basename(program) if isinstance(program, str) else ""
    known = [word for word in ("claude", "ccc", named) if word]
    return Glance(session, raw, changed, lambda pid: processes.is_alive(pid, *known))


def figures(state_dir: str, seen: Glance) -> Figures:
    """A session's rounds and costs, from its records."""
    path = os.path.join(state_dir, f"supervisor-{seen.session}-verdicts.jsonl")
    return Figures(_decided(path), seen.agent_cost_usd, seen.agent_cost_source)


def _decided(path: str) -> "Iterator[tuple[str, float, str]]":
    """Outcome, cost and where that comes from, of each record."""
    from ccc.sessions import tail

    for line in tail.last_lines(path, MOST_VERDICTS):
        raw = quick_json.object_in(line.encode(errors="replace"))
        if isinstance(raw.get("iteration"), int):
            usd = number(raw.get("cost_usd"))
            source = cost_source.on_record(usd, text(raw.get("cost_source")))
            yield text(raw.get("outcome")), usd, source
