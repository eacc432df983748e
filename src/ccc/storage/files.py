"""Read files, and write them atomically under a lock."""

import os
import shutil
import sys
from collections.abc import Callable, Sequence

from ccc.errors import CccError
from ccc.system import private_files, terminal

_PREFIX, _SUFFIX = ".ccc-", ".tmp"
_ATTEMPTS = 20


def read(path: str) -> str | None:
    """Return the file's text, or None if the file doesn't exist."""
    try:
        with private_files.open_for_reading(path) as file:
            return file.read().decode("utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except UnicodeDecodeError as error:
        raise CccError("file.not_utf8", hint="file.left_alone", file=path, at=error.start) from None
    except OSError as error:
        raise unusable("file.unreadable", path, error) from None


def read_or_none(path: str) -> str | None:
    """Return the file's text, or None if it can't be read."""
    try:
        return read(path)
    except CccError:
        return None


def unusable(message: str, path: str, error: OSError) -> CccError:
    """Return the error for a file or directory that can't be read or written."""
    reason = error.strerror or type(error).__name__
    return CccError(message, hint="file.hint", file=path, reason_text=reason)


def _attempt(path: str, action: Callable[..., None], *arguments: object) -> None:
    try:
        action(*arguments)
    except OSError as error:
        raise unusable("file.unwritable", path, error) from None


def make_directory(path: str) -> None:
    """Create the directory and its missing parents, accessible to this user only."""
    if os.path.isdir(path):
        return
    make_directory(os.path.dirname(path))
    try:
        private_files.make_directory(path)
    except FileExistsError:
        if not os.path.isdir(path):
            raise CccError("file.not_directory", hint="file.hint", file=path) from None
    except OSError as error:
        raise unusable("file.unwritable", path, error) from None


def write_all(file: int, data: bytes) -> None:
    """Write all of the data, even if `os.write` takes only part of it at a time."""
    view = memoryview(data)
    while view:
        view = view[os.write(file, view) :]


def set_aside(path: str, ending: str) -> str:
    """Rename the file to an unused name with this ending and return the new name."""
    aside = free_name(path, ending)
    _attempt(path, os.rename, path, aside)
    return aside


def free_name(path: str, ending: str) -> str:
    """Return the path plus the ending, with a number appended if that name is taken."""
    for number in range(1, 1000):
        free = path + ending + (f"-{number}" if number > 1 else "")
        if not os.path.lexists(free):
            return free
    raise CccError("file.unwritable", hint="file.hint", file=path, reason_text=ending)


def make_private(path: str) -> None:
    """Make the file readable by its owner only."""
    try:
        mode = os.stat(path).st_mode & 0o777
    except OSError as error:
        raise unusable("file.unwritable", path, error) from None
    if mode & 0o077:
        _attempt(path, os.chmod, path, mode & 0o700)


def rename(source: str, target: str) -> None:
    """Rename a file, replacing the target."""
    _attempt(target, os.replace, source, target)


def remove(path: str) -> None:
    """Remove the file if it exists."""
    try:
        os.unlink(path)
    except FileNotFoundError:
        pass
    except OSError as error:
        raise unusable("file.unwritable", path, error) from None


def remove_tree(path: str) -> None:
    """Remove the directory and everything in it."""
    _attempt(path, shutil.rmtree, path)


class Lock:
    """A lock for changing files: `with Lock(directories) as lock: lock.update(path, …)`.

    The lock file names the temporary file of the current write, so that the next holder can
    remove it if this process is killed.
    """

    def __init__(self, directories: Sequence[str]) -> None:
        self._directories = directories
        self._held: list[int] = []

    def __enter__(self) -> "Lock":
        try:
            for directory in self._directories:
                make_directory(directory)
                path = os.path.join(directory, "lock")
                try:
                    self._held.append(private_files.lock(path))
                except OSError as error:
                    raise unusable("file.unwritable", path, error) from None
            self._remove_leftover()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        while self._held:
            os.close(self._held.pop())

    def update(
        self,
        path: str,
        edit: Callable[[str | None], str | None],
        *,
        durable: bool = True,
        ours: bool = False,
    ) -> bool:
        """Replace the file's text with the result of `edit` and return whether it was written.

        `edit` gets None for a missing file and returns None (or the same text) to change nothing.
        If another program changes the file in the meantime, `edit` runs again on the new text. A
        symlink is followed, unless the file belongs to ccc alone (`ours`): then it is replaced.
        """
        target = path if ours else os.path.realpath(path)
        for _ in range(_ATTEMPTS):
            before = read(target)
            after = edit(before)
            if after is None or after == before:
                return False
            if self._replace(target, before, after, durable=durable, ours=ours):
                return True
        raise CccError("file.busy", hint="file.busy_hint", file=path)

    def write(self, path: str, text: str, *, durable: bool = True, ours: bool = False) -> bool:
        """Write the text and return whether the file had to change."""
        return self.update(path, lambda _: text, durable=durable, ours=ours)

    def _replace(
        self, target: str, before: str | None, after: str, *, durable: bool, ours: bool
    ) -> bool:
        """Replace the target and return True, unless its text is no longer `before`.

        A program that writes between the last comparison and the rename (measured: about 30 µs)
        loses its edit.
        """
        directory, name = os.path.split(target)
        make_directory(directory)
        unique = f"{_PREFIX}{name}.{os.getpid()}-{os.urandom(4).hex()}{_SUFFIX}"
        temporary = os.path.join(directory, unique)
        is_linked = not ours and _has_other_names(target)
        try:
            self._note(temporary)
            data = after.encode("utf-8", "surrogatepass")
            _write_new(temporary, target, data, durable=durable, ours=ours)
            if not _has_text(target, before):
                os.unlink(temporary)
                return False
            os.replace(temporary, target)
            if durable:
                _sync_directory(directory)
            self._note("")
        except OSError as error:
            _discard(temporary)
            raise unusable("file.unwritable", target, error) from None
        if is_linked:
            # writing in place could be interrupted, and would change snapshots that use hard links
            terminal.tell(f"ccc: {CccError('file.was_linked', file=target)}")
        return True

    def _note(self, temporary: str) -> None:
        for held in self._held[:1]:
            os.ftruncate(held, 0)
            os.pwrite(held, os.fsencode(temporary), 0)

    def _remove_leftover(self) -> None:
        for held in self._held:
            leftover = os.fsdecode(os.pread(held, 8192, 0))
            name = os.path.basename(leftover)
            if os.path.isabs(leftover) and name.startswith(_PREFIX) and name.endswith(_SUFFIX):
                _discard(leftover)
            if leftover:
                os.ftruncate(held, 0)


def _discard(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        pass


def _has_text(path: str, text: str | None) -> bool:
    try:
        return read(path) == text
    except CccError:
        return False


def _has_other_names(path: str) -> bool:
    try:
        return os.lstat(path).st_nlink > 1
    except OSError:
        return False


def _write_new(temporary: str, target: str, data: bytes, *, durable: bool, ours: bool) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW
    file = os.open(temporary, flags, 0o600)
    try:
        _copy_metadata(target, file, ours)
        write_all(file, data)
        if durable:
            os.fsync(file)
    finally:
        os.close(file)


def _copy_metadata(target: str, file: int, ours: bool) -> None:
    """Copy the target's owner, mode and attributes to the new file where permissions allow."""
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
    # Python supports extended attributes, which include ACLs, only on Linux
    if not ours and sys.platform == "linux":
        for name in _attributes(target):
            try:
                os.setxattr(file, name, os.getxattr(target, name))
            except OSError:
                pass


def _attributes(path: str) -> list[str]:
    try:
        return os.listxattr(path)
    except OSError:
        return []


def _sync_directory(directory: str) -> None:
    try:
        number = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError:
        return
    try:
        os.fsync(number)
    except OSError:
        pass
    finally:
        os.close(number)
