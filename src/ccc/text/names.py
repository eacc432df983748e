"""Names that are used as file names or arguments: providers, session ids."""

import difflib
import hashlib
from collections.abc import Collection
from typing import TypeGuard

_LONGEST = 64


def is_provider_name(name: str) -> bool:
    """Return whether it has only letters and digits of any script, and `._-` after the first."""
    return (
        0 < len(name.encode("utf-8", "replace")) <= 2 * _LONGEST
        and len(name) <= _LONGEST
        and name[0].isalnum()
        and all(c.isalnum() or c in "._-" for c in name)
    )


def is_session_id(name: str) -> bool:
    """Return whether it is a plain `[A-Za-z0-9._-]` name that can't leave its directory."""
    return (
        0 < len(name) <= 2 * _LONGEST
        and name.isascii()
        and name[0] not in ".-"
        and all(c.isalnum() or c in "._-" for c in name)
    )


def is_uuid(name: str) -> bool:
    """Return whether claude accepts the name as a session id."""
    groups = name.split("-")
    return [len(group) for group in groups] == [8, 4, 4, 4, 12] and is_session_id(name)


def nearest(name: str, known: Collection[str], likeness: float = 0.5) -> str:
    """Return the known name that the user most likely meant, or an empty string."""
    folded = [each.casefold() for each in known]
    close = difflib.get_close_matches(name.casefold(), folded, 1, likeness)
    return next((k for k in known if close and k.casefold() == close[0]), "")


def is_argument(raw: object) -> TypeGuard[str]:
    """Return whether it is a string that a process can receive: no NUL, no lone surrogate."""
    return isinstance(raw, str) and not any(c == "\0" or "\ud800" <= c <= "\udfff" for c in raw)


def storable(text: str) -> str:
    """Return the text without what a database or a process can't take: NUL, lone surrogates."""
    return text.replace("\0", "").encode("utf-8", "replace").decode("utf-8")


def checksum(text: str) -> str:
    """Return a short checksum of the text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
