"""Which session the claude is in that runs this process, by the rules of `conversation`."""

import os

from ccc.front import files

NAMED, LAUNCHER, CURRENT = "CCC_SUPERVISOR_ID", "CCC_LAUNCHER_PID", "CLAUDE_CODE_SESSION_ID"
_OF_LAUNCH = (NAMED, LAUNCHER, "CCC_CONFIG_DIR", "CCC_WORK_DIR")


def with_launch(environ: dict[str, str]) -> dict[str, str]:
    """Return the environment with ccc's variables as claude was started with.

    The `env` of a project's settings reaches hooks and must not mislead them.
    """
    original = _environ_of(pid_in(environ))
    if not original:
        return environ  # not Linux, where only the launch protects them
    kept = {name: value for name, value in environ.items() if name not in _OF_LAUNCH}
    own = {name: original[name.encode()] for name in _OF_LAUNCH if name.encode() in original}
    return kept | {name: os.fsdecode(value) for name, value in own.items()}


def pid_in(environ: dict[str, str]) -> int:
    """Return the pid of the claude that runs this process; 0 if there is none."""
    pid = environ.get("CLAUDE_PID", "")
    return int(pid) if pid.isdigit() else 0


def is_launched(environ: dict[str, str]) -> bool:
    """Return whether ccc became that claude, or a wrapper that runs it."""
    pid, launcher = pid_in(environ), int(environ.get(LAUNCHER, "0") or 0)
    if pid == launcher or launcher <= 0 or _is_claude(launcher):
        return pid == launcher
    line, above = _ancestors(pid, launcher), _environ_of(pid).get(b"CLAUDE_PID", b"")
    is_nested = above.isdigit() and int(above) in line
    return launcher in line and not is_nested and _program(pid) not in map(_program, line)


def find(environ: dict[str, str], directory: str, given: str = "") -> tuple[str, bool]:
    """Return the session's id, and whether its claude is in the conversation on record.

    `given` is the conversation, if the environment doesn't have it.
    """
    launch, pid, current = environ.get(NAMED, ""), pid_in(environ), environ.get(CURRENT, "")
    if pid and environ.get(LAUNCHER, "").isdigit() and not is_launched(environ):
        launch = ""  # claude only inherited it
    state = files.load_state(directory, launch) or {}
    is_on_record = not (state and pid) or (state.get("conversation") or launch) == current
    if launch and (state.get("is_named") or not (given or pid)):
        return launch, is_on_record
    return given or current or launch, is_on_record


def _is_claude(pid: int) -> bool:
    path = _program(pid)
    is_claude = "claude" in os.path.basename(path) or "/claude/" in path
    return is_claude and os.access(path, os.X_OK)


def _program(pid: int) -> str:
    try:
        return os.readlink(f"/proc/{pid}/exe")
    except OSError:
        return _ps(f"-o comm= -p {pid}").strip()


def _ancestors(pid: int, last: int) -> list[int]:
    line: list[int] = []
    while pid != last and (pid := _parent(pid)) > 1:
        line.append(pid)
    return line


def _parent(pid: int) -> int:
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            # the second field after the name, which may contain any character
            return int(file.read().rpartition(b")")[2].split()[1])
    except (OSError, IndexError):
        return int(_ps(f"-o ppid= -p {pid}") or 0)


def _ps(options: str) -> str:
    if os.path.isdir("/proc/self"):
        return ""
    # not Linux, and a claude that ccc didn't become: slow, since it imports subprocess
    with os.popen(f"ps {options}") as printed:
        return printed.read()


def _environ_of(pid: int) -> dict[bytes, bytes]:
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            return dict(part.partition(b"=")[::2] for part in file.read().split(b"\0"))
    except OSError:
        return {}
