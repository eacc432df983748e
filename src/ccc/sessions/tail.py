"""Read the ends of growing files in bounded pieces, whole lines only."""

import os

from ccc.storage import record_file
from ccc.system import private_files

_PIECE = 1024 * 1024
_LONGEST_WORDS = 16 * 1024


def last_lines(path: str, most: int) -> list[str]:
    """Return the lines in the last `most` bytes of a file, or none if it can't be read."""
    try:
        with open(private_files.open_regular(path), "rb", buffering=0) as file:
            size = file.seek(0, os.SEEK_END)
            # the preceding byte shows whether the first line is whole
            file.seek(max(0, size - most - 1))
            data = file.read(min(size, most) + 1) or b""
    except OSError:
        return []
    return _lines(data if size <= most else data.partition(b"\n")[2])


def last_words(path: str, lines: int) -> str:
    """Return the last lines of what a program has printed, which say why it failed."""
    return "\n".join(last_lines(path, _LONGEST_WORDS)[-lines:])


def lines_between(path: str, begin: int, end: int) -> list[str]:
    """Return the lines between two positions of a file."""
    try:
        with open(private_files.open_regular(path), "rb") as file:
            file.seek(begin)
            return _lines(file.read(max(0, end - begin)))
    except OSError:
        return []


class Tail:
    """A file that others append to; it may appear later, be truncated or be replaced."""

    def __init__(self, path: str, before: int = 0) -> None:
        """Start at the end of the file, minus the last `before` bytes."""
        self._path = path
        self._rest = b""
        status = self._stat()
        self._inode = status.st_ino if status else 0
        self._position = max(0, status.st_size - before) if status else 0
        # the first line is complete only at the beginning of the file
        self._skips_line = self._position > 0 and before > 0
        self.has_restarted = False
        """Whether the last lines are the first ones of another file."""

    def new(self) -> list[str]:
        """Return the lines added since the last call."""
        status = self._stat()
        self.has_restarted = False
        if status is None:
            return []
        if status.st_ino != self._inode or status.st_size < self._position:
            self.has_restarted = True
            self._inode, self._position = status.st_ino, 0
            self._rest, self._skips_line = b"", False
        if status.st_size == self._position:
            return []
        try:
            with open(private_files.open_regular(self._path), "rb") as file:
                file.seek(self._position)
                data = file.read(_PIECE)
        except OSError:
            return []
        self._position += len(data)
        whole, newline, rest = (self._rest + data).rpartition(b"\n")
        self._rest = rest
        if len(rest) > 4 * _PIECE:
            # give up on a line that never ends
            self._rest, self._skips_line = b"", True
        if self._skips_line and newline:
            whole, self._skips_line = whole.partition(b"\n")[2], False
        return _lines(whole)

    def _stat(self) -> os.stat_result | None:
        try:
            return os.stat(self._path)
        except OSError:
            return None


def _lines(data: bytes) -> list[str]:
    lines = record_file.without_keys(data).decode(errors="replace").split("\n")
    return [line for line in lines if line.strip()]
