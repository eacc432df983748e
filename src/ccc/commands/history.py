"""`ccc history`: what was supervised, as a table."""

import sys
import time

from ccc import words
from ccc.errors import CccError
from ccc.sessions import lookup, quick_look
from ccc.storage import sessions
from ccc.storage.journal import stamp
from ccc.storage.paths import display_path
from ccc.system import terminal
from ccc.ui import formatting, table
from ccc.ui.arguments import Parser

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ccc.sessions.record import Session

_SHOWN = 20
_TASK = 60
_HEADINGS = (
    *("history.when", "look.session", "look.project", "look.provider", "look.outcome"),
    *("look.rounds", "look.cost_usd", "history.task"),
)
_PROJECT, _OUTCOME = 2, 4
_WIDE = 100
_LEFT_OUT = (3, 5)
"""What a narrow terminal has no room for: provider and rounds."""


def main(line: list[str]) -> int:
    """Print the supervised sessions, the newest first."""
    where, said = build_parser().begin(line)
    if said.n < 1:
        raise CccError("history.least", hint="usage.see", command="history")
    seen = [quick_look.glance(where.state_dir, session) for session in sessions.ids(where)]
    supervised = [each for each in seen if each and each.was_supervised]
    shown = [lookup.with_rounds(where, each) for each in supervised[: said.n]]
    more = len(supervised) - len(shown)
    if said.json:
        values = {"sessions": [_values(each) for each in shown], "more": more}
        print(terminal.as_json(values))
        return 0
    if not shown:
        print(terminal.fitted(words.say("history.none"), sys.stdout))
        return 0
    _print(shown)
    if more:
        print(words.say("history.more", n=more, all=len(supervised)))
    return 0


def build_parser() -> Parser:
    """The options of `ccc history`."""
    parser = Parser("history")
    parser.add_flags("--json")
    parser.add_argument("-n", type=int, default=_SHOWN)
    return parser


def _values(session: "Session") -> dict[str, object]:
    seen = session.glance
    return {
        **seen.values(),
        "outcome": session.outcome,
        "rounds": session.figures.rounds,
        "reviews": session.reviews,
        "cost_usd": session.figures.cost_usd,
        "cost_source": session.figures.cost_source,
        "seconds": session.seconds,
        "changed_at": stamp(seen.changed_at),
    }


def _print(shown: "list[Session]") -> None:
    width = terminal.columns(sys.stdout)
    rows = [[words.say(heading) for heading in _HEADINGS], *map(_row, shown)]
    narrow = width is not None and width < _WIDE
    if narrow:
        rows = [[cell for n, cell in enumerate(row) if n not in _LEFT_OUT] for row in rows]
    task, at = len(rows[0]) - 1, _OUTCOME - narrow
    lines = table.aligned(rows, width, {_PROJECT: 8, task: 17, at: 18})
    if width:
        lines[0] = [table.paint(cell, "dim") for cell in lines[0]]
        for session, line in zip(shown, lines[1:], strict=True):
            line[at] = table.paint(line[at], table.MARKS.get(session.glance.mark, ""))
    for line in lines:
        print("  ".join(line).rstrip())


def _row(session: "Session") -> list[str]:
    seen = session.glance
    ended = seen.decided_at or seen.changed_at
    return [
        time.strftime("%m-%d %H:%M", time.localtime(ended)),
        seen.session[:8],
        display_path(seen.directory) or "-",
        formatting.provider(seen.provider),
        formatting.outcome_with_mark(session.outcome),
        str(session.figures.rounds),
        formatting.money(session.figures.cost_usd, session.figures.cost_source),
        table.cut(session.request, _TASK) or "-",
    ]
