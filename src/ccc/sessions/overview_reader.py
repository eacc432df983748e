"""Reads a session's overview and the user's language with few imports, for the fast commands."""

import fcntl
import os
import time
from collections.abc import Iterator
from typing import Any

from ccc import words
from ccc.providers import cost_source
from ccc.sessions import tail
from ccc.sessions.overview import Figures, Overview, number, text
from ccc.storage import record_file
from ccc.storage.paths import claude_directory, config_directory
from ccc.system import processes
from ccc.text import lenient_json, names

_LARGEST = 64 * 1024 * 1024
MOST_VERDICTS = 16 * 1024 * 1024
"""The maximum number of bytes to read from the end of a session's verdicts."""
# longer than a write under the lock
_LOCK_TRIES, _LOCK_SECONDS = 10, 0.05


def speak() -> None:
    """Use the user's language without reading the whole configuration."""
    words.use(os.environ)
    if os.environ.get("CCC_LANG", "").casefold()[:2] not in words.LANGUAGES:
        config = read_object(os.path.join(config_directory(os.environ), "ccc.json"))
        if (language := config.get("language")) in words.LANGUAGES:
            words.use(os.environ, str(language))


def read_object(path: str) -> dict[str, Any]:
    """Return the JSON object in a file of the user, or an empty one if it can't be read."""
    return _read(path, may_be_link=True)[0]


def _read(path: str, may_be_link: bool = False) -> tuple[dict[str, Any], float]:
    """Return the JSON object in a file and the file's modification time."""
    try:
        file = record_file.open_regular(path, may_be_link)
    except OSError:
        return {}, 0.0
    try:
        status = os.fstat(file)
        data = record_file.without_keys(os.read(file, min(status.st_size, _LARGEST)))
        return lenient_json.parse_object(data) or {}, status.st_mtime
    except OSError:
        return {}, 0.0
    finally:
        os.close(file)


def read(state_dir: str, session: str) -> Overview | None:
    """Return a session's overview, or None if it has no readable state."""
    if not names.is_session_id(session):
        return None
    raw, changed_at = _read(os.path.join(state_dir, f"supervisor-{session}.json"))
    if not raw:
        return None
    program = raw.get("claude")
    own_name = os.path.basename(program) if isinstance(program, str) else ""
    programs = [name for name in ("claude", "ccc", own_name) if name]
    record = os.path.join(claude_directory(os.environ), "sessions", f"{raw.get('pid')}.json")
    return Overview(
        *(session, raw, changed_at, lambda pid: processes.is_alive(pid, *programs)),
        client=_read(record)[0],
    )


def is_unreadable(state_dir: str, session: str) -> bool:
    """Whether the session has a state that can't be read."""
    path = os.path.join(state_dir, f"supervisor-{session}.json")
    return names.is_session_id(session) and os.path.lexists(path) and not _read(path)[0]


def figures(state_dir: str, seen: Overview) -> Figures:
    """Return a session's rounds and costs from its records."""
    path = os.path.join(state_dir, f"supervisor-{seen.session}-verdicts.jsonl")
    return Figures(_verdicts(path), seen.agent_cost_usd, seen.agent_cost_source)


def _verdicts(path: str) -> Iterator[tuple[str, float, str]]:
    """Yield the outcome, cost and cost source of each record."""
    for line in tail.last_lines(path, MOST_VERDICTS):
        raw = lenient_json.parse_object(line.encode(errors="replace")) or {}
        if isinstance(raw.get("iteration"), int):
            usd = number(raw.get("cost_usd"))
            source = cost_source.on_record(usd, text(raw.get("cost_source")))
            yield text(raw.get("outcome")), usd, source


def is_locked(state_dir: str) -> bool:
    """Whether another ccc holds the lock for longer than a write takes."""
    path, flags = os.path.join(state_dir, "lock"), os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC
    for _ in range(_LOCK_TRIES):
        try:
            with open(os.open(path, flags), "rb") as file:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
                return False
        except BlockingIOError:
            time.sleep(_LOCK_SECONDS)
        except OSError:  # there is no lock yet, or the file system doesn't support locks
            return False
    return True
