"""The status line: whether this session is supervised, and what the supervisor is doing."""

import fcntl
import os
import sys
import time

from ccc import words
from ccc.front import session

_LONGEST_INPUT = 1024 * 1024
_CELLS = 36
_MARKS = {"completed": "✓", "still_completed": "✓", "not_completed": "✗"}
_MARKS |= {"needs_user": "?", "plan": "–", "background": "–"}
"""The mark of each outcome; that of any other is an exclamation mark."""
_CODES = {"✓": "32", "✗": "31", "!": "33", "?": "33", "cyan": "36", "yellow": "33", "dim": "2"}


def main(line: list[str]) -> int:
    """Print the state of supervision, or nothing if ccc doesn't know the session."""
    try:
        environ = dict(os.environ)
        config = _load(session.config_directory(environ), "ccc.json")
        configured = _text(config.get("language"))
        words.use(environ, configured if configured in words.LANGUAGES else "")
        if "--help" in line or "-h" in line:
            print(words.say("statusline.usage"))
        else:
            is_given = sys.stdin is not None and not sys.stdin.isatty()
            given = session.parse(sys.stdin.buffer.read(_LONGEST_INPUT)) if is_given else {}
            print(_render(environ, given), end="", flush=True)
    except Exception:  # a failing status line would disturb the user
        # don't retry the failed write at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return 0


def _load(*path: str) -> dict[str, object]:
    try:
        return session.load(os.path.join(*path))
    except OSError:
        return {}


def _render(environ: dict[str, str], given: dict[str, object]) -> str:
    directory = session.state_directory(environ)
    name, _ = session.find(environ, directory, _text(given.get("session_id")))
    state = session.load_state(directory, name)
    if not state:
        return ""
    model = _text(_object(given.get("model")).get("display_name")) or _text(state.get("model"))
    about = [_cut(_text(state.get("provider"))), _cut(model)]
    parts = [_paint(words.say("statusline.off"), "dim")]
    if state.get("enabled") is True:
        # a hook that waits for another ccc can't report it itself
        lock = words.say("statusline.waiting") if _is_locked(directory) else ""
        parts = [_paint(lock, "yellow"), _supervision(environ, state)]
        about.append(_cost(state))
    parts += [_paint(text, "dim") for text in about]
    return " · ".join(filter(None, parts)) + "\n"


def _supervision(environ: dict[str, str], state: dict[str, object]) -> str:
    """Return what happens at a stop, what claude asks, or how the last stop ended."""
    run, stop = _object(state.get("run")), _object(state.get("stop"))
    number, limit = _number(state.get("count")), _number(state.get("limit"))
    count = f" {number:.0f}/{limit:.0f}" if number and limit else ""
    outcome = _text(run.get("outcome")) or _text(state.get("outcome"))
    if stop.get("phase") in ("checking", "reviewing"):
        if _is_alive(stop, state):
            check = _cut(_text(stop.get("check")))
            seconds = max(0.0, time.time() - _number(stop.get("since")))
            form = "%-H:%M:%S" if seconds >= 3_600 else "%-M:%S"
            doing = words.say(f"statusline.{stop['phase']}") + count
            parts = [doing, check, time.strftime(form, time.gmtime(seconds))]
            return _paint(" ".join(filter(None, parts)), "cyan")
        outcome = outcome if run else "cut_off"  # a review that ends normally completes its record
    begin = words.say("statusline.on") + count
    if not run and (question := _question(environ, state)):
        return _paint(f"{begin} ? {_cut(question)}", "yellow")
    if not outcome:
        return begin
    mark, feedback, not_run = _MARKS.get(outcome, "!"), state.get("feedback"), state.get("not_run")
    reason = words.find(f"look.{outcome}") or outcome  # one of a newer ccc has no words
    if outcome == "not_completed":
        reason = _text(feedback[-1]) if isinstance(feedback, list) and feedback else ""
    elif outcome == "completed" and isinstance(not_run, list) and not_run:
        checks = words.count("checks", len(not_run))
        reason = words.say("look.without_checks", outcome=reason, checks=checks)
    return f"{begin} {_paint(mark, mark)} {_cut(reason)}"


