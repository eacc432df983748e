"""Files as the file system has them, whatever git ignores: found within bounds, and compared."""

import hashlib
import os
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


def files(top: str, without: "Collection[str]" = (), most: int = _MOST) -> "Iterator[str]":
    """The files below a directory; `without` are names of directories, or their whole paths."""
    until, count = time.monotonic() + _SECONDS, 0
    for root, directories, names in os.walk(top):
        directories[:] = sorted(
            d for d in directories if d not in without and os.path.join(root, d) not in without
        )
        for name in sorted(names):
            count += 1
            if count > most or time.monotonic() > until:
                return
            yield os.path.join(root, name)


def stamp(tops: "Collection[str]", without: "Collection[str]" = ()) -> str:
    """A text that changes when a file below one of the directories is written, made or removed."""
    digest = hashlib.sha256()
    for top in tops:
        for path in files(top, without):
            if os.path.basename(path) in _VOLATILE:
                continue
            try:
                found = os.lstat(path)
            except OSError:
                continue
            seen = f"{path} {found.st_size} {found.st_mtime_ns} {found.st_mode} {found.st_ino}\0"
            digest.update(os.fsencode(seen))
    return digest.hexdigest()
