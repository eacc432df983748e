"""The hook's first look: whether there is anything to supervise."""

import os

from ccc.front import files, session

_KNOWN = {"--announce", "--asks", "--failed"}


def is_idle(line: list[str]) -> bool:
    """Return whether the hook has nothing to do; False if only `commands.hook` can tell."""
    try:
        return set(line) <= _KNOWN and _is_idle(dict(os.environ))
    except Exception:  # such as a deleted working directory
        return False


def _is_idle(environ: dict[str, str]) -> bool:
    name, is_on_record = environ.get(session.NAMED) or environ.get(session.CURRENT, ""), True
    if "CLAUDE_PROJECT_DIR" in environ:  # claude runs it, not the user
        environ = session.with_launch(environ)
        name, is_on_record = session.find(environ, files.state_directory(environ))
    if not name or not is_on_record:
        return False  # another client, whose event has the session, or another conversation
    state = files.load_state(files.state_directory(environ), name)
    if state is None:
        return True
    # the full hook finds out who switched it off
    return bool(state) and state.get("enabled", False) is False and not state.get("off_from_below")
