"""Read files that others write without keys, where others may look."""

import os

from ccc.text.redaction import Redactor

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
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return 0
