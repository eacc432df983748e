"""Reading, and writing under a lock: every file is the old one or the new one, never a mixture."""

import fcntl
import os

from ccc.errors import CccError
from ccc.storage import lock, swapping
from ccc.system import private_files, terminal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import TracebackType

_TEMPORARY = (".ccc-", ".tmp")
_ROUNDS = 20


def read(path: str) -> str | None:
    """The file's text, or None where there is no file."""
    try:
        with private_files.readable(path) as file:
            return file.read().decode("utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except UnicodeDecodeError as error:
        raise CccError("file.not_utf8", hint="file.left_alone", file=path, at=error.start) from None
    except OSError as error:
        raise unusable("file.unreadable", path, error) from None


def unusable(message: str, path: str, error: OSError) -> CccError:
    """An error for a file or directory that can't be read or written."""
    return CccError(
        message, hint="file.hint", file=path, reason_text=error.strerror or type(error).__name__
    )


def make_directory(path: str) -> None:
    """Make the directory and what is missing above it, for this user only."""
    if os.path.isdir(path):
        return
    make_directory(os.path.dirname(path))
    try:
        private_files.make(path)
    except FileExistsError:
        if not os.path.isdir(path):
            raise CccError("file.not_directory", hint="file.hint", file=path) from None
    except OSError as error:
        raise unusable("file.unwritable", path, error) from None


def append(path: str, text: str, largest: int = 0) -> bool:
    """Add to the end of a private file in one write, so that lines of others stay whole.

    Where a full disk has cut off the last line the text begins a new one. Whether there was room:
    a file that has grown past the largest size, where there is one, stays as it is.
    """
    try:
        file = private_files.opened(path, os.O_RDWR | os.O_APPEND)
    except (FileNotFoundError, NotADirectoryError):
        make_directory(os.path.dirname(path))
        file = private_files.opened(path, os.O_RDWR | os.O_APPEND)
    try:
        _alone(file)
        size = os.fstat(file).st_size
        if largest and size > largest:
            return False
        is_cut_off = size and os.pread(file, 1, size - 1) != b"\n"
        view = memoryview((b"\n" if is_cut_off else b"") + text.encode("utf-8", "replace"))
        while view:
            view = view[os.write(file, view) :]
    finally:
        os.close(file)
    return True


def _alone(file: int) -> None:
    """Keep other writers off until the file is closed: half of a line looks cut off."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX)
    except OSError:
        pass  # a file system without locks


def set_aside(path: str, ending: str) -> str:
    """Give a file another name that nothing has yet; the name."""
    aside = free_name(path, ending)
    try:
        os.rename(path, aside)
    except OSError as error:
        raise unusable("file.unwritable", path, error) from None
    return aside


def free_name(path: str, ending: str) -> str:
    """The path with an ending, and a number where that is taken."""
    for number in range(1, 1000):
        free = path + ending + (f"-{number}" if number > 1 else "")
        if not os.path.lexists(free):
            return free
    raise CccError("file.unwritable", hint="file.hint", file=path, reason_text=ending)


def make_private(path: str) -> None:
    """Take the right to read a file from everybody but its owner."""
    try:
        mode = os.stat(path).st_mode & 0o777
        if mode & 0o077:
            os.chmod(path, mode & 0o700)
    except OSError as error:
        raise unusable("file.unwritable", path, error) from None


def rename(source: str, target: str) -> None:
    """Give a file another's name; the other is gone."""
    try:
        os.replace(source, target)
    except OSError as error:
        raise unusable("file.unwritable", target, error) from None


def remove(path: str) -> None:
    """Remove a file; one that is not there is as good."""
    try:
        os.unlink(path)
    except FileNotFoundError:
        pass
    except OSError as error:
        raise unusable("file.unwritable", path, error) from None


class Lock:
    """The right to change files: `with Lock(directories) as lock: lock.update(path, …)`.

    The lock file names the temporary file of the write that is under way, so that the next
    holder can remove it where the last one was killed.
    """

    def __init__(self, directories: "Sequence[str]") -> None:
        self._directories = directories
        self._held: list[int] = []

    def __enter__(self) -> "Lock":
        try:
            for directory in self._directories:
                make_directory(directory)
                self._held.append(_acquired(os.path.join(directory, "lock")))
            self._remove_leftover()
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self,
        kind: "type[BaseException] | None",
        error: BaseException | None,
        trace: "TracebackType | None",
    ) -> None:
        while self._held:
            os.close(self._held.pop())

    def update(
        self,
        path: str,
        edit: "Callable[[str | None], str | None]",
        *,
        durable: bool = True,
        ours: bool = False,
    ) -> bool:
        """Replace the text by what `edit` makes of it; say whether anything was written.

        `edit` gets None for a missing file and returns None (or the same text) for no change.
        Another program's change between our reading and writing is read again, not lost.
        A link is followed, unless the file is wholly ours: then it is replaced.
        """
        target = path if ours else os.path.realpath(path)
        for _ in range(_ROUNDS):
            before = read(target)
            after = edit(before)
            if after is None or after == before:
                return False
            if self._replace(target, before, after, durable, ours):
                return True
        raise CccError("file.busy", hint="file.busy_hint", file=path)

    def write(self, path: str, text: str, *, durable: bool = True, ours: bool = False) -> bool:
        """Make the file hold the text; an unchanged file is not written again."""
        return self.update(path, lambda _: text, durable=durable, ours=ours)

    def _replace(
        self, target: str, before: str | None, after: str, durable: bool, ours: bool
    ) -> bool:
        directory, name = os.path.split(target)
        make_directory(directory)
        unique = f"{name}.{os.getpid()}-{os.urandom(4).hex()}"
        temporary = os.path.join(directory, unique.join(_TEMPORARY))
        data = after.encode("utf-8", "surrogatepass")
        is_linked = not ours and swapping.has_other_name(target)
        try:
            self._note(temporary)
            swapping.write_new(temporary, target, data, durable, ours)
            # what need not be durable is a session's state, and no other program's to change
            if not swapping.put(temporary, target, before, shared=durable and not ours):
                return False
            if durable:
                _sync_directory(directory)
            self._note("")
        except OSError as error:
            _unlink(temporary)
            raise unusable("file.unwritable", target, error) from None
        if is_linked:
            # writing in place could be cut off, and would reach a snapshot that is made of links
            terminal.tell(f"ccc: {CccError('file.was_linked', file=target)}")
        return True

    def _note(self, temporary: str) -> None:
        for held in self._held[:1]:
            os.ftruncate(held, 0)
            os.pwrite(held, os.fsencode(temporary), 0)

    def _remove_leftover(self) -> None:
        for held in self._held:
            leftover = os.fsdecode(os.pread(held, 8192, 0))
            if leftover:
                if _is_temporary(leftover):
                    _unlink(leftover)
                os.ftruncate(held, 0)


def _acquired(path: str) -> int:
    try:
        return lock.acquire(path)
    except OSError as error:
        raise unusable("file.unwritable", path, error) from None


def _sync_directory(directory: str) -> None:
    try:
        opened = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError:
        return
    try:
        os.fsync(opened)
    except OSError:
        pass
    finally:
        os.close(opened)


def _is_temporary(path: str) -> bool:
    name = os.path.basename(path)
    return os.path.isabs(path) and name.startswith(_TEMPORARY[0]) and name.endswith(_TEMPORARY[1])


def _unlink(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        pass
