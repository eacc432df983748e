"""Start a program that outlives this process."""

import contextlib
import os
import signal
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

# The shell ends at once, and the program has no parent that would have to wait for it: claude,
# which this process may become, leaves unknown children as zombies.
_SCRIPT = 'cd / && "$@" &'
_IN_DIRECTORY = 'cd -- "$0" && exec "$@"'
_INTERRUPTIONS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE)
_LOW_PRIORITY = ("nice", "-n", "19")


def start(command: Sequence[str], env: Mapping[str, str], low_priority: bool = True) -> None:
    """Start the program in its own session, with nothing open, and by default low priority."""
    null = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
    actions: list[tuple[int, ...]] = [(os.POSIX_SPAWN_DUP2, null, each) for each in range(3)]
    line = ["sh", "-c", _SCRIPT, "sh", *(_LOW_PRIORITY if low_priority else ()), *command]
    with contextlib.suppress(OSError):  # whatever it would have done, it can do later
        os.waitpid(_spawn(line, env, actions), 0)
    os.close(null)


def start_in(
    directory: str, command: Sequence[str], env: Mapping[str, str], given: int, output: int
) -> int:
    """Start a program that outlives this process, and return its process id.

    It reads the file `given` and writes to the file `output`. It can be interrupted even if this
    process ignores that. As long as this process lives, it has to wait for the program's end.
    """
    line = ["sh", "-c", _IN_DIRECTORY, directory, *command]
    streams = ((given, 0), (output, 1), (output, 2))
    actions: list[tuple[int, ...]] = [(os.POSIX_SPAWN_DUP2, *each) for each in streams]
    return _spawn(line, env, actions, setsigdef=_INTERRUPTIONS)


def _spawn(
    line: list[str],
    env: Mapping[str, str],
    actions: list[tuple[int, ...]],
    **options: Any,
) -> int:
    """Start a shell in its own session, with no other file open."""
    actions = actions + [(os.POSIX_SPAWN_CLOSE, each) for each in _inheritable()]
    return os.posix_spawn("/bin/sh", line, env, file_actions=actions, setsid=True, **options)


def _inheritable() -> Iterator[int]:
    """Yield the other files that a child gets: whoever waits for their end would wait for it."""
    for name in os.listdir("/dev/fd"):
        with contextlib.suppress(OSError):  # the one that was open for the list
            if int(name) > 2 and os.get_inheritable(int(name)):
                yield int(name)
