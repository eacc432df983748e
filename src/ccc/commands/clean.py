"""`ccc clean`: remove the state and the logs of old sessions."""

import os
import sys
import time

from ccc import display, words
from ccc.claude import processes
from ccc.commands import asking, speaking
from ccc.commands.parsing import Parser
from ccc.domain import amounts
from ccc.errors import CccError
from ccc.storage import cleaning, files
from ccc.storage import paths as places

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ccc.storage.cleaning import File, Session
    from ccc.storage.paths import Paths

_DEFAULT = "30d"
_SHOWN = 20


def main(line: list[str]) -> int:
    """Show what is old, ask, and remove it."""
    paths = places.find(os.environ)
    speaking.speak(paths)
    parser = Parser("clean")
    parser.add_argument("--older-than", type=amounts.seconds, default=amounts.seconds(_DEFAULT))
    for option in ("--yes", "--dry-run"):
        parser.add_argument(option, action="store_true")
    said = parser.said(line)
    if said is None:
        return 0
    before = time.time() - said.older_than
    sessions, others = _found(paths, before)
    age = amounts.short(said.older_than)
    if not sessions and not others:
        print(words.say("clean.nothing", age=age, directory=places.shown(paths.state_dir)))
        return 0
    _show(sessions, others, age)
    if said.dry_run:
        return 0
    if not _agreed(said.yes):
        print(words.say("clean.nothing_done"))
        return 1
    removed = _removed(paths, before)
    print(words.say("clean.done", files=len(removed), size=_size(removed)))
    return 0


def _found(paths: "Paths", before: float) -> "tuple[list[Session], list[File]]":
    """The sessions that go, and the other files."""
    alive = processes.sessions_alive()
    sessions = cleaning.old_sessions(paths, before, alive.__contains__)
    gone = {file.path for session in sessions for file in session.files}
    dead = cleaning.of_the_dead(cleaning.all_files(paths), alive.__contains__)
    others = [*cleaning.old_logs(paths, before), *(file for file in dead if file.path not in gone)]
    return sessions, others


def _removed(paths: "Paths", before: float) -> "list[File]":
    """Remove what is old now that we have the lock."""
    with files.Lock((paths.state_dir,)):
        sessions, others = _found(paths, before)
        going = [*(file for session in sessions for file in session.files), *others]
        for file in going:
            files.remove(file.path)
    return going


def _agreed(yes: bool) -> bool:
    if yes:
        return True
    if not asking.possible():
        raise CccError("clean.needs_yes", hint="clean.usage")
    return asking.yes(words.say("clean.ask"), True)


def _show(sessions: "Sequence[Session]", others: "Sequence[File]", age: str) -> None:
    """The sessions, the oldest in front, and what else there is."""
    console, now = display.console(), time.time()
    if sessions:
        print(words.say("clean.sessions", count=len(sessions), age=age))
        headers = words.say("clean.headers").split("|")
        rows = [
            (s.name, amounts.short(now - s.changed), len(s.files), _size(s.files))
            for s in sessions[:_SHOWN]
        ]
        console.print(display.table(headers, rows))
        if len(sessions) > _SHOWN:
            print(words.say("clean.more", count=len(sessions) - _SHOWN))
    if others:
        print(words.say("clean.others", count=len(others), size=_size(others)))
    whole = [*(file for session in sessions for file in session.files), *others]
    print(words.say("clean.whole", files=len(whole), size=_size(whole)))
    sys.stdout.flush()


def _size(files: "Sequence[File]") -> str:
    return amounts.size(sum(file.size for file in files))
