"""Files as the file system has them, whatever git ignores, within bounds."""

import functools
import hashlib
import os
import stat
import time
from collections.abc import Collection, Iterator

SKIPPED = {".git", "node_modules", ".venv", "venv", "__pycache__", "target", ".tox"}
CACHES = {".pytest_cache", ".mypy_cache", ".ruff_cache", ".hypothesis", ".gradle", ".cache"}
_SECONDS = 3.0
_MAX_FILES = 20_000
_MAX_COUNTED = 1024 * 1024


def files(top: str, without: Collection[str], most: int, missed: list[str]) -> Iterator[str]:
    """The files below a directory, and the links to directories.

    `without` are names of directories, or their whole paths. `missed` gets those that exist, and
    the directory itself if there is too much in it.
    """
    until, count = time.monotonic() + _SECONDS, 0
    for root, directories, names in os.walk(top):
        left = {d for d in directories if d in without or os.path.join(root, d) in without}
        missed += sorted(os.path.join(root, d) for d in left)
        directories[:] = sorted(d for d in directories if d not in left)
        names += (d for d in directories if os.path.islink(os.path.join(root, d)))
        for name in sorted(names):
            count += 1
            if count > most or time.monotonic() > until:
                missed.append(top)
                return
            yield os.path.join(root, name)


def stamp(
    tops: Collection[str],
    without: Collection[str],
    missed: list[str],
    ignored: Collection[str] = (),
) -> str:
    """A text that changes when a file below one of the directories is written, made or removed.

    `ignored` are names of files that don't count.
    """
    digest = hashlib.sha256()
    for top in tops:
        for path in files(top, without, _MAX_FILES, missed):
            try:
                found = os.lstat(path)
            except OSError:
                continue
            is_own = (found.st_dev, found.st_ino) in own_output()
            if not is_own and os.path.basename(path) not in ignored:
                stamp = (found.st_size, found.st_mtime_ns, found.st_mode, found.st_ino)
                digest.update(os.fsencode(f"{path} {stamp}\0"))
    return digest.hexdigest()


def content(path: str, most: int) -> bytes:
    """What changes when the file does; of one that is larger than `most` its size and time."""
    try:
        found = os.lstat(path)
        if (found.st_dev, found.st_ino) in own_output():
            return b"output"
        if not stat.S_ISREG(found.st_mode) or found.st_size > most:
            return f"{found.st_size} {found.st_mtime_ns}".encode()
        with open(path, "rb") as file:
            return hashlib.sha256(file.read()).digest()
    except OSError:
        return b"gone"


def changed_at(path: str) -> float:
    """When the file last changed, whatever it claims; 0 if there is none."""
    try:
        return os.lstat(path).st_ctime  # the other times can be set
    except OSError:
        return 0.0


@functools.cache
def own_output() -> frozenset[tuple[int, int]]:
    """The files that ccc's output goes to: `ccc run … 2> run.log` is no change of the work."""
    found = set()
    for stream in (1, 2):
        try:
            status = os.fstat(stream)
        except OSError:
            continue
        if stat.S_ISREG(status.st_mode):
            found.add((status.st_dev, status.st_ino))
    return frozenset(found)


def count_lines(path: str) -> int:
    """The number of lines of a text; 0 for anything else, or if it is too long."""
    try:
        found = os.lstat(path)
        if not stat.S_ISREG(found.st_mode) or found.st_size > _MAX_COUNTED:
            return 0
        with open(path, "rb") as file:
            text = file.read()
    except OSError:
        return 0
    return 0 if b"\0" in text[:8_000] else text.count(b"\n") + (text[-1:] not in (b"", b"\n"))
