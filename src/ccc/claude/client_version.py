"""The version of a claude as its path tells it, and the oldest one that ccc runs."""

import os
from collections.abc import Iterator

from ccc.claude.capabilities import version_number
from ccc.storage import files
from ccc.text import lenient_json

OLDEST = "2.1.223"


def is_too_old(version: str) -> bool:
    """Whether the version is known, and older than ccc supports."""
    return () < version_number(version) < version_number(OLDEST)


def of_program(program: str) -> str:
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
