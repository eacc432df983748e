"""Under which id ccc supervises the claude that runs this process.

A session is one conversation of claude, and its id is the conversation's: it changes with /clear,
/branch and /resume, and a launch with --continue doesn't know it. The state of the launch says in
which conversation its claude is. Every stop of every claude imports this module.
"""

import os
from collections.abc import Mapping
from typing import Any

from ccc.claude import host
from ccc.errors import CccError
from ccc.supervision import session_store
from ccc.text import lenient_json
from ccc.text.names import is_session_id


def session_of(environ: Mapping[str, str], state_dir: str, current: str = "") -> str:
    """Return the id of the session: claude's conversation, or the name that the user chose.

    `current` is the conversation, if the environment doesn't have it.
    """
    launch, held = _launch(environ, state_dir)
    if not launch or not (current or host.pid_in(environ)):
        return launch or current or environ.get(host.CURRENT, "")
    return launch if held.get("is_named") else current or environ.get(host.CURRENT, "") or launch


def enter(environ: Mapping[str, str], state_dir: str) -> str:
    """Return the id of the session, whose state takes over from claude's last conversation.

    If it can't be stored, the last conversation's state stays in charge.
    """
    session, current = session_of(environ, state_dir), environ.get(host.CURRENT, "")
    launch, held = _launch(environ, state_dir)
    last = str(held.get("conversation") or launch)
    if not held or last == current or not is_session_id(current) or not host.pid_in(environ):
        return session
    try:
        session_store.move(state_dir, (launch, last, session), current)
    except CccError:
        return session if session == launch else last
    return session


def _launch(environ: Mapping[str, str], state_dir: str) -> tuple[str, dict[str, Any]]:
    """Return the id and the raw state of the launch that the claude comes from, or nothing."""
    launch = host.own_session(environ)
    try:
        return launch, read(state_dir, launch) or {}
    except OSError:
        return launch, {}  # a stop reports that it can't be read


def read(state_dir: str, session: str) -> dict[str, Any] | None:
    """Return the raw state of a session: empty if it is malformed, None if there is none.

    Raises OSError if it can't be read.
    """
    if not is_session_id(session):
        return None
    path = os.path.join(state_dir, f"supervisor-{session}.json")
    try:
        # don't block if the file is a pipe
        with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
            return lenient_json.parse_object(file.read()) or {}
    except FileNotFoundError:
        return None
