"""Find what is known about a claude: a stored test, else what is known about its version."""

import os

from ccc.claude.capabilities import Answers, answers_for, measured_versions, version_number
from ccc.storage import clients, files
from ccc.text import json_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccc.storage.paths import Paths

KNOWN_VERSIONS = os.path.join(os.path.dirname(__file__), "known_versions.json")


def find(paths: "Paths", program: str) -> Answers | None:
    """Return the answers about a claude without running it; None if there are none."""
    return clients.load(paths, program) or of_version(version_of(program))


def of_version(version: str) -> Answers | None:
    """Return what ccc knows about a version of claude."""
    if not version_number(version):
        return None
    content = json_path.parse_object(files.read_or_none(KNOWN_VERSIONS) or "")
    return answers_for(version, measured_versions(content, os.geteuid() == 0))


def version_of(program: str) -> str:
    """Return the version of a claude as its path tells it; "" if it doesn't.

    A script that starts another claude has no version, since it may change what claude does.
    """
    real = os.path.realpath(program)
    return next(filter(version_number, _versions(real)), "")


def _versions(real: str) -> "Iterator[str]":
    directory, name = os.path.split(real)
    yield name  # claude/versions/2.1.325
    if name == "claude":
        yield os.path.basename(directory)  # Caskroom/claude-code/2.1.325/claude
    for package in (directory, os.path.dirname(directory)):
        yield _npm_version(os.path.join(package, "package.json"))
    if os.path.basename(directory) == "_bundled":
        yield _sdk_version(os.path.join(os.path.dirname(directory), "_cli_version.py"))


def _npm_version(file: str) -> str:
    raw = json_path.parse_object(files.read_or_none(file) or "")
    is_claude = json_path.text(raw, "name").startswith("@anthropic-ai/claude-code")
    return json_path.text(raw, "version") if is_claude else ""


def _sdk_version(file: str) -> str:
    """Return the version that claude-agent-sdk says it bundles."""
    _, _, value = (files.read_or_none(file) or "").partition("__cli_version__ = ")
    return value.strip().strip("\"'")
