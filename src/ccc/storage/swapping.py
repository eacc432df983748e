"""A new file takes the place of an old one, unless another program has changed that meanwhile."""

import os
import sys

_HERE = -100  # AT_FDCWD
_TRIES = 100
_EXCHANGE = 2  # RENAME_EXCHANGE of Linux, RENAME_SWAP of macOS


def has_other_name(path: str) -> bool:
    """Whether the file is a hard link, one of several names."""
    try:
        return os.lstat(path).st_nlink > 1
    except OSError:
        return False


def write_new(temporary: str, target: str, data: bytes, durable: bool, ours: bool) -> None:
    """Write the temporary file with the mode and owner of the file that it will replace."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW
    file = os.open(temporary, flags, 0o600)
    try:
        _keep_mode(file, target, ours)
        view = memoryview(data)
        while view:
            view = view[os.write(file, view) :]
        if durable:
            os.fsync(file)
    finally:
        os.close(file)


def _keep_mode(file: int, target: str, ours: bool) -> None:
    try:
        old = os.lstat(target)
    except OSError:
        os.fchmod(file, 0o600)
        return
    if (old.st_uid, old.st_gid) != (os.geteuid(), os.getegid()):
        try:
            os.fchown(file, old.st_uid, old.st_gid)
        except OSError:
            pass
    os.fchmod(file, 0o600 if ours else old.st_mode & 0o777)
    if not ours:
        _keep_attributes(file, target)


def _keep_attributes(file: int, target: str) -> None:
    """Extended attributes, access lists among them, as far as we may set them."""
    if sys.platform != "linux":
        return  # Python has no calls for them elsewhere
    try:
        names = os.listxattr(target)
    except OSError:
        return
    for name in names:
        try:
            os.setxattr(file, name, os.getxattr(target, name))
        except OSError:
            continue


def put(new: str, target: str, before: str | None, shared: bool) -> bool:
    """Give `new` the name of the target, which holds `before` (None: there is none).

    False where it does not, and then `new` is gone. Between a look at the old file and a rename
    another program has time for a rename of its own. So a shared file changes places with the
    new one and is looked at then: what is not `before` goes back at once. For that moment others
    see ours; what they make of it comes out as we put theirs back, and takes its place again.
    """
    if not _holds(target, before):
        os.unlink(new)
        return False
    if shared and before is None:
        return _create(new, target)
    placed = _content(new) if shared else None
    if not shared or not _exchange(new, target):
        os.replace(new, target)
        return True
    was_meant = _holds(new, before)
    for _ in range(0 if was_meant else _TRIES):
        back = _content(new)
        if not _exchange(new, target) or _content(new) == placed:
            break
        placed = back
    os.unlink(new)
    return was_meant


def _create(new: str, target: str) -> bool:
    try:
        os.link(new, target)
    except FileExistsError:
        os.unlink(new)
        return False
    except OSError:  # a file system without links
        os.replace(new, target)
        return True
    os.unlink(new)
    return True


def _exchange(one: str, other: str) -> bool:
    """Let two files change places in one step; False where the system can't."""
    import ctypes

    first, second = os.fsencode(one), os.fsencode(other)
    try:
        system = ctypes.CDLL(None)
        if sys.platform == "darwin":
            return bool(system.renamex_np(first, second, _EXCHANGE) == 0)
        return bool(system.renameat2(_HERE, first, _HERE, second, _EXCHANGE) == 0)
    except (OSError, AttributeError):
        return False


def _holds(path: str, text: str | None) -> bool:
    if text is None:
        return not os.path.lexists(path)
    return _content(path) == text.encode("utf-8")


def _content(path: str) -> bytes | None:
    """What stands in it; None where that can't be read, which must not stop a file's way back."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return None
