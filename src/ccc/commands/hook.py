"""`ccc supervisor-hook`: claude's Stop hook. Exit code 0, whatever happens.

The hook stands in the user's own settings, so every claude runs it at every stop: this stage
looks with `os` alone whether there is anything to supervise.
"""

import os

from ccc.domain.names import is_session_id
from ccc.storage import directories


def main(line: list[str]) -> int:
    """Say nothing where nothing is supervised; else hand over to the supervised stop."""
    session = os.environ.get("CCC_SUPERVISOR_ID", "")
    if not is_session_id(session):
        return 0
    options = _options(line)
    state_dir = options.get("--state-dir") or directories.of_state(os.environ)
    try:
        with open(os.path.join(state_dir, f"supervisor-{session}.json"), "rb") as file:
            if _is_off(file.read()):
                return 0
    except FileNotFoundError:
        return 0
    except OSError:
        pass  # it is there and can't be read: that is worth a word
    from ccc.commands import stop

    return stop.supervise(session, os.path.abspath(state_dir), options.get("--settings", ""))


def _is_off(text: bytes) -> bool:
    """Whether the state surely says off; a corrupt one is for the next stage."""
    import json

    try:
        state = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(state, dict) and state.get("enabled", False) is False


def _options(line: list[str]) -> dict[str, str]:
    """`--name value` and `--name=value`; never through argparse, whose exit code 2 would block."""
    found: dict[str, str] = {}
    for position, word in enumerate(line):
        name, equals, value = word.partition("=")
        if name in ("--settings", "--state-dir"):
            found[name] = value if equals else "".join(line[position + 1 : position + 2])
    return found
