"""Running processes: find them by command line or parent, and kill them.

A guard kills ccc's children if ccc is killed. It is a shell that reads the pids of the living
children from a pipe that only ccc holds open. If the pipe closes while some are alive, the shell
becomes `python -P -m ccc.system.processes <pid>…`.
"""

import contextlib
import os
import signal
import sys
from collections.abc import Collection, Iterable, Iterator

from ccc.errors import CccError

_GUARD = (
    "cd /; while read -r line; do living=$line; done; "
    '[ -z "$living" ] || exec "$0" -P -m ccc.system.processes $living'
)
_guards: list[tuple[int, int]] = []  # at most one: its pid, and the end of the pipe


def is_alive(pid: int, *words: str) -> bool:
    """Return whether the process runs and has one of the words in its command line.

    Without /proc, only the process id is checked.
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
        return not _has_proc()
    except OSError:
        return False
    return any(word in line for word in words)


def find_running(*words: str) -> list[int]:
    """Return the processes that run a program with these words as its first arguments."""
    text, lines = " ".join(words), _command_lines()
    calls = {pid: f" {line} ".replace("/", " ") for pid, line in lines.items()}
    return sorted(pid for pid, line in calls.items() if f" {text} " in line)


def sessions_alive() -> set[int]:
    """Return the other processes that may use a session: every claude and every ccc."""
    lines = _command_lines()
    if not lines:
        raise CccError("processes.unknown")
    others = {pid: line for pid, line in lines.items() if pid != os.getpid()}
    return {pid for pid, line in others.items() if "claude" in line or "ccc" in line}


def descendants(root: int, without: Collection[int] = ()) -> set[int]:
    """Return all descendants of a process, skipping the processes in `without` and theirs."""
    return _descendants({root}, without)


def _descendants(roots: Collection[int], without: Collection[int] = ()) -> set[int]:
    parents = _parents()
    pids: set[int] = set()
    wave = {*roots}
    while wave:
        wave = {pid for pid, parent in parents.items() if parent in wave} - pids - {*without}
        pids |= wave
    return pids


def ancestors(pid: int, last: int) -> list[int]:
    """Return the parent of a process, its parent and so on, up to `last` or the first process."""
    parents, line = _parents(), []
    while pid != last and (pid := parents.get(pid, 0)) > 1:
        line.append(pid)
    return line


def program(pid: int) -> str:
    """Return the program that a process runs, or an empty string."""
    try:
        return os.readlink(f"/proc/{pid}/exe")
    except OSError:
        return "".join(_ps(f"-o comm= -p {pid}")).strip()


def kill(pid: int, number: int = signal.SIGKILL) -> None:
    """Kill a process, or send it another signal."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, number)


def signal_group(group: int, number: int) -> None:
    """Send a signal to a process group if it exists."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


def _has_proc() -> bool:
    return os.path.isdir("/proc/self")


def _proc(name: str) -> Iterator[tuple[int, bytes]]:
    """Yield each process id with the content of its /proc file of that name."""
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            with contextlib.suppress(OSError):  # it has ended
                with open(f"/proc/{entry}/{name}", "rb") as file:
                    data = file.read(1 << 16)
                yield int(entry), data


def _ps(options: str) -> list[str]:
    with os.popen(f"ps {options} 2>/dev/null") as printed:
        return printed.read().splitlines()


def _command_lines() -> dict[int, str]:
    if _has_proc():
        lines = {pid: os.fsdecode(data.replace(b"\0", b" ")) for pid, data in _proc("cmdline")}
    else:
        # -o twice: some versions of ps take everything after the first `=` for a heading
        rows = (row.split(None, 1) for row in _ps("-axww -o pid= -o args="))
        lines = {int(row[0]): row[1] for row in rows if len(row) == 2}
    # no line: a kernel process or a zombie
    return {pid: line for pid, line in lines.items() if line.strip() and "<defunct>" not in line}


def _parents() -> dict[int, int]:
    if _has_proc():
        # the parent is the second field after the name, which may contain any character
        fields = {pid: data.rpartition(b")")[2].split() for pid, data in _proc("stat")}
        return {pid: int(columns[1]) for pid, columns in fields.items() if len(columns) > 1}
    pairs = [line.split() for line in _ps("-ax -o pid= -o ppid=")]
    return {int(pair[0]): int(pair[1]) for pair in pairs if len(pair) == 2}


def kill_all(pids: Collection[int]) -> None:
    """Kill the processes and all their descendants.

    All of them are stopped first: one that runs on could start another process, unseen.
    """
    stopped: set[int] = set()
    wave = {*pids}
    while wave:
        for pid in wave:
            kill(pid, signal.SIGSTOP)
        stopped |= wave
        wave = _descendants(pids) - stopped
    for pid in stopped:
        kill(pid)


def start_guard() -> None:
    """Start the guard in its own session, with a minimal environment: it needs no key."""
    if _guards:
        return
    reading, writing = os.pipe()
    pid = os.posix_spawn(
        "/bin/sh",
        ["/bin/sh", "-c", _GUARD, sys.executable],
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


def guard_pids() -> list[int]:
    """Return the guard's pid, if there is one."""
    return [pid for pid, _ in _guards]


def main(roots: list[int]) -> None:
    """Kill the given processes, all their descendants and all processes in their groups."""
    kill_all(roots)
    for root in roots:
        # a child whose parent has ended before; the descendants may have sessions of their own, and
        # on the user's terminal the root is in the group of the killed ccc
        signal_group(root, signal.SIGKILL)


if __name__ == "__main__":
    main([int(pid) for pid in sys.argv[1:]])
