"""Files and directories for this user alone, whatever the umask; a link is never followed."""

import errno
import os
import stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO


def opened(path: str, flags: int) -> int:
    """Open a plain file of ours, made where it is missing, closed to others where it was open."""
    flags |= os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
    file = os.open(path, flags, 0o600)
    try:
        found = os.fstat(file)
        if not stat.S_ISREG(found.st_mode):
            raise OSError(errno.EEXIST, os.strerror(errno.EEXIST), path)
        if stat.S_IMODE(found.st_mode) != 0o600:
            _close_to_others(file)
    except BaseException:
        os.close(file)
        raise
    return file


def readable(path: str) -> "BinaryIO":
    """Open a plain file for reading; a pipe or a device, which could be endless, is an error."""
    number = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    mode = os.fstat(number).st_mode
    if not stat.S_ISREG(mode):
        os.close(number)
        kind = errno.EISDIR if stat.S_ISDIR(mode) else errno.EINVAL
        raise OSError(kind, os.strerror(kind), path)
    return os.fdopen(number, "rb")


def _close_to_others(file: int) -> None:
    try:
        os.fchmod(file, 0o600)
    except OSError:
        pass  # another's file, or a file system without modes


def make(directory: str) -> None:
    """Make a directory."""
    os.mkdir(directory, 0o700)
    # the umask may have taken our own rights
    os.chmod(directory, 0o700)
