"""`ccc queue [verb]`: a backlog of tasks; without a verb, its board or list."""

import importlib
import sys

from ccc.commands.queue import options
from ccc.config import ccc_json
from ccc.errors import CccError
from ccc.ui.arguments import Parser, unknown_verb

_NEEDED = ("sqlalchemy", "dbos", "psycopg", "yaml")
VERBS = {
    "add": "add.main",
    "list": "listing.main",
    "show": "show.main",
    "logs": "logs.main",
    "answer": "changes.answer",
    "cancel": "changes.cancel",
    "retry": "changes.retry",
    "move": "changes.move",
    "rm": "removal.main",
    "pause": "rules.pause",
    "resume": "rules.resume",
    "budget": "rules.budget",
    "limit": "rules.limit",
    "keep": "rules.keep",
    "work": "work.main",
}
"""The module and the function of each verb, imported when it runs: they need the extra."""


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
    module, _, function = VERBS.get(verb, "board.main").partition(".")
    try:
        found = importlib.import_module(f"ccc.commands.queue.{module}")
        return int(getattr(found, function)(where, parsed))
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in _NEEDED:
            raise
        raise CccError(
            "extra.missing",
            what="ccc queue",
            extra="queue",
            name=error.name,
        ) from None


def build_parser(verb: str = "") -> Parser:
    """Build the parser for a verb, or the one with all verbs."""
    parser = Parser("queue")
    if verb:
        options.ADD[verb](parser)
        return parser
    parser.add_argument("verb", choices=list(VERBS))
    options.ADD["list"](parser)
    return parser
