"""The key of a scratch user is nowhere but where the user put it: looked for after every test."""

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
"""The configuration, and what stand-ins for claude write down of their environment."""


@functools.cache
def forms(key: str) -> dict[str, bytes]:
    """The key as it could be hidden in a file: whole, half, encoded."""
    data, middle = key.encode(), len(key) // 2
    found = {
        "whole": data,
        "its first half": data[:middle],
        "its second half": data[middle:],
        "percent-encoded": urllib.parse.quote(key, safe="").encode(),
        "hexadecimal": data.hex().encode(),
    }
    for shift in range(3):
        # wherever it begins in what was encoded, and without what its neighbours have a part in
        whole = base64.b64encode(b"\0" * shift + data + b"\0" * (-(len(data) + shift) % 3))
        found[f"base64 at {shift}"] = whole[4:-4]
        found[f"base64url at {shift}"] = whole[4:-4].replace(b"+", b"-").replace(b"/", b"_")
    return found


def hidden(data: bytes, key: str) -> str:
    """The form in which the key is in the data; empty where it is in none."""
    return next((name for name, form in forms(key).items() if form in data), "")


def in_files(root: Path, key: str, allowed: Collection[str]) -> list[str]:
    """The files below the root that hold the key, but for those that may."""
    found = []
    for path in _files(root):
        name = str(path.relative_to(root))
        if any(fnmatch(name, pattern) for pattern in allowed):
            continue
        if hidden(name.encode(), key):
            found.append(f"{name}: its name")
        try:
            data = path.read_bytes() if path.stat().st_size <= _LARGEST else b""
        except OSError:
            continue
        if form := hidden(data, key):
            found.append(f"{name}: {form}")
    return found


def _files(root: Path) -> Iterator[Path]:
    for directory, _, names in os.walk(root):
        for name in names:
            path = Path(directory, name)
            if path.is_file() and not path.is_symlink():
                yield path


class Sampler:
    """Reads the command lines of new processes, many times a second."""

    def __init__(self, key: str) -> None:
        self._key = key
        self._strangers = _processes()
        self._hits: dict[bytes, bytes] = {}
        self._over = threading.Event()
        self.samples = 0
        self._thread = threading.Thread(target=self._sample, daemon=True)
        self._thread.start()

    def end(self) -> None:
        """No more samples."""
        self._over.set()
        self._thread.join()

    def hits(self, root: Path) -> list[str]:
        """The command lines with the key of processes that had their home there."""
        mark = f"HOME={root}/".encode()
        found = [line for line, env in self._hits.items() if mark in env]
        return [line.replace(b"\0", b" ").decode(errors="replace") for line in found]

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
                        # else it became another program meanwhile, as the tests' own `env -i` does
                        if command.read_bytes() == line:
                            self._hits[line] = env
                except OSError:
                    continue


def _processes() -> set[str]:
    try:
        return {name for name in os.listdir("/proc") if name.isdigit()}
    except OSError:  # not Linux
        return set()
