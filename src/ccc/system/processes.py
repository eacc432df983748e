"""The processes that there are: who runs, who is below whom."""

import os

from ccc.errors import CccError
from ccc.system import capture

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


def is_alive(pid: int, *words: str) -> bool:
    """Whether the process is there and has one of the words in its command line.

    Where there is no /proc the process id alone counts.
    """
    if pid <= 0:
        return False
    try:
        os.kill(pid, 0)
    except (OSError, OverflowError):
        return False
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            line = os.fsdecode(file.read(8_192))
    except FileNotFoundError:
        return not os.path.isdir("/proc/self")
    except OSError:
        return False
    return any(word in line for word in words)


def sessions_alive() -> "set[int]":
    """The processes that may be at a session of ours: each claude and each ccc there is."""
    try:
        return {pid for pid, line in _command_lines() if "claude" in line or "ccc" in line}
    except OSError:
        raise CccError("processes.unknown", hint="processes.hint") from None


def descendants(root: int) -> set[int]:
    """The processes below a process."""
    return below({root}, parents_of_all())


def below(roots: set[int], parents: "Mapping[int, int]") -> set[int]:
    """The processes below some others, by each one's parent."""
    found: set[int] = set()
    wave = roots
    while wave:
        wave = {pid for pid, parent in parents.items() if parent in wave} - found
        found |= wave
    return found


def runs_again(pid: int, line: "list[int]") -> bool:
    """Whether one of its ancestors runs the same program as the process."""
    own = program(pid)
    return any(program(other) == own for other in line)


def descends_from(pid: int, owner: int) -> bool:
    """Whether the process was started by `owner`, or by anything below that."""
    return owner in ancestors(pid, owner)


def ancestors(pid: int, owner: int) -> list[int]:
    """The parent of a process, its parent and so on, up to `owner` or to the first of all."""
    parents, at, line = parents_of_all(), pid, []
    while at != owner and (at := parents.get(at, 0)) > 1:
        line.append(at)
    return line


def _command_lines() -> "Iterator[tuple[int, str]]":
    """Each other process with its command line, the words alone, no environment.

    Raises OSError where nobody can say which processes there are.
    """
    if os.path.isdir("/proc/self"):
        yield from _of_proc()
        return
    # each name apart: some take all behind the first `=` for a heading
    listed = capture.output_of(["ps", "-axww", "-o", "pid=", "-o", "args="], "/", os.environ, 5)
    if not listed:
        raise OSError("ps")
    for line in listed.decode(errors="replace").splitlines():
        number, _, command = line.strip().partition(" ")
        if number.isdigit() and int(number) != os.getpid() and "<defunct>" not in command:
            yield int(number), command


def _of_proc() -> "Iterator[tuple[int, str]]":
    for name in os.listdir("/proc"):
        if not name.isdigit() or int(name) == os.getpid():
            continue
        try:
            with open(f"/proc/{name}/cmdline", "rb") as file:
                line = os.fsdecode(file.read(1 << 16)).replace("\0", " ").strip()
        except OSError:
            continue  # it has ended
        if line:  # else it is the kernel's, or a zombie
            yield int(name), line


def program(pid: int) -> str:
    """The program that a process runs, or nothing."""
    try:
        return os.readlink(f"/proc/{pid}/exe")
    except OSError:
        named = capture.output_of(["ps", "-o", "comm=", "-p", str(pid)], "/", os.environ, 5) or b""
        return named.decode(errors="replace").strip()


def parents_of_all() -> dict[int, int]:
    """Each process with its parent, from /proc, else from ps."""
    if os.path.isdir("/proc/self"):
        found = {}
        for name in os.listdir("/proc"):
            if name.isdigit():
                try:
                    with open(f"/proc/{name}/stat", "rb") as file:
                        found[int(name)] = int(file.read().rpartition(b")")[2].split()[1])
                except (OSError, IndexError, ValueError):
                    continue
        return found
    listed = (
        capture.output_of(["ps", "-ax", "-o", "pid=", "-o", "ppid="], "/", os.environ, 5) or b""
    )
    pairs = [line.split() for line in listed.splitlines()]
    return {int(pair[0]): int(pair[1]) for pair in pairs if len(pair) == 2}


def kill(pid: int) -> None:
    """End a process at once."""
    import signal

    try:
        os.kill(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass
