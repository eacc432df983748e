"""`ccc doctor --try`: supervision is really enabled and disabled in claude's sandbox."""

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest

from harness import Bench, CccProject
from harness.programs import needs_sandbox

pytestmark = pytest.mark.real


def run_trial(project: CccProject) -> dict[str, dict[str, Any]]:
    """Run the probe and return its findings by name; it leaves no files."""
    with tempfile.TemporaryDirectory(dir="/tmp") as place:
        outcome = project.run("doctor", "--json", "--try", env={"TMPDIR": place})
        assert not list(Path(place).glob("ccc-*"))
    findings = json.loads(outcome.stdout)["findings"]
    return {each["name"]: each for each in findings if each["name"].startswith("sandbox.tried")}


def sandboxed(project: CccProject, **more: object) -> None:
    """Write the user's settings with the sandbox on."""
    sandbox = {"enabled": True, "allowUnsandboxedCommands": False}
    content = {"sandbox": {**sandbox, **more}}
    project.write(".claude/settings.json", json.dumps(content))


def test_in_a_launch(bench: Bench) -> None:
    """The probe passes in a launch without touching the user's files; without hooks it fails."""
    needs_sandbox()
    project = bench()
    sandboxed(project)
    (finding,) = run_trial(project).values()
    assert (finding["name"], finding["mark"]) == ("sandbox.tried", "ok")
    assert "/supervisoroff work" in finding["what"]
    assert not (project.claude_dir / "projects").exists()
    assert not project.model.requests  # type: ignore[union-attr]
    content = {**project.json(".claude/settings.json"), "disableAllHooks": True}
    project.write(".claude/settings.json", json.dumps(content))
    (finding,) = run_trial(project).values()
    assert finding["mark"] == "problem"
    assert "/supervisor fails" in finding["what"]
    assert "disableAllHooks" in finding["what"]
    assert "from another terminal" in finding["remedy"]


def test_in_a_plain_claude(bench: Bench) -> None:
    """In a plain claude the probe fails without the rule that it names, and passes with it."""
    needs_sandbox()
    project = bench()
    (project.claude_dir / "ccc.json").unlink()
    sandboxed(project)
    project.run("install").succeeded()
    (finding,) = run_trial(project).values()
    assert (finding["name"], finding["mark"]) == ("sandbox.tried.plain", "problem")
    assert "cannot write ~/.claude/ccc/lock" in finding["what"]
    rule = json.loads(finding["remedy"].partition('"excludedCommands": ')[2].removesuffix("}"))
    sandboxed(project, excludedCommands=rule)
    project.run("install").succeeded()
    (finding,) = run_trial(project).values()
    assert finding["mark"] == "ok", finding


def test_settings_of_the_project(bench: Bench) -> None:
    """The probe covers the sandbox of the project's settings, and is skipped without a sandbox."""
    needs_sandbox()
    project = bench()
    (finding,) = run_trial(project).values()
    assert "nothing to try" in finding["what"]
    own = project.directory / ".claude"
    own.mkdir()
    (own / "settings.local.json").write_text(json.dumps({"sandbox": {"enabled": True}}))
    (finding,) = run_trial(project).values()
    assert "/supervisoroff work" in finding["what"]
