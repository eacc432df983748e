"""`ccc supervisor-hook`: claude's Stop hook. The exit code is always 0.

All of the user's claude sessions run it at every stop, so this stage only uses `os` to find out
whether there is anything to supervise.
"""

import os

from ccc.claude import host
from ccc.claude.formats import environment
from ccc.storage.paths import state_directory
from ccc.supervision import conversation
from ccc.text import lenient_json

MAX_EVENT = 16 * 1024 * 1024
_CHUNK = 1 << 16
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
        from ccc.supervision import switch

        return _answer(switch.answer_prompt(read_event()))
    options = _options(line)
    state_dir = options.get("--state-dir") or state_directory(os.environ)
    event, session = None, _session(state_dir)
    if not session and not os.isatty(0):
        event = read_event(_OTHERS_SECONDS)
        session = str((lenient_json.parse_object(event) or {}).get("session_id") or "")
    seen = _look(state_dir, session)
    if "--announce" in line:
        return _announce() if seen == _ON else 0
    if "--asks" in line or "--failed" in line:
        if seen != _ON:
            return 0
        return _record("--asks" in line, session, state_dir, event or read_event())
    if seen != _OFF:
        from ccc.commands.hook import stop

        settings = options.get("--settings", "")
        stop.supervise(session, os.path.abspath(state_dir), settings, event)
    return 0


def _session(state_dir: str) -> str:
    """Return the session's id; a hook run by hand takes the one in its environment."""
    if host.is_hook(os.environ):
        return conversation.enter(os.environ, state_dir)
    return os.environ.get(environment.SESSION) or os.environ.get(host.CURRENT, "")


def _announce() -> int:
    """Tell the user that the resumed session is supervised."""
    from ccc import words
    from ccc.sessions import overview_reader

    overview_reader.speak()
    return _answer({"systemMessage": words.say("supervisor.resumed")})


def _answer(answer: dict[str, object]) -> int:
    """Print the answer for claude, if there is one."""
    if answer:
        import json

        print(json.dumps(answer))
    return 0


def _record(asks: bool, session: str, state_dir: str, event: bytes) -> int:
    """Record that claude asks the user, or that the turn ended with an API error."""
    from ccc.commands.hook import between_stops

    record = between_stops.record_question if asks else between_stops.record_failure
    return _answer(record(session, os.path.abspath(state_dir), event))


def read_event(seconds: float | None = None) -> bytes:
    """Read the hook's input: one JSON object, or a byte more than claude ever sends.

    Some clients leave stdin open. `seconds` is how long to wait for one that writes nothing.
    """
    from select import select

    data = bytearray()
    while len(data) <= MAX_EVENT and select([0], [], [], seconds)[0]:
        chunk = os.read(0, _CHUNK)
        data += chunk
        if not chunk:
            break
        # a whole object is usually at the end of what a client has written at once
        is_end = len(chunk) < _CHUNK and chunk.rstrip().endswith(b"}")
        if is_end and lenient_json.parse_object(data.decode("utf-8", "replace")) is not None:
            break
    return bytes(data)


def _look(state_dir: str, session: str) -> str:
    """Return whether the session is supervised, if this stage can tell."""
    try:
        state = conversation.read(state_dir, session)
    except OSError:
        return _UNCLEAR  # the next stage reports that it can't be read
    if state is None:
        return _OFF
    if state and state.get("enabled", False) is False:
        # the next stage finds out who switched it off
        return _UNCLEAR if state.get("off_from_below") else _OFF
    return _ON if state else _UNCLEAR


def _options(line: list[str]) -> dict[str, str]:
    """Parse `--name value` and `--name=value` without argparse, whose exit code 2 would block."""
    values: dict[str, str] = {}
    for position, word in enumerate(line):
        name, equals, value = word.partition("=")
        if name in ("--settings", "--state-dir"):
            values[name] = value if equals else "".join(line[position + 1 : position + 2])
    return values
