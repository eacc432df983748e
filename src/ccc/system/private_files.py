"""Files and directories for this user only, whatever the umask, and file locks."""

import contextlib
import errno
import fcntl
import os
import stat
import time

from ccc.errors import CccError
from ccc.system import terminal

_LOCK_SECONDS = 30.0
_SILENT_SECONDS = 2.0
_NO_LOCKS = (errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS)


def open_file(path: str, flags: int) -> int:
    """Open or create a regular file that nobody else can read; a symlink is an error."""
    flags |= os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
    file = os.open(path, flags, 0o600)
    try:
        mode = os.fstat(file).st_mode
        if not stat.S_ISREG(mode):
            raise OSError(errno.EEXIST, os.strerror(errno.EEXIST), path)
        if stat.S_IMODE(mode) != 0o600:
            # not for another user's file, or on a file system without modes
            with contextlib.suppress(OSError):
                os.fchmod(file, 0o600)
    except BaseException:
        os.close(file)
        raise
    return file


def write(path: str, text: str) -> None:
    """Write the text to a file that nobody else can read."""
    with open(open_file(path, os.O_WRONLY | os.O_TRUNC), "wb") as file:
        file.write(text.encode("utf-8", "replace"))


def open_regular(path: str, may_be_link: bool = False) -> int:
    """Open a regular file for reading; a pipe or a device could block, or never end.

    Records aren't links; a file of the user may be one.
    """
    follow = 0 if may_be_link else os.O_NOFOLLOW
    file = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | follow)
    mode = os.fstat(file).st_mode
    if not stat.S_ISREG(mode):
        os.close(file)
        kind = errno.EISDIR if stat.S_ISDIR(mode) else errno.EINVAL
        raise OSError(kind, os.strerror(kind), path)
    return file


def make_directory(path: str) -> None:
    """Create a directory for this user only."""
    os.mkdir(path, 0o700)
    # the umask may have removed the owner's permissions
    os.chmod(path, 0o700)


def lock(path: str) -> int:
    """Open and lock the file and return its descriptor; raise OSError if it can't be opened."""
    held = open_file(path, os.O_RDWR)
    try:
        _wait(held, path)
    except BaseException:
        os.close(held)
        raise
    return held


def _wait(held: int, path: str) -> None:
    start, pause, has_told = time.monotonic(), 0.001, False
    while not try_lock(held):
        waited = time.monotonic() - start
        if waited > _LOCK_SECONDS:
            raise _busy("lock.busy", path)
        if waited > _SILENT_SECONDS and not has_told:
            has_told = True
            terminal.tell(f"ccc: {_busy('lock.waiting', path)}")
        time.sleep(pause)
        pause = min(pause * 1.5, 0.05)


def try_lock(held: int) -> bool:
    """Try to lock the file; on a file system without locks, continue without one."""
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
    return CccError(message, hint="lock.busy", file=path, seconds=int(_LOCK_SECONDS), process=named)


def _holder(path: str) -> str:
    """Return the pid of the process that holds the lock, or an empty string if unknown."""
    try:
        wanted = str(os.stat(path).st_ino)
        with open("/proc/locks", encoding="ascii", errors="replace") as file:
            locks = [line.split() for line in file]
    except OSError:
        return ""
    held = (line for line in locks if len(line) > 5 and line[1] == "FLOCK")
    return next((line[4] for line in held if line[5].rpartition(":")[2] == wanted), "")
