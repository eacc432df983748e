"""Read files that others write, whole or their ends, without keys where others may look."""

import os

from ccc.system import private_files
from ccc.text.redaction import Redactor

_PIECE = 1024 * 1024
_LONGEST_WORDS = 16 * 1024
_LARGEST = 64 * 1024 * 1024
_redactors: list[Redactor] = []
"""What hides the user's keys in everything that is read; at most one."""


def hide(redactor: Redactor) -> None:
    """Hide these keys in what is read from now on: `ccc web` shows it in a browser.

    Records have none that was known when they were written. A key that became one later may be in
    them, or one that an older ccc wrote.
    """
    _redactors[:] = [redactor]


def without_keys(data: bytes) -> bytes:
    """Return the content of a file, or whole lines of one, without the keys to hide."""
    for redactor in _redactors:
        text = data.decode("utf-8", "surrogateescape")
        return redactor.redact_json(text).encode("utf-8", "surrogateescape")
    return data


def changed_at(path: str) -> int:
    """Return when the file was changed, in nanoseconds; 0 if there is none."""
    status = _stat(path)
    return status.st_mtime_ns if status else 0


def _stat(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)
    except OSError:
        return None


def read(path: str) -> bytes:
    """Return the content of a file; nothing if it can't be read."""
    return without_keys(_read(path, 0, _LARGEST))


def _read(path: str, begin: int, end: int) -> bytes:
    try:
        with open(private_files.open_regular(path), "rb") as file:
            file.seek(begin)
            return file.read(max(0, end - begin))
    except OSError:
        return b""


def last_lines(path: str, most: int) -> list[str]:
    """Return the lines in the last `most` bytes of a file, or none if it can't be read."""
    status = _stat(path)
    begin = status.st_size - most if status else 0
    if begin <= 0:
        return lines_between(path, 0, most)
    # the preceding byte shows whether the first line is whole
    return _lines(_read(path, begin - 1, begin + most).partition(b"\n")[2])


def last_words(path: str, lines: int) -> str:
    """Return the last lines of what a program has printed, which say why it failed."""
    return "\n".join(last_lines(path, _LONGEST_WORDS)[-lines:])


def lines_between(path: str, begin: int, end: int) -> list[str]:
    """Return the lines between two positions of a file."""
    return _lines(_read(path, begin, end))


class Tail:
    """A file that others append to; it may appear later, be truncated or be replaced."""

    def __init__(self, path: str, before: int = 0) -> None:
        """Start at the end of the file, minus the last `before` bytes."""
        self._path = path
        self._rest = b""
        status = _stat(path)
        self._inode = status.st_ino if status else 0
        self._position = max(0, status.st_size - before) if status else 0
        # the first line is complete only at the beginning of the file
        self._skips_line = self._position > 0 and before > 0
        self.has_restarted = False
        """Whether the last lines are the first ones of another file."""

    def new(self) -> list[str]:
        """Return the lines added since the last call."""
        status = _stat(self._path)
        self.has_restarted = False
        if status is None:
            return []
        if status.st_ino != self._inode or status.st_size < self._position:
            self.has_restarted = True
            self._inode, self._position = status.st_ino, 0
            self._rest, self._skips_line = b"", False
        if status.st_size == self._position:
            return []
        data = _read(self._path, self._position, self._position + _PIECE)
        self._position += len(data)
        whole, newline, self._rest = (self._rest + data).rpartition(b"\n")
        if len(self._rest) > 4 * _PIECE:
            # give up on a line that never ends
            self._rest, self._skips_line = b"", True
        if self._skips_line and newline:
            whole, self._skips_line = whole.partition(b"\n")[2], False
        return _lines(whole)


def _lines(data: bytes) -> list[str]:
    lines = without_keys(data).decode(errors="replace").split("\n")
    return [line for line in lines if line.strip()]