def _question(environ: dict[str, str], state: dict[str, object]) -> str:
    """Return what claude asks in a dialog: its own record says that one is open, a hook what."""
    record = f"{_number(state.get('pid')):.0f}.json"
    client = _load(session.claude_directory(environ), "sessions", record)
    if client.get("status") != "waiting" or not _is_alive(state, state):
        return ""
    asks = _object(state.get("asks"))
    # the hook may have told it some seconds before claude records the dialog
    if _number(asks.get("at")) <= _number(client.get("statusUpdatedAt")) // 1_000 - 5:
        is_permission = client.get("waitingFor") in ("permission prompt", "sandbox request")
        asks = {"kind": "permission" if is_permission else "question"}
    kind, text, known = _text(asks.get("kind")), _text(asks.get("text")), words.catalogue("look")
    kind = known.get(f"look.asks_{kind}", known["look.asks"])
    return words.say("look.asks_for", kind=kind, text=text) if text else kind


def _cost(state: dict[str, object]) -> str:
    run = _object(state.get("run"))
    usd = _number(state.get("cost_usd")) + _number(run.get("turn_cost_usd"))
    source = _text(state.get("cost_source")) or _text(run.get("turn_cost_source"))
    mark = "~" if not source or "claude's estimate" in source.split(", ") else ""
    amount = f"{mark}${usd:.4f}" if usd < 10 else f"{mark}${usd:.2f}"
    return words.say("cost.total" if run else "cost.of_task", cost=amount) if usd else ""


def _is_alive(holder: dict[str, object], state: dict[str, object]) -> bool:
    pid = int(_number(holder.get("pid")))
    if pid <= 0:
        return False
    try:
        os.kill(pid, 0)
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            line = os.fsdecode(file.read(8_192))
    except FileNotFoundError:
        return not os.path.isdir("/proc/self")
    except (OSError, OverflowError):
        return False
    own_name = os.path.basename(_text(state.get("claude"))) or "claude"
    return any(name in line for name in ("claude", "ccc", own_name))


def _is_locked(directory: str) -> bool:
    """Return whether another ccc holds the lock for longer than a write takes."""
    path, flags = os.path.join(directory, "lock"), os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC
    for _ in range(10):  # for half a second
        try:
            with open(os.open(path, flags), "rb") as file:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
                return False
        except BlockingIOError:
            time.sleep(0.05)
        except OSError:  # there is no lock yet, or the file system doesn't support locks
            return False
    return True


def _object(value: object) -> dict[str, object]:
    return value if isinstance(value, dict) else {}


def _text(value: object) -> str:
    """Return a string, the beginning of one that has its own file; empty for anything else."""
    value = value.get("begin") if isinstance(value, dict) else value
    return value if isinstance(value, str) else ""


def _number(value: object) -> float:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and abs(value) < 1e15 else 0.0  # type: ignore[arg-type]


def _plain(text: str) -> str:
    if text.isprintable():
        return text
    from ccc.text import controls  # it imports re, 8 ms for the few texts that need it

    return controls.plain(text)


def _cut(text: str) -> str:
    """Return the text on one line of at most so many cells, cut after a word."""
    line = " ".join(_plain(text).split())
    if _width(line) <= _CELLS:
        return line
    at = next(n for n in range(_CELLS, 0, -1) if _width(line[:n]) < _CELLS)
    is_in_word = line[at - 1 : at + 1].isascii() and " " in line[:at]
    return (line[: line.rindex(" ", 0, at + 1)] if is_in_word else line[:at]).rstrip() + "…"


def _width(text: str) -> int:
    """Return the width of the text in cells; a Chinese character takes two."""
    if text.isascii():
        return len(text)
    from unicodedata import category, east_asian_width  # 0.3 ms, for few texts

    shown = [c for c in text if category(c) not in ("Mn", "Me", "Cf")]
    return sum(2 if east_asian_width(c) in "WF" else 1 for c in shown)


def _paint(text: str, style: str) -> str:
    is_plain = not text or style not in _CODES or os.environ.get("NO_COLOR")
    return text if is_plain else f"\x1b[{_CODES[style]}m{text}\x1b[0m"
