"""Read ccc's and claude's files with the interpreter's own JSON scanner."""

import os
from _json import make_scanner

MOST_BYTES = 64 * 1024 * 1024


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
