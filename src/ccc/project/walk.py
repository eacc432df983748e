"""Files as the file system has them, whatever git ignores: found within bounds, and compared."""

import functools
import hashlib
import os
import stat
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

PASSED_OVER = {".git", "node_modules", ".venv", "venv", "__pycache__", "target", ".tox"}
CACHES = {".pytest_cache", ".mypy_cache", ".ruff_cache", ".hypothesis", ".gradle", ".cache"}
# git writes these when it is only asked something
_VOLATILE = {"index", "index.lock", "FETCH_HEAD"}
_SECONDS = 3.0
_MOST = 20_000
_MOST_COUNTED_BYTES = 1024 * 1024


def files(
    top: str,
    without: "Collection[str]" = (),
    most: int = _MOST,
    missed: "list[str] | None" = None,
) -> "Iterator[str]":
    """The files below a directory, and the links to directories.

    `without` are names of directories, or their whole paths. `missed` gets those that were found,
    and the directory itself where there was too much in it.
    """
    until, count = time.monotonic() + _SECONDS, 0
    missed = [] if missed is None else missed
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


def stamp(tops: "Collection[str]", without: "Collection[str]", missed: "list[str]") -> str:
    """A text that changes when a file below one of the directories is written, made or removed."""
    digest = hashlib.sha256()
    for top in tops:
        for path in files(top, without, missed=missed):
            if os.path.basename(path) in _VOLATILE:
                continue
            try:
                found = os.lstat(path)
            except OSError:
                continue
            seen = f"{path} {found.st_size} {found.st_mtime_ns} {found.st_mode} {found.st_ino}\0"
            digest.update(os.fsencode(seen))
    return digest.hexdigest()


def content(path: str, most: int) -> bytes:
    """What changes when the file does: of one that is larger than that, its size and time."""
    try:
        found = os.lstat(path)
        if (found.st_dev, found.st_ino) in own_output():
            return b"ours"
        if not stat.S_ISREG(found.st_mode) or found.st_size > most:
            return f"{found.st_size} {found.st_mtime_ns}".encode()
        with open(path, "rb") as file:
            return hashlib.sha256(file.read()).digest()
    except OSError:
        return b"gone"


def changed_at(path: str) -> float:
    """When the file was changed last, whatever it claims."""
    try:
        return os.lstat(path).st_ctime  # anybody can set the other time
    except OSError:
        return 0.0


@functools.cache
def own_output() -> frozenset[tuple[int, int]]:
    """The files that our own output goes to: `ccc run … 2> run.log` is no change of the work."""
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
    """The lines of a text that is not too long; of anything else none."""
    try:
        found = os.lstat(path)
        if not stat.S_ISREG(found.st_mode) or found.st_size > _MOST_COUNTED_BYTES:
            return 0
        with open(path, "rb") as file:
            text = file.read()
    except OSError:
        return 0
    return 0 if b"\0" in text[:8_000] else text.count(b"\n") + (text[-1:] not in (b"", b"\n"))
