"""Find the claude to run: the one on PATH (never ccc itself), CCC_CLAUDE, or the bundled one."""

import os
import sys

from ccc.errors import CccError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_SHARE_KEY = os.path.join(os.path.dirname(os.path.dirname(__file__)), "share_key.sh")
_BUNDLED = os.path.join("claude_agent_sdk", "_bundled", "claude")


def find(environ: "Mapping[str, str]", ourselves: str) -> str:
    """Return the absolute path of the claude to run."""
    return find_by_rule(environ, ourselves)[0]


def find_by_rule(environ: "Mapping[str, str]", ourselves: str) -> tuple[str, str]:
    """Return the absolute path of the claude to run, and the rule that found it."""
    own = os.path.realpath(ourselves)
    for candidate in _on_path(environ):
        if _runs(candidate) and os.path.realpath(candidate) != own:
            return candidate, "PATH"
    if named := environ.get("CCC_CLAUDE"):
        named = os.path.abspath(os.path.expanduser(named))
        if _runs(named) and os.path.realpath(named) != own:
            return named, "CCC_CLAUDE"
        raise CccError("claude.named_missing", hint="claude.install", file=named)
    for candidate in bundled():
        if _runs(candidate):
            return candidate, "bundled"
    raise CccError("claude.missing", hint="claude.install")


def share_key_script() -> str:
    """Return the program that runs a command with the provider's key; empty if it can't run."""
    return _SHARE_KEY if os.access(_SHARE_KEY, os.X_OK) else ""


def is_given(line: list[str]) -> bool:
    """Whether the arguments begin with the claude to run, as a front end's wrapper gets them."""
    first = line[0] if line else ""
    is_claude = os.path.isabs(first) and os.path.basename(first).startswith("claude")
    return is_claude and _runs(first)


def _on_path(environ: "Mapping[str, str]") -> "Iterator[str]":
    for directory in environ.get("PATH", "").split(os.pathsep):
        # a relative entry would let the project directory choose the program
        if os.path.isabs(directory):
            yield os.path.join(directory, "claude")


def bundled() -> "Iterator[str]":
    """Yield where claude-agent-sdk may have its claude, without importing it (0.9 s)."""
    for directory in sys.path:
        if os.path.isabs(directory):
            yield os.path.join(directory, _BUNDLED)


def without_updates(path: str) -> dict[str, str]:
    """Variables for the bundled claude, which can't update itself because pip installed it."""
    return {"DISABLE_AUTOUPDATER": "1"} if path.endswith(os.sep + _BUNDLED) else {}


def is_on_path(environ: "Mapping[str, str]") -> bool:
    """Whether the user can run `claude` from PATH."""
    return any(map(_runs, _on_path(environ)))


def _runs(path: str) -> bool:
    return os.path.isfile(path) and os.access(path, os.X_OK)
