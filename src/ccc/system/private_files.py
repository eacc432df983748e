"""Files and directories for this user alone, whatever the umask; a link is never followed."""

import errno
import os
import stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO


def open_file(path: str, flags: int) -> int:
    """Open or create a plain file of ccc's that nobody else may read."""
    flags |= os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
    file = os.open(path, flags, 0o600)
    try:
        mode = os.fstat(file).st_mode
        if not stat.S_ISREG(mode):
            raise OSError(errno.EEXIST, os.strerror(errno.EEXIST), path)
        if stat.S_IMODE(mode) != 0o600:
            try:
                os.fchmod(file, 0o600)
            except OSError:
                pass  # another user's file, or a file system without modes
    except BaseException:
        os.close(file)
        raise
    return file


def open_for_reading(path: str) -> "BinaryIO":
    """Open a plain file; a pipe or a device, which could be endless, is an error."""
    file = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    mode = os.fstat(file).st_mode
    if not stat.S_ISREG(mode):
        os.close(file)
        kind = errno.EISDIR if stat.S_ISDIR(mode) else errno.EINVAL
        raise OSError(kind, os.strerror(kind), path)
    return os.fdopen(file, "rb")


def make_directory(path: str) -> None:
    """Make a directory."""
    os.mkdir(path, 0o700)
    # the umask may have removed ccc's own rights
    os.chmod(path, 0o700)
