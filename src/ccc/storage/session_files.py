"""The files in the state directory: which session each belongs to, and which are old."""

import os
import re
from collections.abc import Collection, Iterable, Sequence

from msgspec import Struct

from ccc.storage import files, sessions
from ccc.storage.paths import Paths
from ccc.text import names

_RECORD = re.compile(
    r"supervisor-(?P<session>.+?)"
    r"(?:\.json(?:\.corrupt(?:-\d+)?)?|-(?:output|verdicts|agent)\.jsonl|-(?:agent-)?stderr\.log"
    r"|-(?:run|check-\d+)\.log|-feedback-\d+\.md|-text-[0-9a-f]+\.txt)"
)
_SETTINGS = re.compile(r"settings-(?P<session>.+)-(?:(?P<pid>\d+)|supervisor)\.json")
_LOG = re.compile(
    rf"{sessions.RECENT}|hook-invocation\.log(?:\.\d+)?|client-[0-9a-f]+(?:-complete)?\.(?:json|started)"
    # the second is of an older `ccc web`
    r"|web-key|web-browsers\.json"
)
_TEMPORARY = re.compile(r"\.ccc-.+\.(?P<pid>\d+)-[0-9a-f]{8}\.tmp")


class File(Struct, frozen=True):
    """A file that ccc has written; `session` is empty if it belongs to no session."""

    path: str
    size: int
    changed: float
    session: str = ""
    pid: int = 0  # the process that needs the file

    @property
    def is_corrupt(self) -> bool:
        """Whether it is a state file that could not be read."""
        return ".json.corrupt" in os.path.basename(self.path)


class Session(Struct, frozen=True):
    """The files of one session."""

    name: str
    files: tuple[File, ...]

    @property
    def changed(self) -> float:
        """The time of the latest change."""
        return max(file.changed for file in self.files)

    def belongs_to(self, sessions: Collection[str]) -> bool:
        """Return whether the name is one of the sessions or could be derived from one of them."""
        parts = self.name.split("-")
        return any("-".join(parts[:end]) in sessions for end in range(1, len(parts) + 1))


def find_files(where: Paths) -> list[File]:
    """Return the files in the state directory whose names match ccc's patterns."""
    return _scan(where.state_dir)


def find_temporary(directories: Iterable[str]) -> list[File]:
    """Return the leftover temporary files in the directories."""
    return [
        file
        for directory in sorted(set(directories))
        for file in _scan(directory)
        if _TEMPORARY.fullmatch(os.path.basename(file.path))
    ]


def _scan(directory: str) -> list[File]:
    """Return the regular files with names that ccc recognizes, sorted, without symlinks."""
    try:
        entries = sorted(os.scandir(directory), key=lambda entry: entry.name)
    except OSError:
        return []
    return [file for entry in entries if (file := _file(entry))]


def _file(entry: os.DirEntry[str]) -> File | None:
    matches = (each.fullmatch(entry.name) for each in (_TEMPORARY, _LOG, _RECORD, _SETTINGS))
    match = next(filter(None, matches), None)
    try:
        if not match or not entry.is_file(follow_symlinks=False):
            return None
        stat = entry.stat(follow_symlinks=False)
    except OSError:
        return None  # removed in the meantime
    parts = match.groupdict()
    session = parts.get("session", "")
    if session and not names.is_session_id(session):
        return None
    pid = int(parts.get("pid") or 0)
    return File(entry.path, stat.st_size, stat.st_mtime, session=session, pid=pid)


def old_sessions(
    where: Paths, known: Iterable[File], before: float, alive: Collection[int]
) -> tuple[list[Session], int]:
    """Return the inactive sessions last changed before that time, oldest first.

    Also return how many were skipped because one of the `alive` processes uses them.
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


def _is_running(where: Paths, session: Session, alive: Collection[int]) -> bool:
    state = sessions.load(where, session.name)
    pids = [file.pid for file in session.files] + ([state.pid] if state else [])
    return any(pid in alive for pid in pids)


def old_logs(known: Iterable[File], before: float) -> list[File]:
    """Return the rotated logs last changed before that time."""
    rotated = [file for file in known if not file.session and not file.pid]
    return [each for each in rotated if each.changed < before and not each.path.endswith(".log")]


def of_dead_processes(known: Iterable[File], alive: Collection[int]) -> list[File]:
    """Return the files that were needed only by a process that has ended."""
    return [file for file in known if file.pid and file.pid not in alive]


def remove(where: Paths, groups: Iterable[Sequence[File]]) -> list[File]:
    """Remove groups of files and return the removed files; a group that changed is skipped.

    The lock is held for one group at a time.
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
