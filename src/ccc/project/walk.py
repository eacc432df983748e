"""Walk the file system within limits, including files that git ignores."""

import functools
import hashlib
import os
import stat
import time
from collections.abc import Collection, Iterator

from ccc.project import git
from ccc.system import private_files

SKIPPED = {".git", "node_modules", ".venv", "venv", "__pycache__", "target", ".tox"}
CACHES = {".pytest_cache", ".mypy_cache", ".ruff_cache", ".hypothesis", ".gradle", ".cache"}
_SECONDS = 3.0
_MAX_FILES = 20_000
_MAX_COUNTED = 1024 * 1024


def files(top: str, without: Collection[str], most: int, missed: list[str]) -> Iterator[str]:
    """Yield the files in a directory tree, including symlinks to directories.

    Skips directories whose name or full path is in `without`, and adds them to `missed`. Adds the
    top directory too if it is too large.
    """
    until, count = time.monotonic() + _SECONDS, 0
    for root, directories, names in os.walk(top):
        left = {d for d in directories if d in without or os.path.join(root, d) in without}
        missed += sorted(os.path.join(root, d) for d in left)
        directories[:] = sorted(d for d in directories if d not in left)
        names += (d for d in directories if os.path.islink(os.path.join(root, d)))
        if os.path.basename(root) == ".claude":
            names = [name for name in names if not name.startswith(git.PLUGIN_STATE)]
        for name in sorted(names):
            count += 1
            if count > most or time.monotonic() > until:
                missed.append(top)
                return
            yield os.path.join(root, name)


def is_below(path: str, directory: str) -> bool:
    """Return whether the path is the directory or inside it."""
    top = os.path.join(os.path.realpath(directory), "")
    return os.path.join(os.path.realpath(path), "").startswith(top)


def stamp(
    tops: Collection[str],
    without: Collection[str],
    missed: list[str],
    ignored: Collection[str] = (),
    placeholders: Collection[str] = (),
) -> str:
    """Return a hash that changes when a file in the directories is written, created or removed.

    Skips files whose name is in `ignored`, and empty ones whose path is in `placeholders`.
    """
    digest = hashlib.sha256()
    for top in tops:
        for path in files(top, without, _MAX_FILES, missed):
            try:
                status = os.lstat(path)
            except OSError:
                continue
            if status.st_size == 0 and path in placeholders:
                continue
            is_own = (status.st_dev, status.st_ino) in own_output()
            if not is_own and os.path.basename(path) not in ignored:
                stamp = (status.st_size, status.st_mtime_ns, status.st_mode, status.st_ino)
                digest.update(os.fsencode(f"{path} {stamp}\0"))
    return digest.hexdigest()


def content(path: str, most: int) -> bytes:
    """Return the file's hash, or its size and time if it is larger than `most` bytes."""
    try:
        status = os.lstat(path)
        if (status.st_dev, status.st_ino) in own_output():
            return b"output"
        if not stat.S_ISREG(status.st_mode) or status.st_size > most:
            return f"{status.st_size} {status.st_mtime_ns}".encode()
        with open(path, "rb") as file:
            return hashlib.sha256(file.read()).digest()
    except OSError:
        return b"gone"


def changed_at(path: str) -> float:
    """Return when the file last changed, or 0 if it doesn't exist."""
    try:
        return os.lstat(path).st_ctime  # programs can set mtime
    except OSError:
        return 0.0


@functools.cache
def own_output() -> frozenset[tuple[int, int]]:
    """Return the files that ccc's output goes to: `ccc run … 2> run.log` isn't a change."""
    outputs = set()
    for stream in (1, 2):
        try:
            status = os.fstat(stream)
        except OSError:
            continue
        if stat.S_ISREG(status.st_mode):
            outputs.add((status.st_dev, status.st_ino))
    return frozenset(outputs)


def read_text(path: str, most: int) -> bytes:
    """Return the content of a text file; empty if it is large, binary or no regular file."""
    try:
        with open(private_files.open_regular(path), "rb") as file:
            content = file.read(most + 1)
    except OSError:
        return b""
    return b"" if len(content) > most or b"\0" in content else content


def count_lines(path: str) -> int:
    """Return the number of lines in a text file, or 0 if it is binary or too large."""
    return len(read_text(path, _MAX_COUNTED).splitlines())
