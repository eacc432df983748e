"""`ccc statusline`: print Claude Code's status line. The exit code is always 0.

Claude runs it whenever the conversation changes, in all of the user's sessions, so it imports as
little as the hook's first stage.
"""

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ccc.sessions.overview import Overview

_LONGEST_INPUT = 1024 * 1024
_WIDEST = 36
# longer than a write under the lock
_LOCK_TRIES, _LOCK_SECONDS = 10, 0.05


def main(line: list[str]) -> int:
    """Print the state of supervision, or nothing if ccc doesn't know the session."""
    try:
        if "--help" in line or "-h" in line:
            from ccc import words
            from ccc.sessions import overview_reader

            overview_reader.speak()
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
    from ccc.text import json_path

    if sys.stdin is None or sys.stdin.isatty():
        return {}
    return json_path.parse_object(sys.stdin.buffer.read(_LONGEST_INPUT)) or {}


def _status(given: "dict[str, Any]") -> str:
    from ccc.claude import host
    from ccc.sessions import overview_reader
    from ccc.storage.paths import state_directory

    state_dir = state_directory(os.environ)
    names = dict.fromkeys((host.own_session(os.environ), str(given.get("session_id"))))
    known = [seen for name in names if (seen := overview_reader.read(state_dir, name))]
    if not known:
        return ""
    # a resumed session may be supervised under its own name
    seen = next((each for each in known if each.is_on), known[0])
    overview_reader.speak()
    waiting = _waiting(state_dir) if seen.is_on else ""
    return " · ".join(filter(None, [waiting, _supervision(seen), *_provider(seen, given)]))


def _waiting(state_dir: str) -> str:
    """Report that another ccc holds the lock, because a waiting hook can't report it itself."""
    import fcntl
    import time

    from ccc import words
    from ccc.ui import table

    path, flags = os.path.join(state_dir, "lock"), os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC
    for _ in range(_LOCK_TRIES):
        try:
            with open(os.open(path, flags), "rb") as file:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
                return ""
        except BlockingIOError:
            time.sleep(_LOCK_SECONDS)
        except OSError:  # there is no lock yet, or the file system doesn't support locks
            return ""
    return table.paint(words.say("statusline.waiting"), "yellow")


def _supervision(seen: "Overview") -> str:
    import time

    from ccc import words
    from ccc.system import terminal
    from ccc.ui import formatting, table

    if not seen.is_on:
        return table.paint(words.say("statusline.off"), "dim")
    count = f" {seen.round}/{seen.limit}" if seen.round and seen.limit else ""
    if seen.is_stopping:
        message = "statusline.checking" if seen.phase == "checking" else "statusline.reviewing"
        check = f" {terminal.cut(terminal.plain(seen.check), _WIDEST)}" if seen.check else ""
        elapsed = formatting.clock(time.time() - seen.since)
        return table.paint(f"{words.say(message)}{count}{check} {elapsed}", "cyan")
    begin = words.say("statusline.on") + count
    if not seen.outcome:
        return begin
    is_sent_back = seen.outcome == "not_completed"
    reason = seen.feedback if is_sent_back else formatting.outcome(seen.outcome)
    mark = table.paint(seen.mark, table.MARKS.get(seen.mark, ""))
    return f"{begin} {mark} {table.cut(terminal.plain(reason), _WIDEST)}"


def _provider(seen: "Overview", given: "dict[str, Any]") -> list[str]:
    """Return the provider, the model and the cost of the reviews."""
    from ccc.system import terminal
    from ccc.ui import formatting, table

    model = given.get("model")
    name = model.get("display_name") if isinstance(model, dict) else ""
    shown = name if isinstance(name, str) and name else seen.model
    parts = [terminal.cut(terminal.plain(text), _WIDEST) for text in (seen.provider, shown)]
    if seen.is_on and seen.cost_usd:
        parts.append(formatting.money(seen.cost_usd, seen.cost_source))
    return [table.paint(part, "dim") for part in parts if part]
