"""The table of claude's tools, modes and events lists every tool and existing tests."""

import json
import re
from pathlib import Path

import pytest
from facts import STREAM, claude, lines

from harness import Bench, CccProject
from harness.processes import wait_until

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "security.md").read_text()
TABLE = PAGE.partition("## Claude's tools, modes and events")[2].partition("\n## ")[0]
ROWS = [line.strip("|").split("|") for line in TABLE.splitlines() if line.startswith("| ")][1:]
NAMED = re.compile(r"`([a-z0-9]+/test_\w+\.py)::(test_\w+)`")
TESTS = NAMED.findall(TABLE)
PROMISES = 6
PLACEHOLDER = "DeferredToolPlaceholder"
"""In a request, it represents the tools that ToolSearch finds."""


def test_every_tool_has_a_row() -> None:
    """The tools in the first column can be parsed."""
    assert {"Bash", "CronCreate", "Task", "EnterPlanMode"} <= tools_in_table()


def tools_in_table() -> set[str]:
    """Return the words of the first column."""
    return {word for row in ROWS for word in re.findall(r"\w+", row[0])}


@pytest.mark.real
@pytest.mark.journey
def test_every_tool_is_in_the_table(bench: Bench) -> None:
    """Each tool that the client lists at its start is in the table of docs/security.md."""
    project = bench()
    (first, *_) = lines(claude(project, *STREAM, "hi"))
    assert first["subtype"] == "init"
    new = set(first["tools"]) - tools_in_table()
    assert new == set(), "check what these tools can do, and add them to docs/security.md"


def deferred_tools(project: CccProject) -> set[str]:
    """Return the tools that the session's transcript names as added."""
    files = project.claude_dir.glob("projects/*/*.jsonl")
    entries = [json.loads(line) for file in files for line in file.read_text().splitlines()]
    added = (entry.get("attachment", {}).get("addedNames", ()) for entry in entries)
    return {name for names in added for name in names}


@pytest.mark.real
@pytest.mark.tmux
def test_every_interactive_tool_is_in_the_table(bench: Bench, tmux: None) -> None:
    """Each tool of an interactive session is in the table too."""
    project = bench()
    with project.interactive("kimi") as terminal:
        terminal.wait_for("❯")
        terminal.enter("hi")
        terminal.wait_for("Hello from the script")
        # claude writes its transcript a moment later
        wait_until(lambda: "EnterPlanMode" in deferred_tools(project), "the tools", 20)
    deferred = deferred_tools(project)
    offered = set(project.model.requests[-1].tools) - {PLACEHOLDER}
    new = (deferred | offered) - tools_in_table()
    assert new == set(), "check what these tools can do, and add them to docs/security.md"


def test_no_cell_is_empty() -> None:
    """A cell is one or more tests, *shown*, or a dash."""
    for row in ROWS:
        assert len(row) == PROMISES + 1, row
        assert all(re.fullmatch(r"[A-Z$]( [A-Z$])*|\*shown\*|–", c.strip()) for c in row[1:]), row


def test_every_letter_is_a_test_that_is_there() -> None:
    """Every test that a cell refers to is listed below the table."""
    used = {letter for row in ROWS for cell in row[1:] for letter in re.findall("[A-Z$]", cell)}
    letters = set(re.findall(r"^- ([A-Z$]) `", TABLE, re.MULTILINE))
    assert used == letters
    assert len(TESTS) >= len(letters)


def test_every_test_that_is_named_is_there() -> None:
    """Every test that the page names exists."""
    names = NAMED.findall(PAGE)
    assert len(names) > len(TESTS) > 0
    for file, name in names:
        assert f"def {name}(" in (ROOT / "tests" / file).read_text(), f"{file}::{name}"
