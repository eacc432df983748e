"""`ccc show [SESSION]`: print everything recorded about one session, or mark a wrong verdict."""

import sys

from ccc import words
from ccc.model.record import SessionRecord
from ccc.model.round import RIGHT, WRONG
from ccc.sessions import lookup, marks
from ccc.storage.paths import Paths
from ccc.system import terminal
from ccc.ui import formatting
from ccc.ui.arguments import Parser
from ccc.ui.session_printer import SessionPrinter

_MARKED = {WRONG: "show.marked_wrong", RIGHT: "show.marked_right"}


def main(arguments: list[str]) -> int:
    """Print one session: the requests, each round and its reasons, and the paths of the logs."""
    parser = build_parser()
    where, options = parser.begin(arguments)
    if options.round is not None and not options.mark:
        parser.error(words.say("show.round_of_mark"))
    session = lookup.find(where, options.SESSION)
    if options.mark:
        _mark(where, session, options.round or 0, options.mark)
    elif options.json:
        print(terminal.as_json(lookup.values(session)))
    else:
        SessionPrinter(options.full).print(session)
    return 0


def build_parser() -> Parser:
    """Build the parser for `ccc show`."""
    parser = Parser("show")
    parser.add_flags("--json")
    parser.add_argument("--full", "--all", "--verbose", "-v", action="store_true")
    for mark in (WRONG, RIGHT):
        parser.add_argument(f"--{mark}", dest="mark", action="store_const", const=mark, default="")
    parser.add_argument("--round", type=int)
    parser.add_argument("SESSION", nargs="?", default="")
    return parser


def _mark(where: Paths, session: SessionRecord, number: int, mark: str) -> None:
    """Mark a verdict and print how to make a case of a wrong one."""
    each = marks.find_round(session, number)
    marks.mark(where, session, each, mark)
    name = f"{formatting.round_name(each)} · {formatting.outcome(each.outcome)}"
    told = words.say(_MARKED[mark], session=session.overview.session[: marks.SHORT_ID], round=name)
    print(terminal.fit(told, sys.stdout))
    if mark == WRONG:
        truth = "not-done" if each.outcome == "completed" else "done"
        command = f"ccc eval add {marks.unique_id_of(where, session)} --truth {truth} --kind KIND"
        command += f" --round {number}" if number else ""
        print(terminal.fit(words.say("show.make_case"), sys.stdout))
        print(f"  {command}")
