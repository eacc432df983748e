"""`ccc supervisor-hook`: claude's Stop hook. Its exit code is 0, whatever happens.

Every claude of the user runs it at every stop, so this stage uses nothing but `os` to find out
whether there is anything to supervise.
"""

import os

from ccc.claude import host
from ccc.storage.paths import state_directory
from ccc.text import json_path
from ccc.text.names import is_session_id

MAX_EVENT = 16 * 1024 * 1024
_ON, _OFF, _UNCLEAR = "on", "off", "unclear"


def main(line: list[str]) -> int:
    """Judge the stop if the session is supervised; otherwise say nothing."""
    try:
        return _main(line)
    except Exception:  # the working directory is gone, a process id is none
        return 0


def _main(line: list[str]) -> int:
    if host.is_hook(os.environ):
        host.restore_launch()
        if host.is_agent_of_run(os.environ):
            return 0
    if "--confirm" in line:
        from ccc.commands import mode

        return mode.confirm(read_event())
    options = _options(line)
    state_dir = options.get("--state-dir") or state_directory(os.environ)
    event = None
    sessions = host.sessions_of_stop(os.environ)
    if not sessions and not os.isatty(0):
        event = read_event()
        sessions = [str((json_path.parse_object(event) or {}).get("session_id") or "")]
    for session in sessions:
        seen = _look(state_dir, session)
        if "--announce" in line:
            if seen == _ON:
                return _announce()
        elif seen != _OFF:
            from ccc.commands.hook import stop

            settings = options.get("--settings", "")
            stop.supervise(session, os.path.abspath(state_dir), settings, event)
    return 0


def _announce() -> int:
    """Tell the user of a resumed session that it is supervised."""
    import json

    from ccc import words
    from ccc.sessions import quick_look

    quick_look.speak()
    print(json.dumps({"systemMessage": words.say("supervisor.resumed")}))
    return 0


def read_event() -> bytes:
    """The hook's input; of one that is too long one byte more than claude would give."""
    with open(0, "rb", closefd=False) as file:
        return file.read(MAX_EVENT + 1)


def _look(state_dir: str, session: str, hops: int = 1) -> str:
    """Whether the session is supervised, as far as this stage can say."""
    if not is_session_id(session):
        return _OFF
    path = os.path.join(state_dir, f"supervisor-{session}.json")
    try:
        # a pipe in its place must not block
        with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
            state = json_path.parse_object(file.read()) or {}
    except FileNotFoundError:
        return _OFF if hops else _ON  # the session it followed is gone
    except OSError:
        return _UNCLEAR  # the user should know that it can't be read
    if not state:
        return _UNCLEAR
    if state.get("enabled", False) is False:
        # who switched it off is found out later
        return _UNCLEAR if state.get("off_from_below") else _OFF
    leader = state.get("follows")
    if hops and leader and isinstance(leader, str):
        return _look(state_dir, leader, 0)
    return _ON


def _options(line: list[str]) -> dict[str, str]:
    """`--name value` and `--name=value`; never through argparse, whose exit code 2 would block."""
    found: dict[str, str] = {}
    for position, word in enumerate(line):
        name, equals, value = word.partition("=")
        if name in ("--settings", "--state-dir"):
            found[name] = value if equals else "".join(line[position + 1 : position + 2])
    return found
