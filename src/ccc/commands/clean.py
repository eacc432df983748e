"""`ccc clean`: remove the state and logs of old sessions."""

import argparse
import sys
import time
from collections.abc import Sequence

from ccc import words
from ccc.sessions import lookup
from ccc.storage import session_files
from ccc.storage.paths import Paths, display_path
from ccc.storage.session_files import File, Session
from ccc.system import processes, terminal
from ccc.text import amounts
from ccc.ui import formatting, prompts, table
from ccc.ui.arguments import Parser

_DEFAULT = "30d"
_MAX_ROWS = 20
_TASK_WIDTH = 60
_AGES = {"m": "clean.age_m", "h": "clean.age_h", "d": "clean.age_d"}


def main(line: list[str]) -> int:
    """Show the old sessions and files, ask for confirmation, and remove them."""
    paths, options = build_parser().begin(line)
    before = time.time() - options.older_than
    sessions, running, others = _find(paths, before)
    age = amounts.short(options.older_than)
    age = words.say(_AGES[age[-1]], n=age[:-1])
    if running:
        print(words.say("clean.running", count=running))
    if not sessions and not others:
        print(words.say("clean.nothing", age=age, directory=display_path(paths.state_dir)))
        return 0
    _show(paths, sessions, others, age)
    if options.dry_run:
        return 0
    if not prompts.confirm(options, "clean", words.say("clean.ask")):
        print(words.say("ask.unchanged"))
        return 1
    groups = [*(session.files for session in sessions), *((file,) for file in others)]
    removed = session_files.remove(paths, groups)
    print(words.say("clean.done", files=words.count("files", len(removed)), size=_size(removed)))
    return 0


def build_parser() -> Parser:
    """Build the parser for `ccc clean`."""
    parser = Parser("clean")
    parser.add_argument("--older-than", type=_age, default=amounts.seconds(_DEFAULT))
    parser.add_flags("--yes", "--dry-run")
    return parser


def _age(text: str) -> float:
    try:
        return amounts.seconds(text)
    except ValueError:
        raise argparse.ArgumentTypeError(words.say("clean.unit")) from None


def _find(paths: Paths, before: float) -> tuple[list[Session], int, list[File]]:
    """Return the sessions to remove, the number of old running ones, and other files to remove."""
    alive, listed = processes.sessions_alive(), session_files.find_files(paths)
    sessions, running = session_files.old_sessions(paths, listed, before, alive)
    gone = {file.path for session in sessions for file in session.files}
    dead = session_files.of_dead_processes(listed, alive)
    others = [
        *session_files.old_logs(listed, before),
        *(file for file in dead if file.path not in gone),
    ]
    return sessions, running, others


def _show(paths: Paths, sessions: Sequence[Session], others: Sequence[File], age: str) -> None:
    if sessions:
        print(words.say("clean.sessions", count=len(sessions), age=age))
        headers = words.say("clean.headers").split("|")
        rows = [headers, *(_row(paths, session) for session in sessions[:_MAX_ROWS])]
        for row in table.align(rows, terminal.columns(sys.stdout), {1: 10, 4: 10}):
            print("  ".join(row).rstrip())
        if len(sessions) > _MAX_ROWS:
            print(words.say("clean.more", count=len(sessions) - _MAX_ROWS))
    if others:
        print(words.say("clean.others", count=len(others), size=_size(others)))
    whole = [*(file for session in sessions for file in session.files), *others]
    print(words.say("clean.whole", files=words.count("files", len(whole)), size=_size(whole)))
    sys.stdout.flush()


def _row(paths: Paths, session: Session) -> list[str]:
    known = lookup.load(paths, session.name)
    return [
        session.name[:8],
        (display_path(known.overview.directory) if known else "") or "-",
        formatting.age(session.changed),
        _size(session.files),
        (terminal.cut(" ".join(known.request.split()), _TASK_WIDTH) if known else "") or "-",
    ]


def _size(files: Sequence[File]) -> str:
    return amounts.size(sum(file.size for file in files))
