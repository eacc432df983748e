"""The ends of files that grow: read in bounded pieces, whole lines only."""

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_PIECE = 1024 * 1024


def last_lines(path: str, most: int) -> list[str]:
    """The lines in the last `most` bytes of a file; none where there is no file."""
    try:
        with open(path, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            # the byte before says whether the first line is whole
            file.seek(max(0, size - most - 1))
            data = file.read(most + 1)
    except OSError:
        return []
    if size > most:
        data = data.partition(b"\n")[2]
    return [line for line in _text(data).split("\n") if line.strip()]


def part(path: str, begin: int, end: int) -> list[str]:
    """The lines between two places of a file."""
    try:
        with open(path, "rb") as file:
            file.seek(begin)
            data = file.read(max(0, end - begin))
    except OSError:
        return []
    return [line for line in _text(data).split("\n") if line.strip()]


class Tail:
    """A file that others append to; it may come later, be cut or be replaced."""

    def __init__(self, path: str, before: int = 0) -> None:
        """`before`: how many bytes of what is there already are read too."""
        self._path = path
        self._rest = b""
        self._at = 0
        self._file = 0
        found = self._found()
        if found is not None:
            self._file = found.st_ino
            self._at = max(0, found.st_size - before)
            # the first line is whole at the beginning of the file only
            self._skips = self._at > 0 and before > 0
        else:
            self._skips = False

    def new(self) -> "list[str]":
        """The lines that have come since."""
        return list(self._lines())

    def _lines(self) -> "Iterator[str]":
        found = self._found()
        if found is None:
            return
        if found.st_ino != self._file or found.st_size < self._at:
            self._at, self._rest, self._skips = 0, b"", False
            self._file = found.st_ino
        if found.st_size == self._at:
            return
        try:
            with open(self._path, "rb") as file:
                file.seek(self._at)
                data = file.read(_PIECE)
        except OSError:
            return
        self._at += len(data)
        *whole, self._rest = (self._rest + data).split(b"\n")
        if len(self._rest) > 4 * _PIECE:
            # a line without an end is not waited for
            self._rest, self._skips = b"", True
        for line in whole:
            if self._skips:
                self._skips = False
            elif line.strip():
                yield _text(line)

    def _found(self) -> os.stat_result | None:
        try:
            return os.stat(self._path)
        except OSError:
            return None


def _text(data: bytes) -> str:
    return data.decode(errors="replace")
