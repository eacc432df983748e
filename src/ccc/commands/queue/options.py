"""The options of each verb of `ccc queue`; needs no database, so that completion is fast."""

import argparse
import re
from collections.abc import Callable, Sequence
from typing import Any

from ccc import words
from ccc.backlog import admission, task
from ccc.ui.arguments import Parser, number

_MOST_JOBS = 1_000
_MOST_DAYS = 100_000
OFF = "off"


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


ADD: dict[str, Callable[[Parser], None]] = {
    "add": _add,
    "list": _list,
    "show": _one,
    "logs": _logs,
    "answer": _answer,
    "cancel": lambda p: _several(p, task.RUNNING, task.NEEDS_INPUT, task.WAITING),
    "retry": _retry,
    "move": _move,
    "rm": _rm,
    "pause": _pause,
    "resume": _pause,
    "budget": _budget,
    "limit": _limit,
    "keep": _keep,
    "work": _work,
}
"""The function that adds the options of a verb to its parser."""


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
