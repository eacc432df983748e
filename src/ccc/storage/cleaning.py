"""The files of our naming in the state directory: which sessions they are of, which are old."""

import os
import re
from dataclasses import dataclass

from ccc.domain import names
from ccc.storage import sessions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

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


def old_sessions(where: "Paths", before: float, is_alive: "Callable[[int], bool]") -> list[Session]:
    """The sessions that were last changed before that moment and that no process is at."""
    files = [file for file in all_files(where) if file.session]
    alive = {file.session for file in files if is_alive(file.pid)}
    alive |= {name for name, known in sessions.all_of(where) if is_alive(known.pid)}
    grouped: dict[str, list[File]] = {}
    for file in files:
        grouped.setdefault(file.session, []).append(file)
    found = [Session(name, tuple(of_it)) for name, of_it in grouped.items()]
    kept = alive | {session.name for session in found if session.changed >= before}
    return sorted(
        (session for session in found if not _belongs_to(session, kept)),
        key=lambda session: session.changed,
    )


def old_logs(where: "Paths", before: float) -> list[File]:
    """The parts of the log that were set aside by its rotation."""
    return [
        file
        for file in all_files(where)
        if not file.session
        and file.changed < before
        and not file.path.endswith(".log")
        and not file.pid
    ]


def of_the_dead(files: "Iterable[File]", is_alive: "Callable[[int], bool]") -> list[File]:
    """Those that were there for a process that has ended."""
    return [file for file in files if file.pid and not is_alive(file.pid)]


def _belongs_to(session: Session, kept: "Iterable[str]") -> bool:
    """Whether it is one of those, or its name could be read as a file's of one of those."""
    return any(session.name == name or session.name.startswith(f"{name}-") for name in kept)


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
