"""`ccc supervisor-hook`: claude's hook, for sessions that may be supervised; the exit code is 0.

`front` has found nothing that tells that there is nothing to do.
"""

import json
import os

from ccc import words
from ccc.claude import host
from ccc.claude.formats import environment
from ccc.commands.hook import between_stops, stop
from ccc.errors import CccError
from ccc.model.state import Corrupt
from ccc.sessions import overview_reader
from ccc.storage import sessions
from ccc.storage.paths import Paths, state_directory
from ccc.supervision import session_store, switch
from ccc.text import lenient_json
from ccc.text.names import is_session_id

# claude names the session in the environment, so this is another client
_OTHERS_SECONDS = 2.0
_ON, _OFF, _UNCLEAR = "on", "off", "unclear"


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
        return _announce() if seen == _ON else 0
    if "--asks" in line or "--failed" in line:
        if seen != _ON:
            return 0
        return _record("--asks" in line, session, state_dir, event or stop.read_event())
    if seen != _OFF:
        settings = options.get("--settings", "")
        stop.supervise(session, os.path.abspath(state_dir), settings, event)
    return 0


def _session(state_dir: str) -> str:
    """Return the session's id; a hook run by hand takes the one in its environment."""
    if host.is_hook(os.environ):
        return session_store.enter(os.environ, state_dir)
    return os.environ.get(environment.SESSION) or os.environ.get(host.CURRENT, "")


def _announce() -> int:
    """Tell the user that the resumed session is supervised."""
    overview_reader.set_language()
    return _answer({"systemMessage": words.say("supervisor.resumed")})


def _answer(answer: dict[str, object]) -> int:
    """Print the answer for claude, if there is one."""
    if answer:
        print(json.dumps(answer))
    return 0


def _record(asks: bool, session: str, state_dir: str, event: bytes) -> int:
    """Record that claude asks the user, or that the turn ended with an API error."""
    record = between_stops.record_question if asks else between_stops.record_failure
    return _answer(record(session, os.path.abspath(state_dir), event))


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
