"""The three directories, found with os alone: the hook's fast stage needs no more."""

import os

from ccc.errors import CccError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def of_claude(environ: "Mapping[str, str]") -> str:
    """Where claude keeps its settings and commands."""
    return _absolute(environ.get("CLAUDE_CONFIG_DIR") or os.path.join("~", ".claude"))


def of_config(environ: "Mapping[str, str]") -> str:
    """Where ccc.json is."""
    own = environ.get("CCC_CONFIG_DIR")
    return _absolute(own) if own else of_claude(environ)


def of_state(environ: "Mapping[str, str]") -> str:
    """Where state and logs are."""
    work = environ.get("CCC_WORK_DIR")
    return os.path.join(_absolute(work) if work else of_config(environ), "ccc")


def _absolute(path: str) -> str:
    found = os.path.expanduser(path)
    if found.startswith("~"):
        # nobody's home is known: it would become a directory of that name
        raise CccError("home.unknown", hint="home.hint", path=path)
    return os.path.abspath(found)
