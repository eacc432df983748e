"""Options and variables that take away what supervision needs."""

import pytest

from ccc.claude.formats import obstacles
from ccc.claude.formats.obstacles import COMMAND, HOOKS, RECORD


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("-p hi", {}),
        ("--bare", {"--bare": HOOKS}),
        ("-p --no-session-persistence", {"--no-session-persistence": RECORD}),
        ("--setting-sources user,project", {}),
        ("--setting-sources project", {"--setting-sources": COMMAND}),
        ("--setting-sources=", {"--setting-sources": COMMAND}),
        ("--tools default", {}),
        ("--tools Read,Bash", {}),
        ("--tools Read Edit", {"--tools": COMMAND}),
        ("--disallowedTools Bash(rm:*)", {}),
        ("--disallowed-tools Edit,Bash", {"--disallowed-tools": COMMAND}),
    ],
)
def test_options(line: str, found: dict[str, str]) -> None:
    """An option counts by its name, or by its value."""
    assert obstacles.find(line.split(), {}) == found


@pytest.mark.parametrize("value", ["1", "true", "Yes", "on"])
def test_variables(value: str) -> None:
    """A variable counts if claude takes its value for true."""
    name = "CLAUDE_CODE_SAFE_MODE"
    assert obstacles.find([], {name: value}) == {name: HOOKS}
    assert obstacles.find([], {name: "0"}) == obstacles.find([], {name: ""}) == {}
