"""`ccc status`: one line per session, quickly, however many there are."""

import os
import sys
import time

from ccc import words
from ccc.sessions import quick_look
from ccc.storage import sessions
from ccc.storage.paths import Paths, config_directory, state_directory
from ccc.system import terminal
from ccc.ui import formatting
from ccc.ui import table as columns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ccc.sessions.glance import Figures, Glance
    from ccc.ui.arguments import Parser

_MOST_SHOWN = 20
_DAY = 86_400
_COLOURS = {"reviewing": "cyan", "checking": "cyan", "working": "yellow", "ended": "dim"}
"""Of the phases."""


def main(line: list[str]) -> int:
    """Print the sessions that are open, or were supervised within a day."""
    quick_look.speak()
    if not set(line) <= {"--all", "--json"}:
        # argparse takes longer than all the rest
        if _is_only_asked(line):
            return 0
        line = [word for word in line if word in ("--all", "--json")]
    state_dir = state_directory(os.environ)
    seen, more = _found(state_dir, "--all" in line)
    shown = [(each, quick_look.figures(state_dir, each)) for each in seen]
    if "--json" in line:
        values = {"sessions": [_values(*each) for each in shown], "more": more}
        print(terminal.as_json(values))
        return 0
    _print(shown, more)
    return 0


def _is_only_asked(line: list[str]) -> bool:
    """Whether the line asks for help, which is printed; a mistake is an error."""
    return build_parser().parse(line) is None


def build_parser() -> "Parser":
    """The options of `ccc status`."""
    from ccc.ui.arguments import Parser

    parser = Parser("status")
    parser.add_flags("--all", "--json")
    return parser


def _found(state_dir: str, everything: bool) -> "tuple[list[Glance], int]":
    """The sessions to show, and how many more there may be.

    A session that has ended and was never supervised has nothing to show. One that is open and
    quiet for days is found among the newest only: all the files would take too long to read.
    """
    listed = sessions.list_by_change(state_dir)
    since = time.time() - _DAY
    shown, nothing_to_see = [], 0
    for changed, session in listed if everything else listed[:_MOST_SHOWN]:
        found = quick_look.glance(state_dir, session)
        if found is None or not (found.is_open or found.was_supervised):
            nothing_to_see += 1
        elif everything or changed >= since or found.is_open:
            shown.append(found)
    return shown, 0 if everything else len(listed) - len(shown) - nothing_to_see


def _values(seen: "Glance", figures: "Figures") -> "dict[str, object]":
    cost = {"cost_usd": figures.cost_usd, "cost_source": figures.cost_source}
    return {**seen.values(), "rounds": figures.rounds, **cost}


def _print(shown: "list[tuple[Glance, Figures]]", more: int) -> None:
    if bound := _binding():
        print("\n".join(_fitted(words.say("status.bound", name=bound))))
    if shown:
        print(*_lines(shown), sep="\n")
    else:
        print("\n".join(_fitted(words.say("status.none"))))
    if more:
        print(words.say("status.more", n=more))


def _fitted(text: str) -> list[str]:
    width = terminal.columns(sys.stdout)
    return terminal.wrap(text, width) if width else [text]


def _lines(shown: "list[tuple[Glance, Figures]]") -> list[str]:
    width = terminal.columns(sys.stdout)
    table, order = formatting.session_table(shown, width)
    phase, outcome = order.index(formatting.PHASE), order.index(formatting.OUTCOME)
    lines = columns.aligned(table, width, formatting.least_widths(order))
    if width:
        lines[0] = [columns.paint(cell, "dim") for cell in lines[0]]
        for (seen, _), line in zip(shown, lines[1:], strict=True):
            line[phase] = columns.paint(line[phase], _COLOURS.get(seen.phase, ""))
            line[outcome] = columns.paint(line[outcome], columns.MARKS.get(seen.mark, ""))
    return ["  ".join(line).rstrip() for line in lines]


def _binding() -> str:
    """The provider that the current directory has of its own, and the key that says so."""
    path = os.path.join(config_directory(os.environ), "ccc.json")
    projects = quick_look.read_object(path).get("projects")
    values = projects.values() if isinstance(projects, dict) else ()
    if not any(isinstance(each, dict) and each.get("provider") for each in values):
        return ""
    from ccc.config import ccc_json
    from ccc.errors import CccError

    try:
        config = ccc_json.find(Paths(os.environ))
        return ccc_json.binding(config, os.getcwd())[0] if config else ""
    except (CccError, OSError):
        return ""  # the sessions are shown all the same; a launch says what is wrong
