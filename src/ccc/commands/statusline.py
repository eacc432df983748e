"""`ccc statusline`: print Claude Code's status line. The exit code is always 0.

Claude runs it whenever the conversation changes, in all of the user's sessions, so it imports as
little as the hook's first stage.
"""

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_LONGEST_INPUT = 1024 * 1024


def main(line: list[str]) -> int:
    """Print the state of supervision, or nothing if ccc doesn't know the session."""
    try:
        if "--help" in line or "-h" in line:
            from ccc import words
            from ccc.sessions import overview_reader

            overview_reader.set_language()
            print(words.say("statusline.usage"))
        elif text := _status(_input()):
            sys.stdout.write(text + "\n")
            sys.stdout.flush()
    except Exception:  # a failing status line would disturb the user
        try:
            # don't retry the failed write at exit
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        except OSError:
            pass
    return 0


def _input() -> "dict[str, Any]":
    """Read claude's description of the session; empty if there is none."""
    from ccc.text import lenient_json

    if sys.stdin is None or sys.stdin.isatty():
        return {}
    return lenient_json.parse_object(sys.stdin.buffer.read(_LONGEST_INPUT)) or {}


def _status(given: "dict[str, Any]") -> str:
    from ccc.sessions import overview_reader
    from ccc.storage.paths import state_directory
    from ccc.supervision import conversation

    state_dir = state_directory(os.environ)
    session = conversation.session_of(os.environ, state_dir, str(given.get("session_id") or ""))
    overview = overview_reader.read(state_dir, session)
    if overview is None:
        return ""
    from ccc.ui import status_line

    overview_reader.set_language()
    # a hook that waits for another ccc can't report it itself
    is_waiting = overview.is_on and overview_reader.is_locked(state_dir)
    return status_line.render(overview, given, is_waiting)
