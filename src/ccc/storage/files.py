"""Read files, and write them atomically under a lock."""

import contextlib
import os
import shutil
from collections.abc import Callable, Iterator, Sequence

from ccc.errors import CccError
from ccc.system import private_files, terminal

_PREFIX, _SUFFIX = ".ccc-", ".tmp"
_ATTEMPTS = 20


def read(path: str) -> str | None:
    """Return the file's text, or None if the file doesn't exist."""
    try:
        with open(private_files.open_regular(path, may_be_link=True), "rb") as file:
            return file.read().decode("utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except UnicodeDecodeError as error:
        raise CccError("file.not_utf8", file=path, at=error.start) from None
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


@contextlib.contextmanager
def _write_errors(path: str) -> Iterator[None]:
    """Turn an OSError into the error for a file that can't be written."""
    try:
        yield
    except OSError as error:
        raise unusable("file.unwritable", path, error) from None


def make_directory(path: str) -> None:
    """Create the directory and its missing parents, accessible to this user only."""
    if os.path.isdir(path):
        return
    make_directory(os.path.dirname(path))
    with _write_errors(path):
        try:
            private_files.make_directory(path)
        except FileExistsError:
            if os.path.isdir(path):
                return
            raise CccError("file.not_directory", hint="file.hint", file=path) from None


def write_all(file: int, data: bytes) -> None:
    """Write all of the data, even if `os.write` takes only part of it at a time."""
    view = memoryview(data)
    while view:
        view = view[os.write(file, view) :]


def set_aside(path: str, ending: str) -> str:
    """Rename the file to an unused name with this ending and return the new name."""
    aside = free_name(path, ending)
    rename(path, aside)
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
    with _write_errors(path):
        mode = os.stat(path).st_mode & 0o777
        if mode & 0o077:
            os.chmod(path, mode & 0o700)


def rename(source: str, target: str) -> None:
    """Rename a file, replacing the target."""
    with _write_errors(target):
        os.replace(source, target)


def remove(path: str) -> None:
    """Remove the file if it exists."""
    with _write_errors(path), contextlib.suppress(FileNotFoundError):
        os.unlink(path)


def remove_tree(path: str) -> None:
    """Remove the directory and everything in it."""
    with _write_errors(path):
        shutil.rmtree(path)


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
                with _write_errors(path):
                    self._held.append(private_files.lock(path))
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
        raise CccError("file.busy", file=path)

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
        is_linked = not ours and os.path.exists(target) and os.lstat(target).st_nlink > 1
        try:
            self._note(temporary)
            data = after.encode("utf-8", "surrogatepass")
            _write_new(temporary, target, data, durable=durable, ours=ours)
            if read_or_none(target) != before:
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
    with contextlib.suppress(OSError):
        os.unlink(path)


def _write_new(temporary: str, target: str, data: bytes, *, durable: bool, ours: bool) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW
    file = os.open(temporary, flags, 0o600)
    try:
        os.fchmod(file, 0o600)
        if os.path.exists(target):
            _copy_metadata(target, temporary, ours)
        write_all(file, data)
        if durable:
            os.fsync(file)
    finally:
        os.close(file)


def _copy_metadata(target: str, temporary: str, ours: bool) -> None:
    """Copy the owner, and for a user's file its mode and ACLs, as far as permitted."""
    old = os.stat(target)
    with contextlib.suppress(OSError):
        os.chown(temporary, old.st_uid, old.st_gid)
    if not ours:
        with contextlib.suppress(OSError):
            shutil.copystat(target, temporary)


def _sync_directory(directory: str) -> None:
    with contextlib.suppress(OSError):
        number = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(number)
        finally:
            os.close(number)
