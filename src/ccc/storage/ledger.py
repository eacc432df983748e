"""The ledger of the files that ccc has written, used for upgrades and removal."""

import hashlib
import os
from dataclasses import dataclass, field

from ccc.storage import files
from ccc.storage.files import Lock
from ccc.text import jsontext, lenient_json

_VERSION = 1


@dataclass(slots=True)
class Ledger:
    """ccc's files by path, and the one-time messages that the user has seen."""

    path: str
    files: dict[str, dict[str, object]] = field(default_factory=dict)
    notices: list[str] = field(default_factory=list)
    other: dict[str, object] = field(default_factory=dict)
    """Fields written by another version of ccc."""
    changed: bool = False

    @property
    def is_lost(self) -> bool:
        """Whether it lists no files, because it was damaged, deleted or never written."""
        return not any(entry.get("kind") for entry in self.files.values())

    def entry(self, path: str) -> dict[str, object]:
        """Return the recorded facts about a file, or an empty dict for an unknown file."""
        return self.files.get(path, {})

    def of_kind(self, kind: str) -> list[str]:
        """Return the paths of all files of a kind."""
        return sorted(path for path, entry in self.files.items() if entry.get("kind") == kind)

    def record(self, path: str, **facts: object) -> None:
        """Record facts about a file."""
        entry = {**self.entry(path), **facts}
        if entry != self.files.get(path):
            self.files[path] = entry
            self.changed = True

    def forget(self, path: str) -> None:
        """Remove a file from the ledger."""
        self.files.pop(path, None)
        self.changed = True

    def tell_once(self, message: str) -> bool:
        """Mark the message as seen and return whether it is new to the user."""
        if message in self.notices:
            return False
        self.notices.append(message)
        self.changed = True
        return True

    def save(self, lock: Lock) -> None:
        """Write the ledger if it has changed."""
        if self.changed:
            self.changed = False
            body = {"version": _VERSION, **self.other, "files": self.files, "told": self.notices}
            lock.write(self.path, jsontext.dump(body), ours=True)


def read_ledger(path: str) -> Ledger:
    """Read the ledger, or return an empty one if it can't be read."""
    raw = lenient_json.parse_object(files.read_or_none(path) or "") or {}
    entries = lenient_json.mapping(raw, "files")
    ledger = Ledger(
        path,
        {name: entry for name, entry in entries.items() if isinstance(entry, dict)},
        lenient_json.texts(raw, "told"),
        # its own path: if it was moved with a home directory, its files were moved, too
        {**{k: v for k, v in raw.items() if k not in ("files", "told")}, "at": path},
    )
    before = lenient_json.text(raw, "at")
    if before and before != path:
        _follow_move(ledger, *_roots(before, path))
    return ledger


def _roots(before: str, now: str) -> tuple[str, str]:
    """Return the two path prefixes that remain after removing the common suffix."""
    while os.path.basename(before) == os.path.basename(now) != "":
        before, now = os.path.dirname(before), os.path.dirname(now)
    return os.path.join(before, ""), os.path.join(now, "")


def _follow_move(ledger: Ledger, before: str, now: str) -> None:
    """Update the paths of files that were moved together with the ledger."""

    def moved(path: object) -> object:
        if not isinstance(path, str) or not path.startswith(before) or os.path.lexists(path):
            return path
        new = now + path.removeprefix(before)
        return new if os.path.lexists(new) else path

    for path in list(ledger.files):
        if (new := str(moved(path))) != path:
            ledger.files[new] = {key: moved(value) for key, value in ledger.files.pop(path).items()}
            ledger.changed = True


def digest(text: str) -> str:
    """Return the digest of a file's text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
