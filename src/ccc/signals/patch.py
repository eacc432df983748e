"""A unified diff as values: which lines each file gained and lost, and where."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct, field

_HUNK = re.compile(r"@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@")
_NOWHERE = "/dev/null"
_FILE = re.compile(r"^(?=diff --git )", re.MULTILINE)
_ESCAPE = re.compile(rb"\\([0-7]{3}|.)", re.DOTALL)
_ESCAPED = dict(zip(b"abfnrtv", b"\a\b\f\n\r\t\v", strict=True))
_LONGEST_LINE = 500
_MOST_LINES = 20_000
_FEWEST_LINES = 50  # how much of a file is read if there is too much of everything
_HEADER_LINES = 8  # how much of a file is always read: its names


class Line(NamedTuple):
    """A line that was added or removed, with its number after or before the change."""

    number: int
    text: str


class Hunk(Struct):
    """Neighbouring changes."""

    removed: list[Line] = field(default_factory=list)
    added: list[Line] = field(default_factory=list)
    lines: list[tuple[str, Line]] = field(default_factory=list)
    """All lines in order, each with its sign: `+`, `-` or a space."""


class FileChange(Struct):
    """The change of one file."""

    path: str
    old_path: str = ""
    hunks: list[Hunk] = field(default_factory=list)
    is_new: bool = False
    is_deleted: bool = False

    @property
    def added(self) -> list[Line]:
        """The added lines."""
        return [line for hunk in self.hunks for line in hunk.added]

    @property
    def removed(self) -> list[Line]:
        """The removed lines."""
        return [line for hunk in self.hunks for line in hunk.removed]


def contains(lines: Sequence[Line], words: Sequence[str]) -> bool:
    """Whether a word, in lower case, is in the lines. Much faster than a regular expression."""
    text = "\n".join([line.text for line in lines]).casefold()
    return any(word in text for word in words)


def removed_texts(changes: Sequence[FileChange]) -> frozenset[str]:
    """Return the removed lines of all files; what is added again was moved."""
    return frozenset(line.text.strip() for change in changes for line in change.removed)


def parse(diff: str) -> list[FileChange]:
    """Parse the output of `git diff`; what isn't part of a diff is skipped.

    Of a very large diff, only the first lines of each file are read.
    """
    changes: list[FileChange] = []
    reader = _Reader(changes)
    # a file with zeros is binary
    parts = (part.partition("\0")[0] for part in _FILE.split(diff))
    for lines in _share([part.split("\n") for part in parts]):
        for line in lines:
            reader.read(line[:_LONGEST_LINE].rstrip("\r"))
    return changes


def new_files(texts: Mapping[str, str]) -> list[FileChange]:
    """Return the changes that add files which git doesn't track yet, by path."""
    contents = [text.removesuffix("\n").split("\n") if text else [] for text in texts.values()]
    return [_new_file(path, lines) for path, lines in zip(texts, _share(contents), strict=True)]


def _share(files: Sequence[Sequence[str]]) -> Iterator[Sequence[str]]:
    """Yield the lines of each file, shortened so that all together aren't too many."""
    most = _MOST_LINES
    if sum(map(len, files)) > most:
        most = max(_FEWEST_LINES, most // len(files))
    left = _MOST_LINES
    for lines in files:
        part = lines[: max(min(most, left), _HEADER_LINES)]
        left -= len(part)
        yield part


def _new_file(path: str, lines: Iterable[str]) -> FileChange:
    added = [
        Line(number, text[:_LONGEST_LINE].rstrip("\r")) for number, text in enumerate(lines, 1)
    ]
    hunk = Hunk(added=added, lines=[("+", line) for line in added])
    return FileChange(path, hunks=[hunk], is_new=True)


class _Reader(Struct):
    changes: list[FileChange]
    hunk: Hunk | None = None
    old: int = 0
    new: int = 0

    def read(self, line: str) -> None:
        if line.startswith("diff --git "):
            self.changes.append(FileChange(_path(line)))
            self.hunk = None
        elif self.changes and (match := _HUNK.match(line)):
            self.hunk = Hunk()
            self.changes[-1].hunks.append(self.hunk)
            self.old, self.new = int(match[1]), int(match[2])
        elif self.hunk is not None:
            self._read_content(self.hunk, line)
        elif self.changes:
            self._read_header(self.changes[-1], line)

    def _read_header(self, change: FileChange, line: str) -> None:
        if line.startswith("new file"):
            change.is_new = True
        elif line.startswith("deleted file"):
            change.is_deleted = True
        elif line.startswith("rename from "):
            change.old_path = _unquote(line.removeprefix("rename from "))
        elif line.startswith(("--- ", "+++ ")) and line[4:] != _NOWHERE:
            change.path = _unquote(line[4:].rstrip("\t"))[2:]  # without a/ or b/

    def _read_content(self, hunk: Hunk, line: str) -> None:
        sign, text = line[:1], line[1:]
        if sign == "+":
            hunk.added.append(Line(self.new, text))
            hunk.lines.append((sign, hunk.added[-1]))
        elif sign == "-":
            hunk.removed.append(Line(self.old, text))
            hunk.lines.append((sign, hunk.removed[-1]))
        elif sign == " " or not line:
            hunk.lines.append((" ", Line(self.new, text)))
        else:
            return  # "\ No newline at end of file"
        self.new += sign != "-"
        self.old += sign != "+"


def _path(header: str) -> str:
    """Return the second path of the line that begins a file; git quotes unusual ones."""
    if header.endswith('"'):
        return _unquote(header[header.rfind(' "') + 1 :]).removeprefix("b/")
    return header.rpartition(" b/")[2]


def _unquote(path: str) -> str:
    """Return a path without the quotes and escapes that git gives to unusual ones."""
    if not path.startswith('"') or not path.endswith('"'):
        return path
    content = _ESCAPE.sub(_unescape, path[1:-1].encode(errors="replace"))
    return content.decode(errors="replace")


def _unescape(match: re.Match[bytes]) -> bytes:
    code = match[1]
    return bytes([int(code, 8) & 255 if len(code) > 1 else _ESCAPED.get(code[0], code[0])])


def pairs(hunk: Hunk) -> Iterator[tuple[Line, Line]]:
    """Yield each removed line with the added line that replaces it, block by block."""
    removed: list[Line] = []
    added: list[Line] = []
    for sign, line in [*hunk.lines, (" ", Line(0, ""))]:
        if sign == "-" and not added:
            removed.append(line)
        elif sign == "+":
            added.append(line)
        else:
            yield from zip(removed, added, strict=False)
            removed, added = ([line] if sign == "-" else []), []
