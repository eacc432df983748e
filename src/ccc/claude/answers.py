"""Find what is known about a claude: a stored test, else what is known about its version."""

import os

from ccc.claude import client_version, clients
from ccc.claude.capabilities import (
    Answers,
    answers_for,
    complete_since,
    measured_versions,
    version_number,
)
from ccc.storage import files
from ccc.storage.paths import Paths
from ccc.text import lenient_json

KNOWN_VERSIONS = os.path.join(os.path.dirname(__file__), "known_versions.json")
SELFTEST = "CCC_SELFTEST"
"""The variable that turns off the test beside a launch (`off`), or is set by a test (`running`)."""


def find(paths: Paths, program: str) -> Answers | None:
    """Return the answers about a claude without running it; None if there are none."""
    if os.environ.get(SELFTEST) == "running":
        return None  # a test needs to see what claude does by itself
    return clients.load(paths, program) or of_version(client_version.of_program(program))


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
    content = lenient_json.parse_object(files.read_or_none(KNOWN_VERSIONS) or "")
    return measured_versions(content, os.geteuid() == 0)
