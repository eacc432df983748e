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
    """The file, opened and locked; an OSError where it can't be opened."""
    held = private_files.open_file(path, os.O_RDWR)
    try:
        _wait(held, path)
    except BaseException:
        os.close(held)
        raise
    return held


def _wait(held: int, path: str) -> None:
    begun, pause, is_told = time.monotonic(), 0.001, False
    while not _is_ours(held):
        waited = time.monotonic() - begun
        if waited > _SECONDS:
            raise _busy("lock.busy", path)
        if waited > _SILENT_SECONDS and not is_told:
            is_told = True
            terminal.tell(f"ccc: {_busy('lock.waiting', path)}")
        time.sleep(pause)
        pause = min(pause * 1.5, 0.05)


def _is_ours(held: int) -> bool:
    """Try to lock the file; without locks on the file system writes are atomic still."""
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
    """The process that has the lock, where the system tells it."""
    try:
        wanted = str(os.stat(path).st_ino)
        with open("/proc/locks", encoding="ascii", errors="replace") as file:
            locks = [line.split() for line in file]
    except OSError:
        return ""
    held = (line for line in locks if len(line) > 5 and line[1] == "FLOCK")
    return next((line[4] for line in held if line[5].rpartition(":")[2] == wanted), "")
