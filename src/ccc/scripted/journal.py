"""The requests of a scripted model as lines of JSON, without keys."""

import json
import os
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import IO

from ccc.scripted.exchange import Exchange

_SECRETIVE = ("auth", "key", "token", "secret", "cookie")
_MODE = 0o600


class Journal:
    """A private JSONL file, one line per request."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: IO[str] | None = None
        self._lock = threading.Lock()

    def open(self) -> None:
        """Open the file for appending, and make it private even if it existed before."""
        descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, _MODE)
        os.fchmod(descriptor, _MODE)
        self._file = os.fdopen(descriptor, "w", encoding="utf-8")

    def write(self, exchange: Exchange) -> None:
        """Append the exchange, readable at once."""
        line = json.dumps(_entry(exchange)) + "\n"
        with self._lock:
            if self._file is not None:
                self._file.write(line)
                self._file.flush()

    def close(self) -> None:
        """Close the file; later lines are dropped."""
        with self._lock:
            if self._file is not None:
                self._file.close()
                self._file = None


def redacted(headers: Mapping[str, str]) -> dict[str, str]:
    """Return the headers without the values that may be keys."""
    return {
        name: "[redacted]" if any(word in name for word in _SECRETIVE) else value
        for name, value in headers.items()
    }


def _entry(exchange: Exchange) -> dict[str, object]:
    request = exchange.request
    return {
        "number": request.number,
        "received_at": request.received_at,
        "method": request.method,
        "path": request.path,
        "headers": redacted(request.headers),
        "body": request.body,
        "status": exchange.status,
        "rule": exchange.rule,
        "usage": None if exchange.usage is None else exchange.usage.as_dict(),
    }
