"""The ledger of the files that ccc has written, used for upgrades and removal."""

import hashlib
import os
from typing import Any

import msgspec

from ccc.storage import files
from ccc.storage.files import Lock
from ccc.text import jsontext, lenient_json


class ReplacedStatusLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """The status line that the user had before ccc's, if any."""

    before: Any = None


class RemovedVariables(msgspec.Struct, frozen=True):
    """The variables that `ccc init` removed from settings.json, and the backup that has them."""

    names: list[str]
    copy: str


class LedgerEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is known about a file or directory that ccc has written."""

    kind: str = ""  # hook, command, prompt, settings or directory
    created: bool = False  # whether ccc made the file that has the hook
    aside: str = ""  # the user's file that was in the place of ccc's settings file
    sha256: str = ""
    version: str = ""
    language: str = ""
    status_line: ReplacedStatusLine | None = None
    taken_out: RemovedVariables | None = None


class _Content(msgspec.Struct):
    version: int = 1
    files: dict[str, LedgerEntry] = {}
    told: list[str] = []


class Ledger:
    """ccc's files by path, and the one-time messages that the user has seen."""

    def __init__(self, path: str) -> None:
        self._path = path
        # with what another version of ccc has written
        self._raw = lenient_json.parse_object(files.read_or_none(path) or "") or {}
        try:
            self._content = msgspec.convert(self._raw, _Content)
        except msgspec.ValidationError:
            self._content = _Content()  # damaged: the files are recognized by their content

    @property
    def is_lost(self) -> bool:
        """Whether it lists no existing file: it was damaged, deleted, moved or never written."""
        entries = self._content.files.items()
        return not any(entry.kind and os.path.lexists(path) for path, entry in entries)

    def entry(self, path: str) -> LedgerEntry:
        """Return the recorded facts about a file, or an empty entry for an unknown file."""
        return self._content.files.get(path, LedgerEntry())

    def of_kind(self, kind: str) -> list[str]:
        """Return the paths of all files of a kind."""
        return sorted(path for path, each in self._content.files.items() if each.kind == kind)

    def record(self, path: str, **facts: Any) -> None:
        """Record facts about a file."""
        self._content.files[path] = msgspec.structs.replace(self.entry(path), **facts)

    def forget(self, path: str) -> None:
        """Remove a file from the ledger."""
        self._content.files.pop(path, None)

    def tell_once(self, message: str) -> bool:
        """Mark the message as seen and return whether it is new to the user."""
        is_new = message not in self._content.told
        if is_new:
            self._content.told.append(message)
        return is_new

    def save(self, lock: Lock) -> None:
        """Write the ledger if it has changed."""
        if self._content.files or self._content.told:
            body = {**self._raw, **msgspec.to_builtins(self._content)}
            lock.write(self._path, jsontext.dump(body), ours=True)


def digest(text: str) -> str:
    """Return the digest of a file's text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
