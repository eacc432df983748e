"""Start a program that outlives this process."""

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

# The shell ends at once, and the program has no parent that would have to wait for it: claude,
# which this process may become, leaves unknown children as zombies.
_SCRIPT = 'cd / && "$@" &'
_MODEST = ("nice", "-n", "19")


def start(command: "Sequence[str]", env: "Mapping[str, str]", is_modest: bool = True) -> None:
    """Start the program in its own session, with nothing open, and by default low priority."""
    null = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
    actions: list[tuple[int, ...]] = [(os.POSIX_SPAWN_DUP2, null, each) for each in range(3)]
    line = ["sh", "-c", _SCRIPT, "sh", *(_MODEST if is_modest else ()), *command]
    try:
        actions += [(os.POSIX_SPAWN_CLOSE, each) for each in _inheritable()]
        try:
            shell = os.posix_spawn("/bin/sh", line, env, file_actions=actions, setsid=True)
        except NotImplementedError:
            shell = os.posix_spawn("/bin/sh", line, env, file_actions=actions)
        os.waitpid(shell, 0)
    except OSError:
        pass  # whatever it would have done, it can do later
    finally:
        os.close(null)


def _inheritable() -> "Iterator[int]":
    """Yield the other files that a child gets: whoever waits for their end would wait for it."""
    for name in os.listdir("/dev/fd"):
        try:
            if int(name) > 2 and os.get_inheritable(int(name)):
                yield int(name)
        except OSError:
            pass  # the one that was open for the list
