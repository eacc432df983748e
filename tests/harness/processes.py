"""The processes of a scratch home, found by their environment."""

import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path


def family(home: Path, doing: str = "") -> dict[int, str]:
    """The living processes that have this home, with their command lines that hold `doing`."""
    mark = f"HOME={home}".encode()
    return {pid: line for pid, line, env in everybody() if mark in env and doing in line}


def everybody() -> Iterator[tuple[int, str, list[bytes]]]:
    """Each process with its command line and its environment, from /proc, else from ps."""
    if not Path("/proc/self").is_dir():
        # macOS: the environment stands behind the command, with spaces between
        listed = subprocess.run(
            ["ps", "-axww", "-E", "-o", "pid=", "-o", "command="], capture_output=True, check=True
        )
        for row in listed.stdout.splitlines():
            number, _, rest = row.strip().partition(b" ")
            yield int(number), rest.decode(errors="replace"), rest.split(b" ")
        return
    for directory in Path("/proc").iterdir():
        if not directory.name.isdigit():
            continue
        try:
            env = (directory / "environ").read_bytes().split(b"\0")
            line = (
                (directory / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            )
        except OSError:
            continue
        yield int(directory.name), line, env


def wait_until(holds: Callable[[], object], what: str = "", timeout: float = 60) -> None:
    """Wait until it holds; a failed test if it never does."""
    until = time.monotonic() + timeout
    while not holds():
        assert time.monotonic() < until, f"never happened: {what or holds}"
        time.sleep(0.02)


def nothing_runs(home: Path, doing: str = "", timeout: float = 30) -> None:
    """See that none of the family is left; one that was killed may need a moment to be gone."""
    until = time.monotonic() + timeout
    while family(home, doing) and time.monotonic() < until:
        time.sleep(0.02)
    assert family(home, doing) == {}
