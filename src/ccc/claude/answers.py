"""Find what is known about a claude: a stored test, else what is known about its version."""

import os

from ccc.claude.capabilities import (
    Answers,
    answers_for,
    cautious_answers,
    complete_since,
    measured_versions,
    version_number,
)
from ccc.storage import clients, files
from ccc.text import json_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ccc.storage.paths import Paths

KNOWN_VERSIONS = os.path.join(os.path.dirname(__file__), "known_versions.json")
SELFTEST = "CCC_SELFTEST"
"""The variable that turns off the test beside a launch (`off`), or is set by a test (`running`)."""
_SECONDS = 20.0


def find(paths: "Paths", program: str) -> Answers | None:
    """Return the answers about a claude without running it; None if there are none."""
    if os.environ.get(SELFTEST) == "running":
        return None  # a test needs to see what claude does by itself
    return clients.load(paths, program) or of_version(version_of(program))


def find_cautiously(paths: "Paths", program: str, environ: "Mapping[str, str]") -> Answers | None:
    """Return the answers about a claude; if there are none, run it for its version."""
    if (known := find(paths, program)) or environ.get(SELFTEST) == "running":
        return known
    from ccc.system import capture  # not at the top: hardly any launch needs it

    printed = capture.output_of([program, "--version"], "/", environ, _SECONDS) or b""
    return cautious_answers(printed.decode(errors="replace"), _measured())


def of_version(version: str) -> Answers | None:
    """Return what ccc knows about a version of claude."""
    return answers_for(version, _measured()) if version_number(version) else None


def advice(known: Answers) -> tuple[str, dict[str, str]]:
    """Return the message that says which claude lacks nothing, and its parameters."""
    measured, number = _measured(), version_number(known.version)
    newest = max((version_number(each.version) for each in measured), default=())
    complete = complete_since(measured)
    if number > newest:
        return "client.use_other", {"version": complete}
    if number >= version_number(complete):
        return "client.changed", {"version": known.version}
    return "client.update", {"version": complete}


def _measured() -> list[Answers]:
    content = json_path.parse_object(files.read_or_none(KNOWN_VERSIONS) or "")
    return measured_versions(content, os.geteuid() == 0)


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
