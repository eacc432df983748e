"""The lock file: waits for it, and tells the user which process holds it."""

import errno
import fcntl
import os
import time

from ccc.errors import CccError
from ccc.system import private_files, terminal

_SECONDS = 30.0
_SILENT_SECONDS = 2.0
_NO_LOCKS = (errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS)


def acquire(path: str) -> int:
    """The open and locked file; an OSError if it can't be opened."""
    held = private_files.open_file(path, os.O_RDWR)
    try:
        _wait(held, path)
    except BaseException:
        os.close(held)
        raise
    return held


def _wait(held: int, path: str) -> None:
    start, pause, has_told = time.monotonic(), 0.001, False
    while not _try(held):
        waited = time.monotonic() - start
        if waited > _SECONDS:
            raise _busy("lock.busy", path)
        if waited > _SILENT_SECONDS and not has_told:
            has_told = True
            terminal.tell(f"ccc: {_busy('lock.waiting', path)}")
        time.sleep(pause)
        pause = min(pause * 1.5, 0.05)


def _try(held: int) -> bool:
    """Try to lock the file; on a file system without locks ccc does without."""
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in (errno.EAGAIN, errno.EACCES, errno.EINTR):
            return False
        if error.errno not in _NO_LOCKS:
            raise
    return True


def _busy(message: str, path: str) -> CccError:
    process = _holder(path)
    named = f" ({process})" if process else ""
    return CccError(message, hint="lock.hint", file=path, seconds=int(_SECONDS), process=named)


def _holder(path: str) -> str:
    """The process that holds the lock, if the system knows."""
    try:
        wanted = str(os.stat(path).st_ino)
        with open("/proc/locks", encoding="ascii", errors="replace") as file:
            locks = [line.split() for line in file]
    except OSError:
        return ""
    held = (line for line in locks if len(line) > 5 and line[1] == "FLOCK")
    return next((line[4] for line in held if line[5].rpartition(":")[2] == wanted), "")
