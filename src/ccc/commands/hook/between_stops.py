"""Record what happens between stops: claude asks the user, or an API error ends the turn."""

import os
import time
from collections.abc import Mapping

from ccc import words
from ccc.claude.formats import permission
from ccc.config import ccc_json
from ccc.model.overview import WAITING
from ccc.model.state import Question, Stop
from ccc.sessions import overview_reader
from ccc.storage.journal import Journal
from ccc.storage.paths import Paths
from ccc.supervision.notifications import Notification
from ccc.supervision.session_store import SessionStore
from ccc.system import terminal
from ccc.text import lenient_json
from ccc.ui import formatting
from ccc.web.known_keys import KnownKeys

_FAILED, _ASKS = "agent_failed", "waiting"
_LONGEST_QUESTION = 1_000


def record_failure(session: str, state_dir: str, event: bytes) -> dict[str, object]:
    """Store that the turn failed, notify the user, and return the answer to claude."""
    where = Paths(os.environ, state_dir)
    failure = lenient_json.parse_object(event) or {}
    cause = lenient_json.text(failure, "last_assistant_message") or lenient_json.text(
        failure, "error"
    )
    journal = Journal(where, session)
    journal.log("turn failed", error=lenient_json.text(failure, "error"), detail=cause)
    tasks = SessionStore(where, session, journal)
    tasks.keep(stop=Stop(), outcome=_FAILED, decided_at=time.time())
    return _notify(where, session, _FAILED, {**failure, "detail": cause})


def record_question(session: str, state_dir: str, event: bytes) -> dict[str, object]:
    """Store what claude asks; notify the user if they haven't answered for a while.

    Measured: `PermissionRequest` comes when the dialog opens and has the call. `Notification` comes
    six seconds later, only if the dialog is still open, and doesn't say what is asked.
    """
    where = Paths(os.environ, state_dir)
    asked = lenient_json.parse_object(event) or {}
    if lenient_json.text(asked, "hook_event_name") != "PermissionRequest":
        seen = overview_reader.read(where.state_dir, session)
        is_open = seen is not None and seen.phase == WAITING
        question = formatting.question(seen.waits_for, seen.question) if seen and is_open else ""
        detail = question or lenient_json.text(asked, "message")
        return _notify(where, session, _ASKS, {**asked, "detail": detail})
    keys = KnownKeys(where)
    keys.look()
    kind, text = permission.read_question(asked)
    text = terminal.cut(terminal.plain(keys.hide(text)), _LONGEST_QUESTION)
    tasks = SessionStore(where, session, Journal(where, session))
    tasks.keep(asks=Question(kind, text, time.time()))
    return {}


def _notify(
    where: Paths, session: str, outcome: str, event: Mapping[str, object]
) -> dict[str, object]:
    """Notify the user if they want it; of the answer, claude only sends the terminal sequence."""
    words.use(os.environ)
    config = ccc_json.read(where)
    words.use(os.environ, config.language)
    if not config.supervisor.notify:
        return {}
    message = "stop.failed_turn" if outcome == _FAILED else "stop.asks"
    text = terminal.plain(words.say(message, detail=str(event["detail"])))
    project = os.environ.get("CLAUDE_PROJECT_DIR") or lenient_json.text(event, "cwd")
    wish = config.supervisor.notify
    notification = Notification(wish, outcome, session, message=text, project=project)
    notification.run_command(config, where)
    return {"terminalSequence": notification.sequence} if notification.sequence else {}
