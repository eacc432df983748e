"""`ccc supervisor-hook`: claude's Stop hook. Exit code 0, whatever happens.

The hook stands in the user's own settings, so every claude runs it at every stop: this stage
looks with `os` alone whether there is anything to supervise.
"""

import os

from ccc.domain import seal
from ccc.domain.names import is_session_id
from ccc.storage import directories, quick


def main(line: list[str]) -> int:
    """Say nothing where nothing is supervised; else hand over to the supervised stop."""
    try:
        return _main(line)
    except Exception:  # the working directory is gone, a process id is none
        return 0


def _main(line: list[str]) -> int:
    _be_as_launched()
    session = os.environ.get("CCC_SUPERVISOR_ID", "")
    if "--plugin" in line:
        # a session of ccc's has the hook in its settings; the plugin is for all others
        session = "" if session else os.environ.get("CLAUDE_CODE_SESSION_ID", "")
    if not is_session_id(session):
        return 0
    options = _options(line)
    state_dir = options.get("--state-dir") or directories.of_state(os.environ)
    try:
        # a pipe in its place must not hold us up
        path = os.path.join(state_dir, f"supervisor-{session}.json")
        with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
            if _is_off(file.read()):
                return 0
    except FileNotFoundError:
        if not os.environ.get("CCC_SUPERVISED"):
            return 0
    except OSError:
        pass  # it is there and can't be read: that is worth a word
    from ccc.commands import stop

    return stop.supervise(session, os.path.abspath(state_dir), options.get("--settings", ""))


def _be_as_launched() -> None:
    """Take our variables from the claude that ccc became: `env` of a project's settings is later.

    Where there is no /proc they are what the launch could guard.
    """
    pid = os.getppid()
    for _ in range(4):  # a shell, claude, and what may stand between it and us
        try:
            with open(f"/proc/{pid}/environ", "rb") as file:
                env = file.read().split(b"\0")
            with open(f"/proc/{pid}/stat", "rb") as file:
                above = int(file.read().rpartition(b")")[2].split()[1])
        except (OSError, ValueError, IndexError):
            return
        if b"CCC_LAUNCHER_PID=%d" % pid in env:
            from ccc.domain.environment import OF_SUPERVISION

            given = dict(part.partition(b"=")[::2] for part in env)
            for name in OF_SUPERVISION:
                os.environ.pop(name, None)
                if name.encode() in given:
                    os.environb[name.encode()] = given[name.encode()]
            return
        pid = above


def _is_off(text: bytes) -> bool:
    """Whether this stop surely is not supervised; a corrupt state is for the next stage."""
    state = quick.object_in(text)
    if not state:
        return False
    if not seal.is_whole(text):
        return False
    if state.get("enabled", False) is False:
        # who switched it off without a terminal is yet to be found out
        return state.get("unconfirmed") is not True and state.get("meddled") is not True
    return _is_child_of(state.get("pid"))


def _is_child_of(owner: object) -> bool:
    """Whether the claude that stops was started from inside the supervised one.

    ccc became the supervised claude, so their process ids are the same. A claude below that
    one is a tool of its, and not the work that is reviewed.
    """
    stops = os.environ.get("CLAUDE_PID", "")
    if not isinstance(owner, int) or owner <= 0 or not stops.isdigit() or int(stops) == owner:
        return False
    from ccc.claude import processes

    return processes.stands_below(int(stops), owner)


def _options(line: list[str]) -> dict[str, str]:
    """`--name value` and `--name=value`; never through argparse, whose exit code 2 would block."""
    found: dict[str, str] = {}
    for position, word in enumerate(line):
        name, equals, value = word.partition("=")
        if name in ("--settings", "--state-dir"):
            found[name] = value if equals else "".join(line[position + 1 : position + 2])
    return found
