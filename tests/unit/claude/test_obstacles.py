"""Options and variables that take away what supervision needs."""

import pytest

from ccc.claude.formats import obstacles
from ccc.claude.formats.obstacles import COMMAND, HOOKS, RECORD, Obstacle


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("-p hi", []),
        ("--bare", [Obstacle("--bare", HOOKS)]),
        ("-p --no-session-persistence", [Obstacle("--no-session-persistence", RECORD)]),
        ("--setting-sources user,project", []),
        ("--setting-sources project", [Obstacle("--setting-sources", COMMAND)]),
        ("--setting-sources=", [Obstacle("--setting-sources", COMMAND)]),
        ("--tools default", []),
        ("--tools Read,Bash", []),
        ("--tools Read Edit", [Obstacle("--tools", COMMAND)]),
        ("--disallowedTools Bash(rm:*)", []),
        ("--disallowed-tools Edit,Bash", [Obstacle("--disallowed-tools", COMMAND)]),
    ],
)
def test_options(line: str, found: list[Obstacle]) -> None:
    """An option counts by its name, or by its value."""
    assert obstacles.find(line.split(), {}) == found


@pytest.mark.parametrize("value", ["1", "true", "Yes", "on"])
def test_variables(value: str) -> None:
    """A variable counts if claude takes its value for true."""
    name = "CLAUDE_CODE_SAFE_MODE"
    assert obstacles.find([], {name: value}) == [Obstacle(name, HOOKS)]
    assert obstacles.find([], {name: "0"}) == obstacles.find([], {name: ""}) == []
