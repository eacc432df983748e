"""Texts of any size are kept or refused, and no state that can't be read hides a run."""

import json
from pathlib import Path

import pytest
from stops import Supervised
from unattended import BODY

from ccc.storage import session_files
from ccc.storage.paths import Paths

pytestmark = [pytest.mark.thorough, pytest.mark.usefixtures("outside")]

LONG = "Please write it. " + "很长的任务 long words " * 100_000


@pytest.fixture
def states(supervised: Supervised) -> Path:
    """A user whose only sessions are runs."""
    supervised.state_file.unlink()
    supervised.claude(BODY.format(agent='    result("Done.")'))
    return supervised.state_dir


@pytest.mark.journey
def test_a_long_task(supervised: Supervised, states: Path) -> None:
    """It is in the lists, the reviewer is told where it is, and its file is the session's."""
    project = supervised.project
    task = project.write("task.txt", LONG)
    project.run("run", "--file", str(task)).succeeded()
    (state,) = states.glob("supervisor-*.json")
    assert state.stat().st_size < 40_000
    (text,) = states.glob("supervisor-*-text-*.txt")
    assert (text.read_text(), text.stat().st_mode & 0o777) == (LONG.strip(), 0o600)
    (shown,) = json.loads(project.run("status", "--json").stdout)["sessions"]
    assert shown["request"].startswith("Please write it.")
    assert "Please write it." in project.run("show").succeeded().stdout
    review = supervised.notes("question")[-1]
    assert len(review) < 100_000
    assert "The whole of this request is in /" in review
    owned = session_files.find_files(Paths({"CLAUDE_CONFIG_DIR": str(project.claude_dir)}))
    assert str(text) in [file.path for file in owned if file.session]


def test_a_long_task_is_continued(supervised: Supervised, states: Path) -> None:
    """The whole task is there again."""
    project = supervised.project
    supervised.claude(BODY.format(agent='    result("", is_error=True, subtype="error")'))
    project.run("run", "--no-wait", stdin=LONG)
    supervised.claude(BODY.format(agent='    result("Done.")'))
    project.run("run", "--continue").succeeded()
    (state,) = states.glob("supervisor-*.json")
    assert json.loads(state.read_text())["run"]["outcome"] == "completed"
    assert LONG.strip() in supervised.notes("question")


def test_too_long(supervised: Supervised, states: Path) -> None:
    """What is refused costs nothing, also if its characters have several bytes."""
    for command in (("run", "-"), ("run", "do it"), ("queue", "add")):
        outcome = supervised.project.run(*command, stdin="长" * 1_500_000)
        assert "longer than 4 MB" in outcome.stderr
    assert supervised.notes("argv") == []


def test_a_state_that_can_not_be_read(supervised: Supervised, states: Path) -> None:
    """No older run is continued in its place; status and show say which file it is."""
    project = supervised.project
    supervised.claude(BODY.format(agent='    result("", is_error=True, subtype="error")'))
    project.run("run", "--no-wait", "older")
    (older,) = states.glob("supervisor-*.json")
    newer = states / "supervisor-newer.json"
    newer.write_text('{"run": {"task": "cut o')
    before = len(supervised.notes("argv"))
    outcome = project.run("run", "--continue")
    assert (outcome.code, len(supervised.notes("argv"))) == (1, before)
    for command in (["status"], ["show"], ["show", "newer"]):
        outcome = project.run(*command)
        assert str(newer) in outcome.stdout + outcome.stderr
        assert f"rm {newer}" in outcome.stdout + outcome.stderr
    assert json.loads(project.run("status", "--json").stdout)["unreadable"] == [str(newer)]
    newer.unlink()
    supervised.claude(BODY.format(agent='    result("Done.")'))
    project.run("run", "--continue").succeeded()
    assert json.loads(older.read_text())["run"]["outcome"] == "completed"
