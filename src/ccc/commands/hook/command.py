"""`ccc supervisor-hook`: claude's hook, for sessions that may be supervised; the exit code is 0.

`front` has found nothing that tells that there is nothing to do.
"""

import json
import os
import time
from collections.abc import Mapping

from ccc import words
from ccc.claude import host
from ccc.claude.formats import environment, permission
from ccc.commands.hook import stop
from ccc.commands.hook.stop import Answer
from ccc.config import ccc_json
from ccc.errors import CccError
from ccc.model.overview import WAITING
from ccc.model.state import Corrupt, Question, Stop
from ccc.sessions import overview_reader
from ccc.sessions.known_keys import KnownKeys
from ccc.storage import sessions
from ccc.storage.journal import Journal
from ccc.storage.paths import Paths, state_directory
from ccc.supervision import session_store, switch
from ccc.supervision.notifications import Notification
from ccc.supervision.session_store import SessionStore
from ccc.system import terminal
from ccc.text import lenient_json
from ccc.text.names import is_session_id
from ccc.ui import formatting

# claude names the session in the environment, so this is another client
_OTHERS_SECONDS = 2.0
_ON, _OFF, _UNCLEAR = "on", "off", "unclear"
_FAILED, _ASKS = "agent_failed", "waiting"
_LONGEST_QUESTION = 1_000


def main(line: list[str]) -> int:
    """Judge the stop if the session is supervised; otherwise print nothing."""
    try:
        return _main(line)
    except Exception:  # such as a deleted working directory or an invalid process id
        return 0


def _main(line: list[str]) -> int:
    if host.is_hook(os.environ):
        host.restore_launch()
        if host.is_agent_of_run(os.environ):
            return 0
    if "--confirm" in line:
        return _answer(switch.answer_prompt(stop.read_event()))
    options = _options(line)
    state_dir = options.get("--state-dir") or state_directory(os.environ)
    event, session = None, _session(state_dir)
    if not session and not os.isatty(0):
        event = stop.read_event(_OTHERS_SECONDS)
        session = str((lenient_json.parse_object(event) or {}).get("session_id") or "")
    seen = _look(state_dir, session)
    if "--announce" in line:
        if seen != _ON:
            return 0
        ccc_json.set_language()
        return _answer({"systemMessage": words.say("supervisor.resumed")})
    if "--asks" in line or "--failed" in line:
        if seen != _ON:
            return 0
        record = _record_question if "--asks" in line else _record_failure
        where = Paths(os.environ, os.path.abspath(state_dir))
        given = lenient_json.parse_object(event or stop.read_event()) or {}
        return _answer(record(where, session, given))
    if seen != _OFF:
        settings = options.get("--settings", "")
        stop.supervise(session, os.path.abspath(state_dir), settings, event)
    return 0


def _session(state_dir: str) -> str:
    """Return the session's id; a hook run by hand takes the one in its environment."""
    if host.is_hook(os.environ):
        return session_store.enter(os.environ, state_dir)
    return os.environ.get(environment.SESSION) or os.environ.get(host.CURRENT, "")


def _answer(answer: Answer) -> int:
    if answer:
        print(json.dumps(answer))
    return 0


def _look(state_dir: str, session: str) -> str:
    """Return whether the session is supervised, if this stage can tell."""
    if not is_session_id(session):
        return _OFF
    try:
        state = sessions.read(Paths(os.environ, state_dir), session)
    except (CccError, Corrupt):
        return _UNCLEAR  # the next stage reports that it can't be read
    if state is None:
        return _OFF
    # the next stage finds out who switched it off
    return _ON if state.enabled else _UNCLEAR if state.off_from_below else _OFF


def _options(line: list[str]) -> dict[str, str]:
    """Parse `--name value` and `--name=value` without argparse, whose exit code 2 would block."""
    values: dict[str, str] = {}
    for position, word in enumerate(line):
        name, equals, value = word.partition("=")
        if name in ("--settings", "--state-dir"):
            values[name] = value if equals else "".join(line[position + 1 : position + 2])
    return values


def _record_failure(where: Paths, session: str, failure: Mapping[str, object]) -> Answer:
    """Store that the turn ended with an API error, notify the user, and return the answer."""
    error = lenient_json.text(failure, "error")
    cause = lenient_json.text(failure, "last_assistant_message") or error
    journal = Journal(where, session)
    journal.log("turn failed", error=error, detail=cause)
    tasks = SessionStore(where, session, journal)
    tasks.keep(stop=Stop(), outcome=_FAILED, decided_at=time.time())
    return _notify(where, session, _FAILED, {**failure, "detail": cause})


def _record_question(where: Paths, session: str, asked: Mapping[str, object]) -> Answer:
    """Store what claude asks; notify the user if they haven't answered for a while.

    Measured: `PermissionRequest` comes when the dialog opens and has the call. `Notification` comes
    six seconds later, only if the dialog is still open, and doesn't say what is asked.
    """
    if lenient_json.text(asked, "hook_event_name") != "PermissionRequest":
        seen = overview_reader.read(where, session)
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


def _notify(where: Paths, session: str, outcome: str, event: Mapping[str, object]) -> Answer:
    """Notify the user if they want it; of the answer, claude only sends the terminal sequence."""
    words.use(os.environ)
    config = ccc_json.read(where)
    words.use(os.environ, config.language)
    if not (wish := config.supervisor.notify):
        return {}
    message = "stop.failed_turn" if outcome == _FAILED else "stop.asks"
    text = terminal.plain(words.say(message, detail=str(event["detail"])))
    project = os.environ.get("CLAUDE_PROJECT_DIR") or lenient_json.text(event, "cwd")
    notification = Notification(wish, outcome, session, message=text, project=project)
    notification.run_command(config, where)
    return {"terminalSequence": notification.sequence} if notification.sequence else {}
