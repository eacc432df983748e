"""Find the processes of a scratch home by their environment."""

import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path


def family(home: Path, doing: str = "") -> dict[int, str]:
    """Return the processes with this home whose command line contains `doing`."""
    mark = f"HOME={home}".encode()
    return {pid: line for pid, line, env in everybody() if mark in env and doing in line}


def everybody() -> Iterator[tuple[int, str, list[bytes]]]:
    """Yield pid, command line and environment of each process, from /proc or from ps."""
    if not Path("/proc/self").is_dir():
        # macOS: the environment follows the command, separated by spaces
        listing = subprocess.run(
            ["ps", "-axww", "-E", "-o", "pid=", "-o", "command="], capture_output=True, check=True
        )
        for row in listing.stdout.splitlines():
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
    """Wait until `holds()` is true; fail the test at the timeout."""
    until = time.monotonic() + timeout
    while not holds():
        assert time.monotonic() < until, f"timed out waiting for {what or holds}"
        time.sleep(0.02)


def nothing_runs(home: Path, doing: str = "", timeout: float = 30) -> None:
    """Assert that no such process is left; a killed one may take a moment to disappear."""
    until = time.monotonic() + timeout
    while family(home, doing) and time.monotonic() < until:
        time.sleep(0.02)
    assert family(home, doing) == {}
