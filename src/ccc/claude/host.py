"""The claude that runs this process: its sessions, and how it was started.

Every stop of every claude imports this module, so it imports only `os`.
"""

import os
from collections.abc import Mapping

from ccc.claude.formats import environment
from ccc.system import processes

Env = Mapping[str, str]


_PID = "CLAUDE_PID"
CURRENT = "CLAUDE_CODE_SESSION_ID"
"""The variable with claude's id of the conversation, in its hooks and shell commands."""


def is_hook(environ: Env) -> bool:
    """Return whether claude runs this process as a hook. Its shell commands lack the variable."""
    return "CLAUDE_PROJECT_DIR" in environ


def restore_launch() -> None:
    """Restore ccc's variables and PATH from the environment that claude was started with.

    The `env` of a project's settings reaches hooks and slash commands and must not mislead them.
    """
    original = environ_of(pid_in(os.environ))
    if not original:
        return  # not Linux, where only the launch protects them
    for name in environment.OF_LAUNCH:
        os.environ.pop(name, None)
        if name.encode() in original:
            os.environb[name.encode()] = original[name.encode()]


def own_session(environ: Env) -> str:
    """CCC_SUPERVISOR_ID, unless claude only inherited it.

    Claude's background service keeps the environment of the session that started it, and a claude
    started by an agent inherits it too. Neither is the claude that ccc became.
    """
    launcher, pid = pid_in(environ, environment.LAUNCHER), pid_in(environ)
    is_inherited = pid and launcher and not is_same(pid, launcher)
    return "" if is_inherited else environ.get(environment.SESSION, "")


def pid_in(environ: Env, name: str = _PID) -> int:
    """Return the pid of the claude that runs this process, or another one; 0 if there is none."""
    pid = environ.get(name, "")
    return int(pid) if pid.isdigit() else 0


def is_same(pid: int, launched: int) -> bool:
    """Return whether the process is the launched one, or runs in a wrapper that was launched.

    A claude started by another claude has that one's pid in its initial environment.
    """
    if pid == launched or launched <= 0 or program(launched):
        return pid == launched
    above = environ_of(pid).get(_PID.encode(), b"")
    line = processes.ancestors(pid, launched)
    is_nested = above.isdigit() and int(above) in line
    own = processes.program(pid)
    runs_again = any(processes.program(other) == own for other in line)
    return launched in line and not is_nested and not runs_again


def was_launched(pid: int, environ: Env) -> bool:
    """Return whether ccc became that claude or its wrapper, judging by its initial environment.

    A pid alone proves little, because another container may use the same one. If the system hides
    the initial environment, that of a process which the claude started stands for it.
    """
    original = environ_of(pid) or {os.fsencode(k): os.fsencode(v) for k, v in environ.items()}
    launcher = original.get(environment.LAUNCHER.encode(), b"")
    return launcher.isdigit() and is_same(pid, int(launcher))


def is_agent_of_run(environ: Env) -> bool:
    """Return whether claude is the agent of a `ccc run`, which reviews the stops itself."""
    launcher = pid_in(environ, environment.LAUNCHER)
    is_run = environment.SESSION not in environ and launcher > 0
    return is_run and is_same(pid_in(environ), launcher)


def program(pid: int) -> str:
    """Return the claude that a process runs; empty if it is unknown, as with node."""
    path = processes.program(pid)
    is_claude = "claude" in os.path.basename(path) or "/claude/" in path
    return path if is_claude and os.access(path, os.X_OK) else ""


def arguments_of(pid: int) -> list[str]:
    """Return the arguments that a process was started with, if the system reveals them."""
    return [os.fsdecode(word) for word in _proc(pid, "cmdline")[1:-1]]


def environ_of(pid: int) -> dict[bytes, bytes]:
    """Return the environment that a process was started with, if the system reveals it."""
    return dict(part.partition(b"=")[::2] for part in _proc(pid, "environ"))


def _proc(pid: int, name: str) -> list[bytes]:
    try:
        with open(f"/proc/{pid}/{name}", "rb") as file:
            return file.read().split(b"\0")
    except OSError:
        return []
