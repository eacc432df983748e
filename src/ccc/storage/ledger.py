"""The ledger: what we own among the user's files, for upgrade and removal."""

import os
from dataclasses import dataclass, field

from ccc.errors import CccError
from ccc.storage import files
from ccc.text import jsontext

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ccc.storage.files import Lock

_VERSION = 1
_AT = "at"
"""The field that says where the ledger is: moved with a home, its files are elsewhere, too."""


@dataclass(slots=True)
class Ledger:
    """Each owned file by its path, and what the person was told once."""

    files: dict[str, dict[str, object]] = field(default_factory=dict)
    told: list[str] = field(default_factory=list)
    other: dict[str, object] = field(default_factory=dict)
    """Fields of another version of ccc, which are kept."""
    changed: bool = False

    @property
    def is_lost(self) -> bool:
        """Whether it names nothing of ours: it was damaged or deleted, or there never was one."""
        return not any(entry.get("kind") for entry in self.files.values())

    def entry(self, path: str) -> dict[str, object]:
        """What is known of the file; empty where nothing is."""
        return self.files.get(path, {})

    def record(self, path: str, **facts: object) -> None:
        """Remember the file; what was there before our first write is kept."""
        entry = {**self.entry(path), **facts}
        if entry != self.files.get(path):
            self.files[path] = entry
            self.changed = True

    def forget(self, path: str) -> None:
        """Forget the file."""
        self.files.pop(path, None)
        self.changed = True

    def tell_once(self, what: str) -> bool:
        """Whether the person has not been told this yet."""
        if what in self.told:
            return False
        self.told.append(what)
        self.changed = True
        return True


def load(text: str | None) -> Ledger:
    """The ledger in the text; a damaged one is begun anew, since the files speak for themselves."""
    try:
        raw = jsontext.parse(text or "")
    except jsontext.JsonError:
        return Ledger()
    known = raw if isinstance(raw, dict) else {}
    entries, told = known.get("files"), known.get("told")
    return Ledger(
        {k: v for k, v in entries.items() if isinstance(v, dict)}
        if isinstance(entries, dict)
        else {},
        [t for t in told if isinstance(t, str)] if isinstance(told, list) else [],
        {k: v for k, v in known.items() if k not in ("files", "told")},
    )


def read(path: str) -> Ledger:
    """The ledger in the file; one that can't be read is begun anew."""
    try:
        ledger = load(files.read(path))
    except CccError:
        ledger = Ledger()
    before, ledger.other[_AT] = ledger.other.get(_AT), path
    if isinstance(before, str) and before != path:
        _follow(ledger, *_roots(before, path))
    return ledger


def _roots(before: str, now: str) -> tuple[str, str]:
    """The directories that the two paths have the same way down from."""
    while os.path.basename(before) == os.path.basename(now) != "":
        before, now = os.path.dirname(before), os.path.dirname(now)
    return os.path.join(before, ""), os.path.join(now, "")


def _follow(ledger: Ledger, before: str, now: str) -> None:
    """Know the files again that were moved together with the ledger, as with a home."""

    def moved(path: object) -> object:
        new = now + path.removeprefix(before) if isinstance(path, str) else ""
        there = new and str(path).startswith(before) and os.path.lexists(new)
        return new if there and not os.path.lexists(str(path)) else path

    for path in list(ledger.files):
        if (new := str(moved(path))) != path:
            ledger.files[new] = {key: moved(value) for key, value in ledger.files.pop(path).items()}
            ledger.changed = True


def save(lock: "Lock", path: str, ledger: Ledger) -> None:
    """Write the ledger where it changed."""
    if ledger.changed:
        ledger.changed = False
        body = {"version": _VERSION, **ledger.other, "files": ledger.files, "told": ledger.told}
        lock.write(path, jsontext.dump(body), ours=True)


def digest(text: str) -> str:
    """A fingerprint of a file's text."""
    import hashlib

    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
