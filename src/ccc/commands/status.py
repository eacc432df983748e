"""`ccc status`: print one line per session, quickly even if there are many."""

import os
import sys
import time

from ccc import words
from ccc.config import ccc_json, projects
from ccc.errors import CccError
from ccc.model.overview import Figures, Overview
from ccc.sessions import overview_reader
from ccc.storage import sessions
from ccc.storage.paths import Paths
from ccc.system import terminal
from ccc.ui import formatting, table
from ccc.ui.arguments import Parser

_MOST_SHOWN = 20
_DAY = 86_400


def main(line: list[str]) -> int:
    """Print the sessions that are open or were supervised in the last day."""
    where, options = build_parser().begin(line)
    overviews, more, unreadable = _find(where, options.all)
    rows = [(each, overview_reader.figures(where, each)) for each in overviews]
    if options.json:
        values = {"sessions": [_values(*each) for each in rows], "more": more}
        print(terminal.as_json({**values, "unreadable": unreadable}))
    else:
        _print(where, rows, more)
        for file in unreadable:
            print(words.say("look.unreadable", file=file))
            print(words.remedy("look.unreadable", file=file))
    return 0


def build_parser() -> Parser:
    """Build the parser for `ccc status`."""
    parser = Parser("status")
    parser.add_flags("--all", "--json")
    return parser


def _find(where: Paths, everything: bool) -> tuple[list[Overview], int, list[str]]:
    """Return the sessions to show, how many more there may be, and the states that can't be read.

    Skips sessions that ended without being supervised. Reads only the newest files by default,
    because reading all would take too long; this misses a session that has been quiet for days.
    """
    if everything:
        listed = sessions.list_by_change(where.state_dir)
        total = len(listed)
    else:
        listed, total = sessions.newest(where.state_dir, _MOST_SHOWN)
    since = time.time() - _DAY
    rows, hidden, unreadable = [], 0, []
    for changed_at, session in listed:
        overview = overview_reader.read(where, session)
        if overview is None and overview_reader.is_unreadable(where, session):
            unreadable.append(where.state(session))
        if overview is None or not (overview.is_open or overview.was_supervised):
            hidden += 1
        elif everything or changed_at >= since or overview.is_open:
            rows.append(overview)
    return rows, 0 if everything else total - len(rows) - hidden, unreadable


def _values(overview: Overview, figures: Figures) -> dict[str, object]:
    cost = {"cost_usd": figures.cost_usd, "cost_source": figures.cost_source}
    return {**overview.values(), "rounds": figures.rounds, **cost}


def _print(where: Paths, rows: list[tuple[Overview, Figures]], more: int) -> None:
    if provider := _project_provider(where):
        print(terminal.fit(words.say("status.bound", name=provider), sys.stdout))
    if rows:
        table.print_rows(*formatting.session_table(rows, terminal.columns(sys.stdout)))
    else:
        print(terminal.fit(words.say("status.none"), sys.stdout))
    if more:
        print(words.say("look.more", n=more, command="ccc status --all"))


def _project_provider(where: Paths) -> str:
    """Return the provider that ccc.json binds to the current directory."""
    config, _ = ccc_json.try_load(where)
    try:
        return projects.binding(config, os.getcwd())[0] if config else ""
    except (CccError, OSError):
        return ""  # show the sessions anyway; a launch reports the error
