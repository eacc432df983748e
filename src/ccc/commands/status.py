"""`ccc status`: one line a session, quickly, however many there are."""

import os
import time

from ccc import columns, telling, terminal, words
from ccc.commands import glancing
from ccc.storage import directories, sessions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ccc.domain.glance import Glance

_MOST_SHOWN = 20
_DAY = 86_400
_HEADINGS = (
    *("look.session", "look.project", "look.provider", "look.supervisor", "look.phase"),
    *("look.reviews", "look.last", "look.cost_usd", "look.changed"),
)
_PROJECT, _PHASE, _LAST = 1, 4, 6
_COLOURS = {"reviewing": "36", "checking": "36", "working": "33", "ended": "2"}
"""Of the phases."""


def main(line: list[str]) -> int:
    """Print the sessions that are running or have changed within a day."""
    glancing.speak()
    if not set(line) <= {"--all", "--json"}:
        # argparse takes longer than all the rest
        if _is_only_asked(line):
            return 0
        line = [word for word in line if word in ("--all", "--json")]
    everything = "--all" in line
    shown, more = _found(directories.of_state(os.environ), everything)
    if "--json" in line:
        values = {"sessions": [each.values() for each in shown], "more": more}
        print(terminal.as_json(values))
        return 0
    _print(shown, more)
    return 0


def _is_only_asked(line: list[str]) -> bool:
    """Whether the line asks for help, which is printed; a mistake is an error."""
    from ccc.commands.parsing import Parser

    parser = Parser("status")
    parser.add_flags("--all", "--json")
    return parser.said(line) is None


def _found(state_dir: str, everything: bool) -> "tuple[list[Glance], int]":
    """The sessions to show, and how many more there are.

    A session that is open and quiet for days is found among the newest only: all the files
    would take too long to read.
    """
    listed = sessions.listed(state_dir)
    since = time.time() - _DAY
    shown, nothing_to_see = [], 0
    for changed, session in listed if everything else listed[:_MOST_SHOWN]:
        found = glancing.glance(state_dir, session)
        nothing_to_see += found is None
        if found and (everything or changed >= since or found.phase != "ended"):
            shown.append(found)
    return shown, 0 if everything else len(listed) - len(shown) - nothing_to_see


def _print(shown: "list[Glance]", more: int) -> None:
    if not shown:
        print(words.say("status.none"))
    else:
        headings = [words.say(heading) for heading in _HEADINGS]
        lines = columns.aligned(
            [headings, *map(telling.row, shown)], columns.screen(), {_PROJECT: 8}
        )
        if columns.is_terminal():
            lines[0] = [columns.paint(cell, "2") for cell in lines[0]]
            for found, line in zip(shown, lines[1:], strict=True):
                line[_PHASE] = columns.paint(line[_PHASE], _COLOURS.get(found.phase, ""))
                line[_LAST] = columns.paint(line[_LAST], columns.MARKS.get(found.mark, ""))
        for line in lines:
            print("  ".join(line).rstrip())
    if more:
        print(words.say("status.more", n=more))
