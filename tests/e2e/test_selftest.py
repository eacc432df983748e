"""`ccc doctor --deep`: what it says about the real claude, and about one that lacks something."""

import fcntl
import json
import os
import tempfile
from pathlib import Path
from typing import Any

import pytest

from ccc.claude import binary, known_claudes
from ccc.claude.capabilities import CAPABILITIES, REFUSE, Answers
from ccc.selftest.questions import INTERACTIVE
from ccc.storage.paths import Paths
from harness import Bench, CccProject, claude_binary
from harness.broken_claude import BREAKS, break_claude
from harness.processes import nothing_runs, wait_until
from harness.programs import needs_sandbox

pytestmark = pytest.mark.real


def run_test(project: CccProject, *options: str) -> tuple[int, dict[str, Any]]:
    """Run the self-test; it leaves no file and no process."""
    with tempfile.TemporaryDirectory(dir="/tmp") as place:
        outcome = project.run("doctor", "--deep", "--json", *options, env={"TMPDIR": place})
        assert not list(Path(place).iterdir()), outcome
    nothing_runs(project.home)
    return outcome.code, json.loads(outcome.stdout)


@pytest.mark.journey
def test_the_real_claude_has_everything(bench: Bench) -> None:
    """Each question is answered with yes, and the user's own files stay as they are."""
    needs_sandbox()
    project = bench()
    code, report = run_test(project, "--interactive")
    assert report["capabilities"] == dict.fromkeys(CAPABILITIES, True)
    assert (code, report["missing"], report["unknown"]) == (0, [], [])
    assert not (project.claude_dir / "projects").exists()
    (stored,) = (project.claude_dir / "ccc").glob("client-*.json")
    assert json.loads(stored.read_text())["missing"] == []


@pytest.mark.parametrize("capability", BREAKS)
def test_a_claude_that_lacks_one(bench: Bench, capability: str) -> None:
    """The self-test names exactly the capability that the wrapper breaks."""
    if capability == "reviewer_bash":
        needs_sandbox()
    project = bench()
    break_claude(project.bin, capability)
    options = ["--interactive"] if capability in INTERACTIVE else []
    code, report = run_test(project, *options)
    assert report["missing"] == [capability]
    assert code == (1 if CAPABILITIES[capability] == REFUSE else 0)


@pytest.mark.parametrize(("version", "missing"), [("", ["interactive_cache"]), ("2.1.300", [])])
def test_earlier_answers(bench: Bench, version: str, missing: list[str]) -> None:
    """What isn't tested now is taken from an earlier test, unless that had another version."""
    project = bench()
    paths, claude = Paths({"CLAUDE_CONFIG_DIR": str(project.claude_dir)}), project.bin / "claude"
    version = version or binary.version_of(str(claude_binary()))
    os.makedirs(paths.state_dir)
    known_claudes.save(paths, str(claude), Answers(version, {"interactive_cache"}))
    run_test(project)
    known = known_claudes.load(paths, str(claude))
    assert known is not None
    assert sorted(known.missing) == missing


def test_beside_a_launch(bench: Bench) -> None:
    """The quiet test prints nothing and stores its answers; a second one gives way to the first."""
    project = bench()
    state_dir = project.claude_dir / "ccc"
    state_dir.mkdir(mode=0o700)
    held = os.open(state_dir, os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)
    for number in (0, 1):
        outcome = project.run("doctor", "--deep", "--quiet")
        assert (outcome.code, outcome.stdout, outcome.stderr) == (0, "", ""), outcome
        assert len(list(state_dir.glob("client-*.json"))) == number
        if not number:
            busy = project.run("doctor", "--deep")
            assert (busy.code, "another test is running" in busy.stderr) == (1, True), busy
            os.close(held)


@pytest.mark.parametrize("is_front_ends", [False, True], ids=["on PATH", "of a front end"])
def test_a_launch_starts_it(bench: Bench, is_front_ends: bool) -> None:
    """A launch with an unknown claude doesn't wait for the test, whose answers come later."""
    project = bench()
    place = project.root / "extension" if is_front_ends else project.bin
    place.mkdir(exist_ok=True)
    break_claude(place, "key_hidden")
    line = (str(place / "claude"), "-p", "hi") if is_front_ends else ("kimi", "-p", "hi")
    project.run(*line, env={"CCC_SELFTEST": None}).succeeded()
    stored = project.claude_dir / "ccc"
    wait_until(lambda: list(stored.glob("client-*.json")), "the answers", timeout=120)
    (file,) = stored.glob("client-*.json")
    stored_answers = json.loads(file.read_text())
    assert stored_answers["missing"] == ["key_hidden"]
    assert "interactive_cache" not in stored_answers["unknown"]
    nothing_runs(project.home)


def test_a_claude_that_does_not_start(bench: Bench) -> None:
    """The test says so, and stores nothing."""
    project = bench()
    claude = project.bin / "claude"
    claude.unlink()
    claude.write_text(
        '#!/bin/sh\n[ "$1" = --version ] && echo 9.9.9 && exit\necho no >&2; exit 3\n'
    )
    claude.chmod(0o755)
    outcome = project.run("doctor", "--deep")
    assert outcome.code == 1
    assert "claude 9.9.9 did not reach the scripted model" in outcome.stderr
    assert not list((project.claude_dir / "ccc").glob("client-*.json"))


def test_a_claude_that_needs_the_users_home(bench: Bench) -> None:
    """No other claude is tested in its place."""
    project = bench()
    claude = project.bin / "claude"
    claude.unlink()
    claude.write_text(f'#!/bin/sh\n[ "$HOME" = {project.home} ] && echo 9.9.9\n')
    claude.chmod(0o755)
    outcome = project.run("doctor", "--deep")
    assert outcome.code == 1
    assert "does not run in a throw-away home" in outcome.stderr
    assert not list((project.claude_dir / "ccc").glob("client-*.json"))


def test_answers_that_can_not_be_stored(bench: Bench) -> None:
    """The user sees them all the same, as with a full disk."""
    project = bench()
    state_dir = project.claude_dir / "ccc"
    name = f"client-{known_claudes.key(str(project.bin / 'claude'))}.json"
    (state_dir / name / "x").mkdir(parents=True)
    outcome = project.run("doctor", "--deep", "--json")
    assert json.loads(outcome.stdout)["capabilities"]["stop_hook"] is True
    assert (outcome.code, "Is a directory" in outcome.stderr) == (0, True)


def test_every_capability_is_broken_once() -> None:
    """A new capability needs a wrapper that breaks it."""
    assert BREAKS.keys() == CAPABILITIES.keys()
