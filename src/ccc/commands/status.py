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
from ccc.storage.paths import Paths, config_directory, state_directory
from ccc.system import terminal
from ccc.ui import formatting, table
from ccc.ui.arguments import Parser

_MOST_SHOWN = 20
_DAY = 86_400
_OPTIONS = ("--all", "--json")
_PHASE_STYLES = dict.fromkeys(("reviewing", "checking"), "cyan")
_PHASE_STYLES |= {"working": "yellow", "waiting": "yellow", "ended": "dim"}


def main(line: list[str]) -> int:
    """Print the sessions that are open or were supervised in the last day."""
    overview_reader.set_language()
    # importing argparse takes longer than everything else
    if not set(line) <= set(_OPTIONS) and build_parser().parse(line) is None:
        return 0
    state_dir = state_directory(os.environ)
    overviews, more, unreadable = _find(state_dir, "--all" in line)
    rows = [(overview, overview_reader.figures(state_dir, overview)) for overview in overviews]
    if "--json" in line:
        values = {"sessions": [_values(*each) for each in rows], "more": more}
        print(terminal.as_json({**values, "unreadable": unreadable}))
    else:
        _print(rows, more)
        for file in unreadable:
            print(words.say("look.unreadable", file=file))
            print(words.remedy("look.unreadable", file=file))
    return 0


def build_parser() -> Parser:
    """Build the parser for `ccc status`."""
    parser = Parser("status")
    parser.add_flags(*_OPTIONS)
    return parser


def _find(state_dir: str, everything: bool) -> tuple[list[Overview], int, list[str]]:
    """Return the sessions to show, how many more there may be, and the states that can't be read.

    Skips sessions that ended without being supervised. Reads only the newest files by default,
    because reading all would take too long; this misses a session that has been quiet for days.
    """
    if everything:
        listed = sessions.list_by_change(state_dir)
        total = len(listed)
    else:
        listed, total = sessions.newest(state_dir, _MOST_SHOWN)
    since = time.time() - _DAY
    rows, hidden, unreadable = [], 0, []
    for changed_at, session in listed:
        overview = overview_reader.read(state_dir, session)
        if overview is None and overview_reader.is_unreadable(state_dir, session):
            unreadable.append(os.path.join(state_dir, f"supervisor-{session}.json"))
        if overview is None or not (overview.is_open or overview.was_supervised):
            hidden += 1
        elif everything or changed_at >= since or overview.is_open:
            rows.append(overview)
    return rows, 0 if everything else total - len(rows) - hidden, unreadable


def _values(overview: Overview, figures: Figures) -> dict[str, object]:
    cost = {"cost_usd": figures.cost_usd, "cost_source": figures.cost_source}
    return {**overview.values(), "rounds": figures.rounds, **cost}


def _print(rows: list[tuple[Overview, Figures]], more: int) -> None:
    if provider := _project_provider():
        print(terminal.fit(words.say("status.bound", name=provider), sys.stdout))
    if rows:
        width = terminal.columns(sys.stdout)
        table.print_rows(*formatting.session_table(rows, width, _PHASE_STYLES))
    else:
        print(terminal.fit(words.say("status.none"), sys.stdout))
    if more:
        print(words.say("status.more", n=more))


def _project_provider() -> str:
    """Return the provider that ccc.json binds to the current directory."""
    path = os.path.join(config_directory(os.environ), "ccc.json")
    given = overview_reader.read_object(path).get("projects")
    values = given.values() if isinstance(given, dict) else ()
    if not any(isinstance(each, dict) and each.get("provider") for each in values):
        return ""
    try:
        config = ccc_json.find(Paths(os.environ))
        return projects.binding(config, os.getcwd())[0] if config else ""
    except (CccError, OSError):
        return ""  # show the sessions anyway; a launch reports the error
