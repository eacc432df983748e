"""Find the claude to run: the one on PATH (never ccc itself), CCC_CLAUDE, or the bundled one."""

import os
import sys
from collections.abc import Iterator, Mapping

from msgspec import Struct

from ccc.claude.capabilities import OLDEST, is_too_old, version_number
from ccc.errors import CccError
from ccc.storage import files
from ccc.text import lenient_json

_SHARE_KEY = os.path.join(os.path.dirname(os.path.dirname(__file__)), "share_key.sh")
_BUNDLED = os.path.join("claude_agent_sdk", "_bundled", "claude")


class Found(Struct, frozen=True):
    """The claude to run."""

    path: str
    rule: str  # `PATH`, `CCC_CLAUDE` or `bundled`
    too_old: tuple[str, str] = ("", "")
    """The claude on PATH that ccc passed over, and its version; empty if there was none."""


def find(environ: Mapping[str, str], ourselves: str) -> Found:
    """Find the claude to run: not ccc itself, and none that is known to be too old."""
    own, too_old = os.path.realpath(ourselves), ("", "")
    for candidate in _on_path(environ):
        if _runs(candidate) and os.path.realpath(candidate) != own:
            version = version_of(candidate)
            if not is_too_old(version):
                return Found(candidate, "PATH")
            too_old = too_old if too_old[0] else (candidate, version)
    if named := environ.get("CCC_CLAUDE"):
        named = os.path.abspath(os.path.expanduser(named))
        if _runs(named) and os.path.realpath(named) != own:
            _refuse_old(named, version_of(named))
            return Found(named, "CCC_CLAUDE", too_old)
        raise CccError("claude.named_missing", hint="claude.missing", file=named)
    for candidate in bundled():
        if _runs(candidate):
            return Found(candidate, "bundled", too_old)
    _refuse_old(*too_old)
    raise CccError("claude.missing")


def _refuse_old(path: str, version: str) -> None:
    if is_too_old(version):
        raise CccError("claude.too_old", file=path, version=version, oldest=OLDEST)


def share_key_script() -> str:
    """Return the program that runs a command with the provider's key; empty if it can't run."""
    return _SHARE_KEY if os.access(_SHARE_KEY, os.X_OK) else ""


def is_given(line: list[str]) -> bool:
    """Return whether the arguments are those of a front end's wrapper: claude comes first."""
    first = line[0] if line else ""
    is_claude = os.path.isabs(first) and os.path.basename(first).startswith("claude")
    return is_claude and _runs(first)


def _on_path(environ: Mapping[str, str]) -> Iterator[str]:
    for directory in environ.get("PATH", "").split(os.pathsep):
        # a relative entry would let the project directory choose the program
        if os.path.isabs(directory):
            yield os.path.join(directory, "claude")


def bundled() -> Iterator[str]:
    """Yield where claude-agent-sdk may have its claude, without importing it (0.9 s)."""
    for directory in sys.path:
        if os.path.isabs(directory):
            yield os.path.join(directory, _BUNDLED)


def without_updates(path: str) -> dict[str, str]:
    """Return variables for the bundled claude, which can't update itself: pip installed it."""
    return {"DISABLE_AUTOUPDATER": "1"} if path.endswith(os.sep + _BUNDLED) else {}


def is_on_path(environ: Mapping[str, str]) -> bool:
    """Return whether the user can run `claude` from PATH."""
    return any(map(_runs, _on_path(environ)))


def _runs(path: str) -> bool:
    return os.path.isfile(path) and os.access(path, os.X_OK)


def version_of(program: str) -> str:
    """Return the version of a claude as its path tells it; "" if it doesn't.

    A script that starts another claude has no version, since it may change what claude does.
    """
    real = os.path.realpath(program)
    return next(filter(version_number, _versions(real)), "")


def _versions(real: str) -> Iterator[str]:
    directory, name = os.path.split(real)
    yield name  # claude/versions/2.1.325
    if name == "claude":
        yield os.path.basename(directory)  # Caskroom/claude-code/2.1.325/claude
    for package in (directory, os.path.dirname(directory)):
        yield _npm_version(os.path.join(package, "package.json"))
    if os.path.basename(directory) == "_bundled":
        yield _sdk_version(os.path.join(os.path.dirname(directory), "_cli_version.py"))


def _npm_version(file: str) -> str:
    raw = lenient_json.parse_object(files.read_or_none(file) or "")
    is_claude = lenient_json.text(raw, "name").startswith("@anthropic-ai/claude-code")
    return lenient_json.text(raw, "version") if is_claude else ""


def _sdk_version(file: str) -> str:
    """Return the version that claude-agent-sdk says it bundles."""
    _, _, value = (files.read_or_none(file) or "").partition("__cli_version__ = ")
    return value.strip().strip("\"'")
