"""The guard: a shell that kills ccc's children if ccc is killed.

It reads the pids of the living children from a pipe that only ccc holds open. If the pipe closes
while some are alive, the shell becomes `processes`, which kills them.
"""

import os
import sys
from collections.abc import Iterable

_SCRIPT = (
    "cd /; while read -r line; do living=$line; done; "
    '[ -z "$living" ] || exec "$0" -P -m ccc.system.processes $living'
)
_guards: list[tuple[int, int]] = []  # at most one: its pid, and the end of the pipe


def start() -> None:
    """Start the guard in its own session, with a minimal environment: it needs no key."""
    if _guards:
        return
    reading, writing = os.pipe()
    pid = os.posix_spawn(
        "/bin/sh",
        ["/bin/sh", "-c", _SCRIPT, sys.executable],
        {"HOME": os.environ.get("HOME", "/")},
        file_actions=[
            (os.POSIX_SPAWN_DUP2, reading, 0),
            (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
            (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
        ],
        setsid=True,
        setsigmask=[],
    )
    os.close(reading)
    _guards.append((pid, writing))


def watch(pids: Iterable[int]) -> None:
    """Tell the guard which children are alive now."""
    for _, pipe in _guards:
        try:
            os.write(pipe, " ".join(map(str, pids)).encode() + b"\n")
        except BrokenPipeError:
            pass  # the guard was killed


def own_pids() -> list[int]:
    """Return the guard's pid, if there is one."""
    return [pid for pid, _ in _guards]
