"""Search for leaks of the test user's key in files, outputs and command lines."""

import base64
import functools
import os
import threading
import urllib.parse
from collections.abc import Collection, Iterator
from fnmatch import fnmatch
from pathlib import Path

_SECONDS = 0.02
_LARGEST = 64 * 1024 * 1024
WHERE_THE_USER_PUT_IT = ("*/ccc.json", "launches.jsonl", "reviewer.jsonl")
"""The configuration file, and the records of stub claudes, which include their environment."""


@functools.cache
def forms(key: str) -> dict[str, bytes]:
    """Return the key as it could appear in a file: whole, half or encoded."""
    data, middle = key.encode(), len(key) // 2
    result = {
        "whole": data,
        "its first half": data[:middle],
        "its second half": data[middle:],
        "percent-encoded": urllib.parse.quote(key, safe="").encode(),
        "hexadecimal": data.hex().encode(),
    }
    for shift in range(3):
        # at each offset in the encoded data, without the characters that depend on adjacent bytes
        whole = base64.b64encode(b"\0" * shift + data + b"\0" * (-(len(data) + shift) % 3))
        result[f"base64 at {shift}"] = whole[4:-4]
        result[f"base64url at {shift}"] = whole[4:-4].replace(b"+", b"-").replace(b"/", b"_")
    return result


def hidden(data: bytes, key: str) -> str:
    """Return the form in which the data contains the key, or an empty string."""
    return next((name for name, form in forms(key).items() if form in data), "")


def in_files(root: Path, key: str, allowed: Collection[str]) -> list[str]:
    """Return the files below the root that contain the key, except the allowed ones."""
    leaks = []
    for path in _files(root):
        name = str(path.relative_to(root))
        if any(fnmatch(name, pattern) for pattern in allowed):
            continue
        if hidden(name.encode(), key):
            leaks.append(f"{name}: its name")
        try:
            data = path.read_bytes() if path.stat().st_size <= _LARGEST else b""
        except OSError:
            continue
        if form := hidden(data, key):
            leaks.append(f"{name}: {form}")
    return leaks


def _files(root: Path) -> Iterator[Path]:
    for directory, _, names in os.walk(root):
        for name in names:
            path = Path(directory, name)
            if path.is_file() and not path.is_symlink():
                yield path


class Sampler:
    """Samples the command lines of new processes many times per second."""

    def __init__(self, key: str) -> None:
        self._key = key
        self._strangers = _processes()
        self._hits: dict[bytes, bytes] = {}
        self._over = threading.Event()
        self.samples = 0
        self._thread = threading.Thread(target=self._sample, daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Stop sampling."""
        self._over.set()
        self._thread.join()

    def hits(self, root: Path) -> list[str]:
        """Return the command lines with the key, of processes whose home is below the root."""
        mark = f"HOME={root}/".encode()
        lines = [line for line, env in self._hits.items() if mark in env]
        return [line.replace(b"\0", b" ").decode(errors="replace") for line in lines]

    def _sample(self) -> None:
        while not self._over.wait(_SECONDS):
            now = _processes()
            self._strangers &= now
            self.samples += 1
            for pid in now - self._strangers:
                try:
                    command = Path(f"/proc/{pid}/cmdline")
                    line = command.read_bytes()
                    if line not in self._hits and hidden(line, self._key):
                        env = Path(f"/proc/{pid}/environ").read_bytes()
                        # otherwise it became another program, as the tests' own `env -i` does
                        if command.read_bytes() == line:
                            self._hits[line] = env
                except OSError:
                    continue


def _processes() -> set[str]:
    try:
        return {name for name in os.listdir("/proc") if name.isdigit()}
    except OSError:  # not Linux
        return set()
