"""The claude around this process: which sessions it stands for, and how it was started.

The first half needs `os` alone, since every stop of every claude asks.
"""

import os

from ccc.claude.formats import environment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_PID = "CLAUDE_PID"
_CURRENT = "CLAUDE_CODE_SESSION_ID"


def is_hook(environ: "Mapping[str, str]") -> bool:
    """Whether claude runs this as a hook: a command of its shell lacks the variable."""
    return "CLAUDE_PROJECT_DIR" in environ


def restore_launch() -> None:
    """Take our variables, and PATH, from the claude around us, as it was started.

    `env` of a project's settings reaches hooks and slash commands, and must not lead them astray.
    """
    if not (given := _environ_of(pid_in(os.environ))):
        return  # not on Linux: there the launch alone guards them
    for name in environment.OF_LAUNCH:
        os.environ.pop(name, None)
        if name.encode() in given:
            os.environb[name.encode()] = given[name.encode()]


def tells_start(environ: "Mapping[str, str]") -> bool:
    """Whether the system tells how the claude around us was started."""
    return bool(_environ_of(pid_in(environ)))


def sessions(environ: "Mapping[str, str]") -> list[str]:
    """The names of the session around us: that of ccc's launch, then claude's own.

    They differ after /clear, and where an earlier session was resumed.
    """
    names = (own_session(environ), environ.get(_CURRENT, ""))
    return list(dict.fromkeys(filter(None, names)))


def sessions_of_stop(environ: "Mapping[str, str]") -> list[str]:
    """The same for a stop; what is run by hand means the one session that it names."""
    if is_hook(environ):
        return sessions(environ)
    named = environ.get(environment.SESSION) or environ.get(_CURRENT)
    return [named] if named else []


def own_session(environ: "Mapping[str, str]") -> str:
    """CCC_SUPERVISOR_ID, unless the claude around us only inherited it.

    Claude's background service keeps the environment of the session that started it, and a claude
    that an agent starts inherits it too. Neither is the claude that ccc became.
    """
    session = environ.get(environment.SESSION, "")
    launched = environ.get(environment.LAUNCHER, "")
    pid = pid_in(environ)
    foreign = session and pid and launched.isdigit() and not is_same(pid, int(launched))
    return "" if foreign else session


def pid_in(environ: "Mapping[str, str]") -> int:
    """The process of the claude around us; 0 where there is none."""
    pid = environ.get(_PID, "")
    return int(pid) if pid.isdigit() else 0


def is_same(pid: int, launched: int) -> bool:
    """Whether the process is the one that was launched, or runs in a wrapper that was.

    A claude below another one has the process of that one in the environment it was started with.
    """
    if pid == launched or launched <= 0 or program(launched):
        return pid == launched
    from ccc.system import processes  # not at the top: most stops ask nobody

    above = _environ_of(pid).get(_PID.encode(), b"")
    line = processes.ancestors(pid, launched)
    nested = above.isdigit() and int(above) in line
    own = processes.program(pid)
    runs_again = any(processes.program(other) == own for other in line)
    return launched in line and not nested and not runs_again


def was_launched(pid: int) -> bool:
    """Whether ccc became that claude, or its wrapper, by the environment it was started with.

    A process id alone proves little: another container has the same ones.
    """
    given = _environ_of(pid)
    launched = given.get(environment.LAUNCHER.encode(), b"")
    return not given or (launched.isdigit() and is_same(pid, int(launched)))


def is_agent_of_run(environ: "Mapping[str, str]") -> bool:
    """Whether a `ccc run` has the claude around us, and judges its stops itself."""
    launched = environ.get(environment.LAUNCHER, "")
    named = environment.SESSION in environ
    return not named and launched.isdigit() and is_same(pid_in(environ), int(launched))


def program(pid: int) -> str:
    """The claude that a process runs; nothing where that can't be told, as with node."""
    from ccc.system import processes

    path = processes.program(pid)
    named = "claude" in os.path.basename(path) or "/claude/" in path
    return path if named and os.access(path, os.X_OK) else ""


def arguments_of(pid: int) -> list[str]:
    """The arguments that a process was started with, where the system tells them."""
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return [os.fsdecode(word) for word in file.read().split(b"\0")[1:-1]]
    except OSError:
        return []


def _environ_of(pid: int) -> dict[bytes, bytes]:
    """The environment that a process was started with, where the system tells it."""
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            return dict(part.partition(b"=")[::2] for part in file.read().split(b"\0"))
    except OSError:
        return {}
