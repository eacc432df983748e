"""`ccc queue [verb]`: a backlog of tasks; without a verb, its board or list.

The options need no database, so that completion is fast.
"""

import argparse
import importlib
import re
import sys
from collections.abc import Callable, Sequence
from typing import Any

from ccc import words
from ccc.backlog import admission, task
from ccc.config import ccc_json
from ccc.errors import CccError
from ccc.ui.arguments import Parser, number, unknown_verb

_NEEDED = ("sqlalchemy", "dbos", "psycopg", "yaml")
_MOST_JOBS = 1_000
_MOST_DAYS = 100_000
OFF = "off"


def main(line: list[str]) -> int:
    """Run the verb; without one, show the board on a terminal, else the list."""
    has_verb = bool(line) and not line[0].startswith("-")
    verb, rest = (line[0], line[1:]) if has_verb else ("list", line)
    if verb not in VERBS:
        ccc_json.set_language()
        raise unknown_verb("queue", verb, VERBS)
    where, parsed = build_parser(verb).begin(rest)
    if not line and sys.stdout.isatty() and sys.stdin.isatty():
        verb = ""
    function = VERBS[verb][0] if verb else "board.main"
    try:
        module, _, name = function.partition(".")
        found = importlib.import_module(f"ccc.commands.queue.{module}")
        return int(getattr(found, name)(where, parsed))
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in _NEEDED:
            raise
        raise CccError("extra.missing", what="ccc queue", extra="queue", name=error.name) from None


def build_parser(verb: str = "") -> Parser:
    """Build the parser for a verb, or the one with all verbs."""
    parser = Parser("queue")
    if verb:
        VERBS[verb][1](parser)
        return parser
    parser.add_argument("verb", choices=list(VERBS))
    _list(parser)
    return parser


def _add(parser: Parser) -> None:
    parser.add_argument("words", nargs="*", metavar=words.say("queue.text"))
    for name in ("--repo", "--branch", "--base", "--setup", "--file", "--from"):
        parser.add_argument(name, default="", dest="source" if name == "--from" else None)
    parser.add_argument("--provider", action="append", default=[])
    parser.add_argument("--check", action="append", default=[])
    parser.add_bounds()
    priority = number(-task.MOST_PRIORITY, task.MOST_PRIORITY)
    parser.add_argument("--priority", type=priority, default=0)
    _add_ids(parser, "--after", action="append", default=[])
    parser.add_flags("--push", "--pr", "--json")


def _add_ids(parser: Parser, name: str, states: Sequence[str] = (), **more: Any) -> None:
    """Add an argument for the numbers of tasks; completion offers those in the states, or all."""
    action = parser.add_argument(name, type=_id, **more)
    action.states = states  # type: ignore[attr-defined]


def _one(parser: Parser, *states: str) -> None:
    _add_ids(parser, "id", states, metavar="ID")
    parser.add_flags("--json")


def _several(parser: Parser, *states: str) -> None:
    _add_ids(parser, "ids", states, nargs="+", metavar="ID")
    parser.add_flags("--json")


def _retry(parser: Parser) -> None:
    _several(parser, task.FAILED, task.CANCELLED, task.NEEDS_INPUT)
    parser.add_bounds()


def _list(parser: Parser) -> None:
    parser.add_argument("--state", action="append", choices=task.STATES, default=[])
    parser.add_argument("-n", type=number(1, task.LARGEST_ID))
    parser.add_flags("--all", "--json")


def _logs(parser: Parser) -> None:
    _add_ids(parser, "id", metavar="ID")
    ways = parser.add_mutually_exclusive_group()
    ways.add_argument("--follow", "-f", action="store_true")
    ways.add_argument("--json", action="store_true")


def _answer(parser: Parser) -> None:
    _one(parser, task.NEEDS_INPUT, task.FAILED)
    parser.add_argument("words", nargs="*", metavar=words.say("queue.text"))


def _move(parser: Parser) -> None:
    _one(parser, task.WAITING)
    to = parser.add_argument("to", type=_place, metavar=f"{task.FIRST}|{task.LAST}|N")
    to.offered = (task.FIRST, task.LAST)  # type: ignore[attr-defined]


def _rm(parser: Parser) -> None:
    _several(parser, *(state for state in task.STATES if state != task.RUNNING))
    parser.add_argument("--yes", "-y", action="store_true")
    parser.add_flags("--force")


def _pause(parser: Parser) -> None:
    parser.add_argument("provider", nargs="?", default="", metavar=words.say("usage.name"))
    parser.add_flags("--json")


def _budget(parser: Parser) -> None:
    amount = parser.add_argument("amount", nargs="?", type=_amount, metavar=f"N/day|N|{OFF}")
    amount.offered = (OFF,)  # type: ignore[attr-defined]
    parser.add_flags("--json")


def _limit(parser: Parser) -> None:
    _pause(parser)
    for name in ("--jobs", "--per-minute"):
        parser.add_argument(name, type=number(0, _MOST_JOBS))


def _keep(parser: Parser) -> None:
    parser.add_argument("days", nargs="?", type=number(0, _MOST_DAYS, float), metavar="N")
    parser.add_flags("--json")


def _work(parser: Parser) -> None:
    parser.add_argument("--jobs", type=number(1, _MOST_JOBS))
    parser.add_flags("--once")
    ways = parser.add_mutually_exclusive_group()
    for name in ("--detach", "--unit", "--json"):
        ways.add_argument(name, action="store_true")


def _id(text: str) -> int:
    """Return the number of a task, written as 12 or #12."""
    match = re.fullmatch(r"#?([0-9]{1,10})", text.strip())
    if not match or not 0 < int(match[1]) <= task.LARGEST_ID:
        raise argparse.ArgumentTypeError(words.say("queue.not_id", text=text))
    return int(match[1])


def _place(text: str) -> str:
    if not task.is_place(text):
        raise argparse.ArgumentTypeError(words.say("queue.not_place", text=text))
    return text


def _amount(text: str) -> tuple[str, float]:
    """Return the kind of budget and the dollars; without a budget, the kind is `off`."""
    parsed = (OFF, 0.0) if text == OFF else admission.parse_budget(text)
    if parsed is None:
        raise argparse.ArgumentTypeError(words.say("queue.not_amount", text=text))
    return parsed


VERBS: dict[str, tuple[str, Callable[[Parser], None]]] = {
    "add": ("add.main", _add),
    "list": ("show.list_tasks", _list),
    "show": ("show.show", _one),
    "logs": ("logs.main", _logs),
    "answer": ("changes.answer", _answer),
    "cancel": (
        "changes.cancel",
        lambda p: _several(p, task.RUNNING, task.NEEDS_INPUT, task.WAITING),
    ),
    "retry": ("changes.retry", _retry),
    "move": ("changes.move", _move),
    "rm": ("changes.remove", _rm),
    "pause": ("rules.pause", _pause),
    "resume": ("rules.resume", _pause),
    "budget": ("rules.budget", _budget),
    "limit": ("rules.limit", _limit),
    "keep": ("rules.keep", _keep),
    "work": ("work.main", _work),
}
"""The module and the function of each verb, imported when it runs: they need the extra. And what
adds its options."""
