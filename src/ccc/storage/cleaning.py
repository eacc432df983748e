"""The files of our naming in the state directory: which sessions they are of, which are old."""

import os
import re
from dataclasses import dataclass

from ccc.storage import files, sessions
from ccc.text import names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from ccc.storage.paths import Paths

_OF_A_SESSION = re.compile(
    r"supervisor-(?P<session>.+?)"
    r"(?:\.json(?:\.corrupt(?:-\d+)?)?|-(?:output|verdicts|agent)\.jsonl|-(?:agent-)?stderr\.log"
    r"|-check-\d+\.log|-feedback-\d+\.md)"
)
_SETTINGS = re.compile(r"settings-(?P<session>.+)-(?:(?P<pid>\d+)|supervisor)\.json")
_LOG = re.compile(r"hook-invocation\.log(?P<old>\.\d+)?")
_TEMPORARY = re.compile(r"\.ccc-.+\.(?P<pid>\d+)-[0-9a-f]{8}\.tmp")


@dataclass(frozen=True, slots=True)
class File:
    """A file of ours; `session` is empty where it belongs to none."""

    path: str
    size: int
    changed: float
    session: str = ""
    pid: int = 0
    """The process that it is there for."""
    corrupt: bool = False


@dataclass(frozen=True, slots=True)
class Session:
    """A session's files, of which `changed` is the latest change."""

    name: str
    files: tuple[File, ...]

    @property
    def changed(self) -> float:
        """The latest change."""
        return max(file.changed for file in self.files)


def all_files(where: "Paths") -> list[File]:
    """Everything of our naming in the state directory."""
    return [
        file
        for path, stat in _listed(where.state_dir)
        if (file := _file(path, stat.st_size, stat.st_mtime)) is not None
    ]


def temporary(directories: "Iterable[str]") -> list[File]:
    """The temporary files of writes, wherever we write."""
    found = []
    for directory in sorted(set(directories)):
        for path, stat in _listed(directory):
            if _TEMPORARY.fullmatch(os.path.basename(path)):
                file = _file(path, stat.st_size, stat.st_mtime)
                found += [file] if file else []
    return found


def old_sessions(
    where: "Paths", listed: "Iterable[File]", before: float, is_alive: "Callable[[int], bool]"
) -> tuple[list[Session], int]:
    """The sessions that were last changed before that moment and that no process is at.

    And how many a process is at.
    """
    grouped: dict[str, list[File]] = {}
    for file in listed:
        if file.session:
            grouped.setdefault(file.session, []).append(file)
    found = [Session(name, tuple(of_it)) for name, of_it in grouped.items()]
    kept = {session.name for session in found if session.changed >= before}
    old = [session for session in found if not _belongs_to(session, kept)]
    alive = {session.name for session in old if _is_running(where, session, is_alive)}
    going = [session for session in old if not _belongs_to(session, alive)]
    return sorted(going, key=lambda session: session.changed), len(old) - len(going)


def _is_running(where: "Paths", session: Session, is_alive: "Callable[[int], bool]") -> bool:
    known = sessions.load(where, session.name)
    pids = [file.pid for file in session.files] + ([known.pid] if known else [])
    return any(map(is_alive, pids))


def old_logs(listed: "Iterable[File]", before: float) -> list[File]:
    """The parts of the log that were set aside by its rotation."""
    return [
        file
        for file in listed
        if not file.session
        and file.changed < before
        and not file.path.endswith(".log")
        and not file.pid
    ]


def of_the_dead(listed: "Iterable[File]", is_alive: "Callable[[int], bool]") -> list[File]:
    """Those that were there for a process that has ended."""
    return [file for file in listed if file.pid and not is_alive(file.pid)]


def remove(where: "Paths", groups: "Iterable[Sequence[File]]") -> list[File]:
    """Remove the files, a group whole or not at all; those that went.

    The lock is held for a group at a time, and one of which a file has changed since stays.
    """
    gone: list[File] = []
    for group in groups:
        with files.Lock((where.state_dir,)):
            if all(map(_is_unchanged, group)):
                for file in group:
                    files.remove(file.path)
                gone += group
    return gone


def _is_unchanged(file: File) -> bool:
    try:
        return os.lstat(file.path).st_mtime == file.changed
    except FileNotFoundError:
        return True


def _belongs_to(session: Session, kept: "Collection[str]") -> bool:
    """Whether it is one of those, or its name could be read as a file's of one of those."""
    parts = session.name.split("-")
    return any("-".join(parts[:end]) in kept for end in range(1, len(parts) + 1))


def _file(path: str, size: int, changed: float) -> File | None:
    name = os.path.basename(path)
    if found := _TEMPORARY.fullmatch(name):
        return File(path, size, changed, pid=int(found["pid"]))
    if _LOG.fullmatch(name):
        return File(path, size, changed)
    found = _OF_A_SESSION.fullmatch(name) or _SETTINGS.fullmatch(name)
    if not found or not names.is_session_id(found["session"]):
        return None
    pid = found.groupdict().get("pid")
    return File(path, size, changed, found["session"], int(pid or 0), ".json.corrupt" in name)


def _listed(directory: str) -> "Iterator[tuple[str, os.stat_result]]":
    """The plain files of a directory; links are nobody's that we know."""
    try:
        entries = sorted(os.scandir(directory), key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        try:
            if entry.is_file(follow_symlinks=False):
                yield entry.path, entry.stat(follow_symlinks=False)
        except OSError:
            continue
