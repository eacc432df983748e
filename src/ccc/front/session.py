"""Which session the claude is in that runs this process, and whether it may be supervised.

ccc's and claude's files are read with the interpreter's own JSON scanner.
"""

import os
from _json import make_scanner

MOST_BYTES = 64 * 1024 * 1024
NAMED, LAUNCHER, CURRENT = "CCC_SUPERVISOR_ID", "CCC_LAUNCHER_PID", "CLAUDE_CODE_SESSION_ID"
_OF_LAUNCH = (NAMED, LAUNCHER, "CCC_CONFIG_DIR", "CCC_WORK_DIR")
_NO_WORK = {"--announce", "--asks", "--failed"}


class _Rules:
    """How the scanner makes values: as `json.loads` does."""

    strict = True
    object_hook = object_pairs_hook = array_hook = None
    parse_float = parse_constant = float
    parse_int = int


_scan = make_scanner(_Rules)  # type: ignore[arg-type]


def parse(data: bytes) -> dict[str, object]:
    """Return the JSON object in the data, or an empty one for anything else."""
    try:
        text = data.decode("utf-8", "surrogatepass").strip(" \t\n\r")
        value, end = _scan(text, 0)
    except (ValueError, RecursionError, StopIteration, SystemError):  # the last: no json
        return {}
    return value if isinstance(value, dict) and end == len(text) else {}


def load(path: str) -> dict[str, object]:
    """Return the JSON object in a file, or an empty one; raise OSError if it can't be read."""
    # don't block if the file is a pipe
    file = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        return parse(os.read(file, min(os.fstat(file).st_size, MOST_BYTES)))
    finally:
        os.close(file)


def load_state(directory: str, session: str) -> dict[str, object] | None:
    """Return the state of a session as `load` does, or None if there is none."""
    is_id = 0 < len(session) <= 128 and session.isascii() and session[0] not in ".-"
    if not is_id or not all(c.isalnum() or c in "._-" for c in session):
        return None
    try:
        return load(os.path.join(directory, f"supervisor-{session}.json"))
    except FileNotFoundError:
        return None


def claude_directory(environ: dict[str, str]) -> str:
    """Return the directory of claude's settings."""
    return _absolute(environ.get("CLAUDE_CONFIG_DIR") or os.path.join("~", ".claude"))


def config_directory(environ: dict[str, str]) -> str:
    """Return the directory of ccc.json."""
    own = environ.get("CCC_CONFIG_DIR")
    return _absolute(own) if own else claude_directory(environ)


def state_directory(environ: dict[str, str]) -> str:
    """Return the directory of session states."""
    work = environ.get("CCC_WORK_DIR")
    return os.path.join(_absolute(work) if work else config_directory(environ), "ccc")


def _absolute(path: str) -> str:
    expanded = os.path.expanduser(path)
    if expanded.startswith("~"):
        raise OSError(f"no home directory: {path}")
    return os.path.abspath(expanded)


def is_idle(line: list[str]) -> bool:
    """Return whether the hook has nothing to do; False if only `commands.hook` can tell."""
    try:
        return set(line) <= _NO_WORK and _is_idle(dict(os.environ))
    except Exception:  # such as a deleted working directory
        return False


def _is_idle(environ: dict[str, str]) -> bool:
    name, is_on_record = environ.get(NAMED) or environ.get(CURRENT, ""), True
    if "CLAUDE_PROJECT_DIR" in environ:  # claude runs it, not the user
        environ = with_launch(environ)
        name, is_on_record = find(environ, state_directory(environ))
    if not name or not is_on_record:
        return False  # another client, whose event has the session, or another conversation
    state = load_state(state_directory(environ), name)
    if state is None:
        return True
    # the full hook finds out who switched it off
    return bool(state) and state.get("enabled", False) is False and not state.get("off_from_below")


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
    state = load_state(directory, launch) or {}
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
