"""The files in the state directory: the session of each, and which of them are old."""

import os
import re
from dataclasses import dataclass

from ccc.storage import files, sessions
from ccc.text import names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from ccc.storage.paths import Paths

_RECORD = re.compile(
    r"supervisor-(?P<session>.+?)"
    r"(?:\.json(?:\.corrupt(?:-\d+)?)?|-(?:output|verdicts|agent)\.jsonl|-(?:agent-)?stderr\.log"
    r"|-check-\d+\.log|-feedback-\d+\.md)"
)
_SETTINGS = re.compile(r"settings-(?P<session>.+)-(?:(?P<pid>\d+)|supervisor)\.json")
_LOG = re.compile(r"hook-invocation\.log(?:\.\d+)?")
_TEMPORARY = re.compile(r"\.ccc-.+\.(?P<pid>\d+)-[0-9a-f]{8}\.tmp")


@dataclass(frozen=True, slots=True)
class File:
    """A file that ccc has written; `session` is empty if it belongs to none."""

    path: str
    size: int
    changed: float
    session: str = ""
    pid: int = 0
    """The process that needs it."""

    @property
    def is_corrupt(self) -> bool:
        """Whether it is a state that could not be read."""
        return ".json.corrupt" in os.path.basename(self.path)


@dataclass(frozen=True, slots=True)
class Session:
    """A session's files."""

    name: str
    files: tuple[File, ...]

    @property
    def changed(self) -> float:
        """The time of the latest change."""
        return max(file.changed for file in self.files)

    def belongs_to(self, sessions: "Collection[str]") -> bool:
        """Whether it is one of the sessions, or could be named after one of their files."""
        parts = self.name.split("-")
        return any("-".join(parts[:end]) in sessions for end in range(1, len(parts) + 1))


def find_files(where: "Paths") -> list[File]:
    """The files in the state directory with a name that ccc gives."""
    return _scan(where.state_dir)


def find_temporary(directories: "Iterable[str]") -> list[File]:
    """The temporary files of writes in the directories."""
    return [
        file
        for directory in sorted(set(directories))
        for file in _scan(directory)
        if _TEMPORARY.fullmatch(os.path.basename(file.path))
    ]


def _scan(directory: str) -> list[File]:
    """The plain files that ccc knows by their names, sorted; a link is not one of them."""
    try:
        entries = sorted(os.scandir(directory), key=lambda entry: entry.name)
    except OSError:
        return []
    return [file for entry in entries if (file := _file(entry))]


def _file(entry: "os.DirEntry[str]") -> File | None:
    matches = (each.fullmatch(entry.name) for each in (_TEMPORARY, _LOG, _RECORD, _SETTINGS))
    match = next(filter(None, matches), None)
    try:
        if not match or not entry.is_file(follow_symlinks=False):
            return None
        stat = entry.stat(follow_symlinks=False)
    except OSError:
        return None  # it has gone
    parts = match.groupdict()
    session = parts.get("session", "")
    if session and not names.is_session_id(session):
        return None
    pid = int(parts.get("pid") or 0)
    return File(entry.path, stat.st_size, stat.st_mtime, session=session, pid=pid)


def old_sessions(
    where: "Paths", known: "Iterable[File]", before: float, alive: "Collection[int]"
) -> tuple[list[Session], int]:
    """The sessions last changed before that time, the oldest first, unless a process has them.

    And the number of those that a process has; `alive` are all processes.
    """
    grouped: dict[str, list[File]] = {}
    for file in known:
        if file.session:
            grouped.setdefault(file.session, []).append(file)
    every = [Session(name, tuple(group)) for name, group in grouped.items()]
    recent = {session.name for session in every if session.changed >= before}
    old = [session for session in every if not session.belongs_to(recent)]
    running = {session.name for session in old if _is_running(where, session, alive)}
    idle = [session for session in old if not session.belongs_to(running)]
    return sorted(idle, key=lambda session: session.changed), len(old) - len(idle)


def _is_running(where: "Paths", session: Session, alive: "Collection[int]") -> bool:
    state = sessions.load(where, session.name)
    pids = [file.pid for file in session.files] + ([state.pid] if state else [])
    return any(pid in alive for pid in pids)


def old_logs(known: "Iterable[File]", before: float) -> list[File]:
    """The rotated parts of the log that were last changed before that time."""
    rotated = [file for file in known if not file.session and not file.pid]
    return [each for each in rotated if each.changed < before and not each.path.endswith(".log")]


def of_dead_processes(known: "Iterable[File]", alive: "Collection[int]") -> list[File]:
    """The files that only a process needed that has ended."""
    return [file for file in known if file.pid and file.pid not in alive]


def remove(where: "Paths", groups: "Iterable[Sequence[File]]") -> list[File]:
    """Remove groups of files, except one with a file that has changed; the removed files.

    It holds the lock for one group at a time.
    """
    removed: list[File] = []
    for group in groups:
        with files.Lock((where.state_dir,)):
            if all(map(_is_unchanged, group)):
                for file in group:
                    files.remove(file.path)
                removed += group
    return removed


def _is_unchanged(file: File) -> bool:
    try:
        return os.lstat(file.path).st_mtime == file.changed
    except FileNotFoundError:
        return True
