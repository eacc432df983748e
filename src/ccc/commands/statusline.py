"""`ccc statusline`: one line for Claude Code's status line. Exit code 0, whatever happens.

Claude runs it at every change of the conversation, in every session of the user's: like the
hook's first stage it looks with as little as it can.
"""

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ccc.sessions.glance import Glance

_LONGEST_INPUT = 1024 * 1024
_WIDEST = 36
# a write under the lock takes less
_LOOKS, _LOOK_SECONDS = 10, 0.05


def main(line: list[str]) -> int:
    """Print what supervision is at; nothing where ccc knows nothing of the session."""
    try:
        if "--help" in line or "-h" in line:
            return _help()
        if told := _told(_input()):
            sys.stdout.write(told + "\n")
            sys.stdout.flush()
    except Exception:  # a status line that breaks would be in the way of the work
        try:
            # what could not be written now must not be tried again at the end
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        except OSError:
            pass
    return 0


def _help() -> int:
    from ccc import words
    from ccc.sessions import quick_look

    quick_look.speak()
    print(words.say("statusline.usage"))
    return 0


def _told(given: "dict[str, Any]") -> str:
    from ccc.claude import host
    from ccc.sessions import quick_look
    from ccc.storage.paths import state_directory

    state_dir = state_directory(os.environ)
    names = dict.fromkeys((host.own_session(os.environ), str(given.get("session_id"))))
    seen = [each for name in names if (each := quick_look.glance(state_dir, name))]
    if not seen:
        return ""
    # a session that was resumed may be supervised under its own name
    found = next((each for each in seen if each.is_on), seen[0])
    quick_look.speak()
    told = [_waiting(state_dir) if found.is_on else "", _supervision(found), *_whom(found, given)]
    return " · ".join(filter(None, told))


def _waiting(state_dir: str) -> str:
    """Say that a ccc keeps the others waiting: a hook that waits can't say it before it answers."""
    import fcntl
    import time

    from ccc import words
    from ccc.ui import table

    path, flags = os.path.join(state_dir, "lock"), os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC
    for _ in range(_LOOKS):
        try:
            with open(os.open(path, flags), "rb") as file:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
                return ""
        except BlockingIOError:
            time.sleep(_LOOK_SECONDS)
        except OSError:  # there is no lock yet, or the file system has none
            return ""
    return table.paint(words.say("statusline.waiting"), "yellow")


def _input() -> "dict[str, Any]":
    """What claude says of the session; nothing where it is none of its words."""
    from ccc.text import quick_json

    if sys.stdin is None or sys.stdin.isatty():
        return {}
    return quick_json.object_in(sys.stdin.buffer.read(_LONGEST_INPUT))


def _supervision(found: "Glance") -> str:
    import time

    from ccc import words
    from ccc.system import terminal
    from ccc.ui import formatting, table

    if not found.is_on:
        return table.paint(words.say("statusline.off"), "dim")
    count = f" {found.iteration}/{found.limit}" if found.iteration and found.limit else ""
    if found.is_stopping:
        going = formatting.clock(time.time() - found.since)
        message = "statusline.checking" if found.phase == "checking" else "statusline.reviewing"
        check = f" {terminal.cut(terminal.plain(found.check), _WIDEST)}" if found.check else ""
        return table.paint(words.say(message) + count + check + f" {going}", "cyan")
    begin = words.say("statusline.on") + count
    if not found.outcome:
        return begin
    why = found.feedback if found.outcome == "not_completed" else formatting.outcome(found.outcome)
    mark = table.paint(found.mark, table.MARKS.get(found.mark, ""))
    return f"{begin} {mark} {table.cut(terminal.plain(why), _WIDEST)}"


def _whom(found: "Glance", given: "dict[str, Any]") -> list[str]:
    """Provider, model and cost of the reviews."""
    from ccc.system import terminal
    from ccc.ui import formatting, table

    model = given.get("model")
    named = model.get("display_name") if isinstance(model, dict) else ""
    shown = named if isinstance(named, str) and named else found.model
    parts = [terminal.cut(terminal.plain(text), _WIDEST) for text in (found.provider, shown)]
    has_cost = found.is_on and found.cost_usd
    cost = formatting.money(found.cost_usd, found.cost_source) if has_cost else ""
    return [table.paint(part, "dim") for part in (*parts, cost) if part]
