"""Under which id ccc supervises the claude that runs this process.

A session is one conversation of claude, and its id is the conversation's: it changes with /clear,
/branch and /resume, and a launch with --continue doesn't know it. The state of the launch says in
which conversation its claude is. Every stop of every claude imports this module.
"""

from collections.abc import Mapping

from ccc.claude import host
from ccc.errors import CccError
from ccc.model.state import State
from ccc.storage import sessions
from ccc.storage.paths import Paths
from ccc.supervision import session_store
from ccc.text.names import is_session_id


def session_of(environ: Mapping[str, str], state_dir: str, current: str = "") -> str:
    """Return the id of the session: claude's conversation, or the name that the user chose.

    `current` is the conversation, if the environment doesn't have it.
    """
    launch, held = _launch(environ, state_dir)
    if not launch or not (current or host.pid_in(environ)):
        return launch or current or environ.get(host.CURRENT, "")
    is_named = held is not None and held.is_named
    return launch if is_named else current or environ.get(host.CURRENT, "") or launch


def enter(environ: Mapping[str, str], state_dir: str) -> str:
    """Return the id of the session, whose state takes over from claude's last conversation.

    If it can't be stored, the last conversation's state stays in charge.
    """
    session, current = session_of(environ, state_dir), environ.get(host.CURRENT, "")
    launch, held = _launch(environ, state_dir)
    last = (held and held.conversation) or launch
    if not held or last == current or not is_session_id(current) or not host.pid_in(environ):
        return session
    try:
        session_store.move(state_dir, (launch, last, session), current)
    except CccError:
        return session if session == launch else last
    return session


def _launch(environ: Mapping[str, str], state_dir: str) -> tuple[str, State | None]:
    """Return the id and the state of the launch that the claude comes from, or nothing."""
    launch = host.own_session(environ)
    # a stop reports that a state can't be read
    return launch, sessions.load(Paths(environ, state_dir), launch) if launch else None
