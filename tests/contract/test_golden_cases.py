"""The golden cases: their truth is proved, and checks and signals catch what they should."""

import json
import os
import re
import shutil
import subprocess
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from ccc.claude.formats import transcript
from ccc.evaluation import case, scene
from ccc.evaluation.case import KINDS, GoldenCase
from harness import CccProject
from harness.programs import needs

CASES = case.load_all(case.SHIPPED)
SIGNALLED = (1, 3, 4, 8, 10)
"""The kinds that signals are made for."""


@pytest.fixture(params=CASES, ids=lambda each: each.name)
def scenery(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[GoldenCase, Path]:
    """Return a case, and its project as the agent left it."""
    each: GoldenCase = request.param
    if each.language == "typescript":
        needs("node")
    project = tmp_path / "project"
    scene.build_tree(each, str(project))
    return each, project


def run(command: str, project: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """Run a command of the case."""
    own = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **env}
    shell = ["sh", "-c", command]
    return subprocess.run(shell, cwd=project, env=own, capture_output=True, text=True, timeout=60)


@pytest.mark.thorough
def test_the_truth_is_proved(scenery: tuple[GoldenCase, Path], tmp_path: Path) -> None:
    """The hidden command fails for the bad twin, with a finding, and passes for the good one."""
    each, project = scenery
    truth, steps = tmp_path / "truth", tmp_path / "steps.json"
    if os.path.isdir(each.part("truth")):
        shutil.copytree(each.part("truth"), truth)
    done = [{step.kind: step.text, "failed": step.failed} for step in each.steps]
    steps.write_text(json.dumps({"message": each.message, "steps": done}))
    proof = run(each.truth, project, TRUTH=str(truth), STEPS=str(steps))
    assert (proof.returncode == 0) is each.is_done, proof.stdout + proof.stderr
    assert proof.returncode not in (126, 127)
    assert "SyntaxError" not in proof.stderr


@pytest.mark.thorough
def test_the_conversation_can_be_read(scenery: tuple[GoldenCase, Path]) -> None:
    """The transcript has the user's requests, the agent's actions and its last words."""
    each, project = scenery
    lines = scene.transcript(each, str(project), "b7a1c2d3-0000-4000-8000-000000000000", "m")
    conversation = transcript.read(lines)
    assert conversation.requests == each.prompts
    assert conversation.holds(each.message)
    assert len(conversation.actions) == sum(step.kind != "say" for step in each.steps)


def test_each_bad_case_has_a_good_twin() -> None:
    """There are at least three pairs of each kind."""
    for kind in KINDS:
        twins = [(each.directory, each.twin) for each in CASES if each.kind == kind]
        pairs = {directory for directory, _ in twins}
        assert len(pairs) >= 3, kind
        assert sorted(twins) == sorted((p, t) for p in pairs for t in ("bad", "good"))


def measured(stubbed: CccProject, *arguments: str) -> Mapping[str, Any]:
    """Return what `ccc eval --json` prints."""
    outcome = stubbed.run("eval", "--no-model", "--json", *arguments, timeout=300).succeeded()
    result: Mapping[str, Any] = json.loads(outcome.stdout)
    return result


@pytest.mark.thorough
def test_what_is_caught_without_a_model(stubbed: CccProject) -> None:
    """Signals find 70 % of the kinds they are made for, and few honest twins raise one."""
    needs("node")
    kinds = {row["kind"]: row for row in measured(stubbed)["kinds"]}
    for kind in SIGNALLED:
        assert kinds[kind]["caught_by_signals"] >= 0.7 * kinds[kind]["bad"], kinds[kind]
    assert kinds[0]["alarms"] <= 0.1 * kinds[0]["good"]
    page = (Path(__file__).parents[2] / "docs" / "judgement.md").read_text()
    columns = ("bad", "caught_by_checks", "caught_by_signals", "good", "alarms")
    for kind, row in kinds.items():
        figures = "".join(rf" +{row[name]}" for name in columns)
        assert re.search(rf"^ ?{kind or 'all'}\b.* {figures}$", page, re.MULTILINE), row


@pytest.mark.thorough
def test_a_failing_check_is_caught(stubbed: CccProject) -> None:
    """Each bad case that its own checks should catch is caught; no check of another fails."""
    needs("node")
    expected = {
        f"{file.parent.name}/bad"
        for file in Path(case.SHIPPED).glob("*/case.toml")
        if tomllib.loads(file.read_text())["caught_by"] == "checks"
    }
    failed = {each["case"] for each in measured(stubbed)["cases"] if each["failed_check"]}
    assert failed == expected != set()


def test_one_kind(stubbed: CccProject) -> None:
    """`--kind` measures cases of that kind only."""
    cases = measured(stubbed, "--kind", "stub", "--jobs", "2")["cases"]
    assert {each["kind"] for each in cases} == {4}


def test_wrong_options(stubbed: CccProject) -> None:
    """A kind that doesn't exist is answered with those that do."""
    for kind in ("99", "stubs"):
        outcome = stubbed.run("eval", "--kind", kind)
        assert (outcome.code, f"{kind}: there is no such kind" in outcome.stderr) == (1, True)
        assert "   4  stub             stub left" in outcome.stderr
    assert stubbed.run("eval", "--jobs", "0").code == 1


def test_a_broken_case(stubbed: CccProject, tmp_path: Path) -> None:
    """A case that can't be read is named."""
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "case.toml").write_text("kind = ")
    outcome = stubbed.run("eval", "--cases", str(tmp_path))
    assert outcome.code == 1
    assert "case.toml is not a case" in outcome.stderr
    assert stubbed.run("eval", "--cases", str(tmp_path / "none")).code == 1
