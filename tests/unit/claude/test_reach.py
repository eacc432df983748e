"""How far settings let claude write beyond the project."""

import pytest

from ccc.claude.formats import reach


@pytest.mark.parametrize(
    ("rule", "place"),
    [
        ("Edit(//srv/data/**)", ["/srv/data"]),
        ("Write(//srv/*.txt)", ["/srv"]),
        ("MultiEdit(//srv/a.txt)", ["/srv/a.txt"]),
        ("Edit(~/notes/**)", ["~/notes"]),
        ("Edit(../lib/**)", ["../lib"]),
        ("Edit(**)", []),
        ("Edit(//**)", ["/"]),
        ("Edit", []),
        ("Read(//srv/**)", []),
        ("Bash(cp //srv/a:*)", []),
    ],
)
def test_rules(rule: str, place: list[str]) -> None:
    """What a rule lets claude edit, its sandbox lets commands write."""
    assert reach.directories({"permissions": {"allow": [rule]}}) == place


def test_directories() -> None:
    """Added ones, and those that the sandbox may write to."""
    permissions = {"additionalDirectories": ["../a", 7], "allow": "Edit(//b/**)"}
    sandbox = {"filesystem": {"allowWrite": ["/c", "//d/**", "~/e", None]}}
    found = reach.directories({"permissions": permissions, "sandbox": sandbox})
    assert found == ["../a", "/c", "/d", "~/e"]
    assert reach.directories({"permissions": [], "sandbox": {"filesystem": 1}}) == []


def test_commands() -> None:
    """Those that leave the sandbox."""
    assert reach.leaves_sandbox({"sandbox": {"excludedCommands": ["docker *"]}})
    for sandbox in ({}, {"excludedCommands": []}, {"excludedCommands": "docker *"}, None):
        assert not reach.leaves_sandbox({"sandbox": sandbox})
