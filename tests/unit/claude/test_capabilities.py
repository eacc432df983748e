"""The answers about a version of claude."""

import json
import os
from pathlib import Path

import pytest

from ccc import words
from ccc.claude import binary, known_claudes
from ccc.claude.capabilities import (
    CAPABILITIES,
    Answers,
    answers_for,
    complete_since,
)

MEASURED = (
    Answers("2.1.63", {"reviewer_bash", "print_cache"}),
    Answers("2.1.222", {"reviewer_bash", "print_cache"}),
    Answers("2.1.223", {"print_cache"}),
    Answers("2.1.325"),
)


@pytest.mark.parametrize(
    ("version", "missing"),
    [
        ("2.1.63", {"reviewer_bash", "print_cache"}),
        ("2.1.100", {"reviewer_bash", "print_cache"}),
        ("2.1.222", {"reviewer_bash", "print_cache"}),
        ("2.1.223", {"print_cache"}),
        ("2.1.325 (Claude Code)", set()),
        # between two that differ, older than all, newer than all, no version
        ("2.1.300", None),
        ("2.1.62", None),
        ("2.1.326", None),
        ("2.1", None),
        ("", None),
        ("2.1.3x", None),
    ],
)
def test_the_answers_for_a_version(version: str, missing: set[str] | None) -> None:
    """A version has the answers of its neighbours if these agree."""
    for order in (MEASURED, MEASURED[::-1]):
        found = answers_for(version, order)
        assert (found.missing if found.version else None) == missing


def test_what_was_not_tested_in_a_neighbour() -> None:
    """It is unknown in between."""
    measured = Answers("2.1.9", unknown={"fork"}), Answers("2.1.11", unknown={"prompt_id"})
    between = answers_for("2.1.10", measured)
    assert between.unknown == {"fork", "prompt_id"}


def test_the_version_to_update_to() -> None:
    """It is the first one since which nothing is missing."""
    assert complete_since(MEASURED) == "2.1.325"
    assert complete_since([*MEASURED, Answers("2.1.330")]) == "2.1.325"
    assert complete_since([*MEASURED, Answers("2.1.330", {"fork"})]) == ""
    assert complete_since([*MEASURED, Answers("2.1.330", {"fork"}), Answers("2.2.0")]) == "2.2.0"


@pytest.mark.parametrize(
    ("version", "message", "other"),
    [
        ("2.1.303", "client.update", "2.1.304"),
        ("2.1.304", "client.changed", "2.1.304"),
        ("2.1.310", "client.changed", "2.1.310"),
        ("99.0.0", "client.use_other", "2.1.304"),
        ("", "client.update", "2.1.304"),
    ],
)
def test_the_advice(version: str, message: str, other: str) -> None:
    """A version that has everything elsewhere doesn't need an update."""
    assert known_claudes.advise(Answers(version, {"fork"})) == words.say(message, version=other)


@pytest.mark.parametrize(("uid", "lacks"), [(0, True), (1000, False)])
def test_what_root_lacks(uid: int, lacks: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some versions lack a capability only if root runs them."""
    monkeypatch.setattr(os, "geteuid", lambda: uid)
    known = known_claudes.of_version("2.1.280")
    assert known.lacks("interactive_cache")
    assert known.lacks("reviewer_bash") is lacks


def test_only_known_names_are_asked_for() -> None:
    """Asking for a capability that isn't in the list is an error."""
    with pytest.raises(AssertionError):
        Answers("2.1.9").lacks("telepathy")


def test_the_versions_that_come_with_ccc() -> None:
    """The list names capabilities, in the order of the versions, and ends with a complete one."""
    content = json.loads(Path(known_claudes.KNOWN_VERSIONS).read_text())
    rows = content["versions"]
    named = {name for row in rows for key in ("missing", "as_root") for name in row.get(key, ())}
    assert named <= CAPABILITIES.keys()
    numbers = [tuple(map(int, row["version"].split("."))) for row in rows]
    assert numbers == sorted(set(numbers))
    assert rows[-1]["missing"] == []


@pytest.mark.parametrize(
    ("version", "name", "lacks"),
    [
        ("2.1.246", "print_cache", True),
        ("2.1.247", "print_cache", False),
        ("2.1.303", "interactive_cache", True),
        ("2.1.305", "interactive_cache", False),
    ],
)
def test_known_boundaries(version: str, name: str, lacks: bool) -> None:
    """What was measured about versions of claude."""
    known = known_claudes.of_version(version)
    assert known.lacks(name) is lacks


@pytest.mark.parametrize(
    ("file", "others"),
    [
        ("share/claude/versions/2.1.9", {}),
        ("Caskroom/claude-code/2.1.9/claude", {}),
        (
            "lib/node_modules/@anthropic-ai/claude-code/cli.js",
            {"package.json": '{"name": "@anthropic-ai/claude-code", "version": "2.1.9"}'},
        ),
        (
            "lib/node_modules/@anthropic-ai/claude-code/bin/claude.exe",
            {"../package.json": '{"name": "@anthropic-ai/claude-code", "version": "2.1.9"}'},
        ),
        (
            "claude_agent_sdk/_bundled/claude",
            {"../_cli_version.py": '"""A version."""\n\n__cli_version__ = "2.1.9"\n'},
        ),
    ],
)
def test_the_version_in_a_path(file: str, others: dict[str, str], tmp_path: Path) -> None:
    """The path of an installed claude, or a file beside it, tells its version."""
    program, link = tmp_path / file, tmp_path / "claude"
    program.parent.mkdir(parents=True)
    program.touch()
    for name, text in others.items():
        (program.parent / name).write_text(text)
    link.symlink_to(program)
    assert binary.version_of(str(program)) == "2.1.9"
    assert binary.version_of(str(link)) == "2.1.9"


@pytest.mark.parametrize("file", ["bin/claude", "node/20.1.0/bin/claude", "20.1.0/start"])
def test_a_path_without_a_version(file: str, tmp_path: Path) -> None:
    """A script has no version, nor has a file in somebody else's package."""
    program = tmp_path / file
    program.parent.mkdir(parents=True)
    program.touch()
    (program.parent / "package.json").write_text('{"name": "other", "version": "1.2.3"}')
    assert binary.version_of(str(program)) == ""
