"""A unified diff as values: which lines each file gained and lost, and where."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ccc.text.values import dataclass, field

_HUNK = re.compile(r"@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@")
_NOWHERE = "/dev/null"
_LONGEST_LINE = 2_000


class Line(NamedTuple):
    """A line that was added or removed, with its number after or before the change."""

    number: int
    text: str


@dataclass(slots=True)
class Hunk:
    """Neighbouring changes."""

    removed: list[Line] = field(default_factory=list)
    added: list[Line] = field(default_factory=list)
    lines: list[tuple[str, Line]] = field(default_factory=list)
    """All lines in order, each with its sign: `+`, `-` or a space."""


@dataclass(slots=True)
class FileChange:
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


def parse(diff: str) -> list[FileChange]:
    """Parse the output of `git diff`; what isn't part of a diff is skipped."""
    changes: list[FileChange] = []
    reader = _Reader(changes)
    for line in diff.splitlines():
        reader.read(line[:_LONGEST_LINE])
    return changes


def new_file(path: str, lines: Iterable[str]) -> FileChange:
    """Return the change that adds a file which git doesn't track yet."""
    added = [Line(number, text[:_LONGEST_LINE]) for number, text in enumerate(lines, 1)]
    hunk = Hunk(added=added, lines=[("+", line) for line in added])
    return FileChange(path, hunks=[hunk], is_new=True)


@dataclass(slots=True)
class _Reader:
    changes: list[FileChange]
    hunk: Hunk | None = None
    old: int = 0
    new: int = 0

    def read(self, line: str) -> None:
        if line.startswith("diff --git "):
            self.changes.append(FileChange(line.rpartition(" b/")[2]))
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
            change.old_path = line.removeprefix("rename from ")
        elif line.startswith("+++ ") and not line.endswith(_NOWHERE):
            change.path = line[4:].strip('"').removeprefix("b/").rstrip("\t")

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
