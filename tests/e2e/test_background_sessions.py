"""Claude's background service: it keeps the environment of the session that started it."""

import json
import os
import signal
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from facts import Hook, provider
from supervised import ASKED, DONE, YES, judged, requests

from harness import Bench, CccProject, claude_binary
from harness.processes import family, wait_until
from harness.scripted import Rule

pytestmark = pytest.mark.real

OWN = "own"
"""The path and key of an endpoint that the user configured without ccc."""
VARIABLE = "CLAUDE_CODE_DISABLE_AGENT_VIEW"


@pytest.fixture
def no_daemon(bench: Bench) -> Iterator[Callable[..., CccProject]]:
    """Kill claude's background service at the end of the test."""
    projects: list[CccProject] = []

    def make(*rules: Rule) -> CccProject:
        projects.append(bench(*rules))
        return projects[-1]

    yield make
    for project in projects:
        for pid in family(project.home):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue


def states(project: CccProject) -> dict[str, dict[str, Any]]:
    """Return the states of all sessions by name."""
    paths = (project.claude_dir / "ccc").glob("supervisor-*.json")
    return {path.stem.removeprefix("supervisor-"): json.loads(path.read_text()) for path in paths}


def with_own_endpoint(project: CccProject) -> Hook:
    """Configure the user's own endpoint and a hook that records every stop; install ccc."""
    hook = Hook(project)
    users = {"env": provider(project, OWN), **hook.settings()}
    project.write(".claude/settings.json", json.dumps(users))
    project.run("install").succeeded()
    return hook


def test_the_service_keeps_an_id(no_daemon: Callable[..., CccProject]) -> None:
    """Claude's service keeps the id of the session that started it; others aren't reviewed."""
    project = no_daemon(*judged(*[YES] * 9))
    hook = with_own_endpoint(project)
    supervised = {"CCC_SUPERVISOR_ID": "supervised"}
    project.run("supervisor-mode", "on", env=supervised).succeeded()
    # the service inherits the environment of its first user
    first = {**supervised, "CCC_LAUNCHER_PID": str(os.getpid())}
    claude = str(claude_binary())
    project.run("--bg", "first task", program=claude, env=first).succeeded()
    wait_until(lambda: len(hook.calls) == 1, "the first stop")
    project.run("--bg", "second task", program=claude).succeeded()
    wait_until(lambda: len(hook.calls) == 2, "the second stop")
    assert [call.env.get("CCC_SUPERVISOR_ID") for call in hook.calls] == ["supervised"] * 2
    assert requests(project, ASKED) == []
    assert states(project)["supervised"]["count"] == 0


def test_a_session_after_one_of_ccc(no_daemon: Callable[..., CccProject]) -> None:
    """A plain background session that inherits the variables of a ccc session, and asks for
    supervision, is reviewed on its own endpoint and not on ccc's provider.
    """
    project = no_daemon(*judged(*[YES] * 9))
    hook = with_own_endpoint(project)
    claude = str(claude_binary())
    # above the largest pid: the session that started the service has ended
    ended = {"CCC_SUPERVISOR_ID": "ended", "CCC_LAUNCHER_PID": "4194305", "CCC_PROVIDER": "kimi"}
    project.run("--bg", "first task", program=claude, env=ended).succeeded()
    wait_until(lambda: len(hook.calls) == 1, "the first stop")
    project.run("--bg", "/supervisor second task", program=claude).succeeded()
    wait_until(lambda: len(requests(project, ASKED)) == 1, "the review")
    (review,) = requests(project, ASKED)
    assert (review.path.startswith(f"/{OWN}/"), review.key) == (True, f"{OWN}-token")
    wait_until(lambda: any(state.get("outcome") for state in states(project).values()))
    (state,) = (state for state in states(project).values() if state.get("outcome"))
    assert (state["outcome"], state["provider"]) == ("completed", "")


@pytest.mark.parametrize("word", ["--bg", "agents"])
def test_a_provider_with_a_key_is_refused(bench: Bench, word: str) -> None:
    """Ccc names the reason, and no service starts."""
    project = bench()
    outcome = project.run("kimi", word, "do it")
    assert (outcome.code, outcome.stdout) == (1, "")
    assert f"{word}: background sessions can't use provider kimi" in outcome.stderr
    assert family(project.home) == {}


@pytest.mark.tmux
def test_a_session_can_not_move_to_the_background(bench: Bench, tmux: None) -> None:
    """On a provider with a key, claude offers no /background, and ← stays in the session."""
    project = bench(*judged(YES))
    with project.interactive("kimi") as terminal:
        terminal.wait_for("❯")
        terminal.enter("hello there")
        terminal.wait_for(DONE)
        terminal.press("Left")
        terminal.write("/background")
        terminal.wait_for("/background")
        terminal.press("Enter")
        terminal.wait_for("Unknown command: /background")
        assert not any("daemon" in line for line in family(project.home).values())


def test_fact_without_agent_view_nothing_moves_to_the_background(bench: Bench) -> None:
    """The variable disables --bg in claude, and the subcommands of its service."""
    project = bench()
    env = {**provider(project), VARIABLE: "1"}
    for line in (["--bg", "x"], ["attach", "x"], ["respawn", "--all"]):
        outcome = project.run(*line, program=str(claude_binary()), env=env)
        assert outcome.code == 1
        assert f"is disabled by {VARIABLE}" in outcome.stderr
    assert family(project.home) == {}


def test_fact_the_service_drops_the_key(no_daemon: Callable[..., CccProject]) -> None:
    """A background session of a managed provider gets neither its endpoint nor its key."""
    project = no_daemon(*judged(YES))
    env = {**provider(project), "CLAUDE_CODE_PROVIDER_MANAGED_BY_HOST": "1"}
    project.run("--bg", "do it", program=str(claude_binary()), env=env).succeeded()

    def is_told() -> bool:
        # the service may keep files of its own beside the session's folder
        logs = (
            project.run("logs", job.name, program=str(claude_binary())).stdout
            for job in (project.claude_dir / "jobs").iterdir()
        )
        return any("Not logged in" in shown for shown in logs)

    wait_until(is_told, "the session's answer")
    assert requests(project, lambda request: True) == []
