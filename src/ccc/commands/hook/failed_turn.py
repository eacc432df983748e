"""Record a turn that ended with an API error: claude runs no Stop hook then."""

import json
import os
import time

from ccc import words
from ccc.config import ccc_json
from ccc.storage.journal import Journal
from ccc.storage.paths import Paths
from ccc.supervision.notifications import Notification
from ccc.supervision.session_store import SessionStore
from ccc.system import terminal
from ccc.text import json_path

_OUTCOME = "agent_failed"


def record(session: str, state_dir: str, event: bytes) -> dict[str, object]:
    """Store the outcome, notify the user, and return the answer to claude.

    Measured: of the answer to StopFailure, claude only sends the terminal sequence.
    """
    where = Paths(os.environ, state_dir)
    words.use(os.environ)
    config = ccc_json.read(where)
    words.use(os.environ, config.language)
    failure = json_path.parse_object(event) or {}
    cause = json_path.text(failure, "last_assistant_message") or json_path.text(failure, "error")
    message = terminal.plain(words.say("stop.failed_turn", detail=cause))
    journal = Journal(where, session)
    journal.log("turn failed", error=json_path.text(failure, "error"), detail=cause)
    tasks = SessionStore(where, session, journal)
    tasks.keep(stop={}, outcome=_OUTCOME, decided_at=time.time())
    if not config.supervisor.notify:
        return {}
    project = os.environ.get("CLAUDE_PROJECT_DIR") or json_path.text(failure, "cwd")
    notification = Notification(
        config.supervisor.notify, _OUTCOME, session, message=message, project=project
    )
    notification.run_command(config, where)
    return {"terminalSequence": notification.sequence} if notification.sequence else {}


def answer(session: str, state_dir: str, event: bytes) -> int:
    """Print the answer; the exit code is always 0."""
    if found := record(session, state_dir, event):
        print(json.dumps(found))
    return 0
