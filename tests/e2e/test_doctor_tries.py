"""`ccc doctor --try`: an agent in claude's sandbox is really switched on and off."""

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest

from harness import Bench, CccProject
from harness.programs import needs_sandbox

pytestmark = pytest.mark.real


def tried(project: CccProject) -> dict[str, dict[str, Any]]:
    """What came of it, by name; nothing is left of it."""
    with tempfile.TemporaryDirectory(dir="/tmp") as place:
        outcome = project.run("doctor", "--json", "--try", env={"TMPDIR": place})
        assert not list(Path(place).glob("ccc-*"))
    found = json.loads(outcome.stdout)["findings"]
    return {each["name"]: each for each in found if each["name"].startswith("sandbox.tried")}


def sandboxed(project: CccProject, **more: object) -> None:
    """Settings of the user's with the sandbox on."""
    sandbox = {"enabled": True, "allowUnsandboxedCommands": False}
    content = {"sandbox": {**sandbox, **more}}
    project.write(".claude/settings.json", json.dumps(content))


def test_in_a_launch(bench: Bench) -> None:
    """It works there, and nothing of the user's is touched; without hooks it fails and says so."""
    needs_sandbox()
    project = bench()
    sandboxed(project)
    (found,) = tried(project).values()
    assert (found["name"], found["mark"]) == ("sandbox.tried", "ok")
    assert "/supervisoroff work" in found["what"]
    assert not (project.claude_dir / "projects").exists()
    assert not project.model.requests  # type: ignore[union-attr]
    content = {**project.json(".claude/settings.json"), "disableAllHooks": True}
    project.write(".claude/settings.json", json.dumps(content))
    (found,) = tried(project).values()
    assert found["mark"] == "problem"
    assert "/supervisor fails" in found["what"]
    assert "disableAllHooks" in found["what"]
    assert "from another terminal" in found["remedy"]


def test_in_a_plain_claude(bench: Bench) -> None:
    """Without the rule that is named it fails there, with it it works."""
    needs_sandbox()
    project = bench()
    (project.claude_dir / "ccc.json").unlink()
    sandboxed(project)
    project.run("install").succeeded()
    (found,) = tried(project).values()
    assert (found["name"], found["mark"]) == ("sandbox.tried.plain", "problem")
    assert "cannot write ~/.claude/ccc/lock" in found["what"]
    rule = json.loads(found["remedy"].partition('"excludedCommands": ')[2].removesuffix("}"))
    sandboxed(project, excludedCommands=rule)
    project.run("install").succeeded()
    (found,) = tried(project).values()
    assert found["mark"] == "ok", found


def test_settings_of_the_project(bench: Bench) -> None:
    """The sandbox of a project's file is tried too, and none is where none is on."""
    needs_sandbox()
    project = bench()
    (found,) = tried(project).values()
    assert "nothing to try" in found["what"]
    own = project.directory / ".claude"
    own.mkdir()
    (own / "settings.local.json").write_text(json.dumps({"sandbox": {"enabled": True}}))
    (found,) = tried(project).values()
    assert "/supervisoroff work" in found["what"]
