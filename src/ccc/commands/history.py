"""`ccc history`: a table of supervised sessions."""

import sys
import time

from ccc import words
from ccc.errors import CccError
from ccc.model.outcome import OUTCOMES
from ccc.model.record import SessionRecord
from ccc.sessions import lookup
from ccc.storage.journal import stamp
from ccc.storage.paths import display_path
from ccc.system import terminal
from ccc.ui import formatting, table
from ccc.ui.arguments import Parser

_MOST_SHOWN = 20
_TASK_WIDTH = 60
_HEADINGS = (
    *("history.when", "look.session", "look.project", "look.provider", "look.outcome"),
    *("look.rounds", "look.cost_usd", "look.task"),
)
_PROJECT, _PROVIDER, _OUTCOME, _ROUNDS = 2, 3, 4, 5
_WIDE = 100


def main(line: list[str]) -> int:
    """Print the supervised sessions, newest first."""
    where, options = build_parser().begin(line)
    if options.n < 1:
        raise CccError("history.least", hint="usage.see", command="history")
    supervised = list(lookup.find_supervised(where))
    rows = [lookup.load_rounds(where, overview) for overview in supervised[: options.n]]
    more = len(supervised) - len(rows)
    if options.json:
        values = {"sessions": [_values(each) for each in rows], "more": more}
        print(terminal.as_json(values))
    elif not rows:
        none = words.say("ask.wrong", problem=words.label("look.none"))
        print(terminal.fit(f"{none} {words.remedy('look.none')}", sys.stdout))
    else:
        _print(rows)
        if more:
            print(words.say("look.more", n=more, command=f"ccc history -n {len(supervised)}"))
    return 0


def build_parser() -> Parser:
    """Build the parser for `ccc history`."""
    parser = Parser("history")
    parser.add_flags("--json")
    parser.add_argument("-n", type=int, default=_MOST_SHOWN)
    return parser


def _values(session: SessionRecord) -> dict[str, object]:
    overview = session.overview
    return {
        **overview.values(),
        "outcome": session.outcome,
        "rounds": session.figures.rounds,
        "reviews": session.reviews,
        "wrong_verdicts": sum(each.wrong for each in session.rounds),
        "cost_usd": session.figures.cost_usd,
        "cost_source": session.figures.cost_source,
        "seconds": session.seconds,
        "changed_at": stamp(overview.changed_at),
    }


def _print(shown: list[SessionRecord]) -> None:
    width = terminal.columns(sys.stdout)
    rows = [[words.say(heading) for heading in _HEADINGS], *map(_row, shown)]
    is_narrow = width is not None and width < _WIDE
    if is_narrow:
        rows = [[c for n, c in enumerate(row) if n not in (_PROVIDER, _ROUNDS)] for row in rows]
    task, outcome = len(rows[0]) - 1, _OUTCOME - is_narrow
    styles = [{outcome: table.MARKS.get(OUTCOMES[session.outcome].mark, "")} for session in shown]
    table.print_rows(rows, {_PROJECT: 8, task: 10, outcome: 19}, styles)


def _row(session: SessionRecord) -> list[str]:
    overview, figures = session.overview, session.figures
    return [
        time.strftime("%m-%d %H:%M", time.localtime(overview.decided_at or overview.changed_at)),
        overview.session[:8],
        display_path(overview.directory) or "-",
        formatting.provider(overview.provider),
        formatting.session_outcome(session),
        str(figures.rounds),
        formatting.cost(figures.cost_usd, figures.cost_source, overview.is_run),
        table.cut(session.request, _TASK_WIDTH) or "-",
    ]
