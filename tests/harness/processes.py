"""The processes of a scratch home, found by their environment."""

import time
from collections.abc import Callable
from pathlib import Path


def family(home: Path, doing: str = "") -> dict[int, str]:
    """The living processes that have this home, with their command lines that hold `doing`."""
    mark = f"HOME={home}".encode()
    found = {}
    for directory in Path("/proc").iterdir():
        if not directory.name.isdigit():
            continue
        try:
            if mark in (directory / "environ").read_bytes().split(b"\0"):
                line = (directory / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                if doing in line:
                    found[int(directory.name)] = line
        except OSError:
            continue
    return found


def wait_until(holds: Callable[[], object], what: str = "", timeout: float = 30) -> None:
    """Wait until it holds; a failed test if it never does."""
    until = time.monotonic() + timeout
    while not holds():
        assert time.monotonic() < until, f"never happened: {what or holds}"
        time.sleep(0.02)
