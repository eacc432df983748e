"""The person is told of the end of a supervised task, on the real client."""

import json

import pytest
from supervised import FREELY, journey, supervise

from ccc.scripted import ScriptedModel
from harness import Bench, CccProject
from harness.processes import wait_until

pytestmark = pytest.mark.real
TASK = "write a.txt and b.txt"
WORKING = ("--allowedTools", "Bash")


def wishing(bench: Bench, notify: object) -> CccProject:
    """A project with a notification."""
    project = bench(*journey())
    assert isinstance(project.model, ScriptedModel)
    project.configure(supervisor={"notify": notify})
    return project


@pytest.mark.tmux
def test_the_bell_in_a_session(bench: Bench, tmux: None) -> None:
    """A hook can't open the terminal; claude rings for it, once, at the end."""
    project = wishing(bench, "bell")
    with project.interactive("kimi", *WORKING) as terminal:
        terminal.wait_for("❯")
        assert not terminal.rang
        terminal.enter(f"/supervisor {TASK}")
        terminal.wait_for("completed, stop allowed", 60)
        wait_until(lambda: terminal.rang, "the bell")


@pytest.mark.tmux
def test_osc9_in_a_session(bench: Bench, tmux: None) -> None:
    """The notification of the terminal, with what the person is told."""
    project = wishing(bench, "osc9")
    sent = project.root / "sent"
    with project.interactive("kimi", *WORKING, env={"CCC_LANG": "zh"}) as terminal:
        terminal.record(sent)
        terminal.wait_for("❯")
        terminal.enter(f"/supervisor {TASK}")
        terminal.wait_for("允许停止", 60)
        wait_until(lambda: b"\x1b]9;" in sent.read_bytes(), "the sequence")
    told = sent.read_bytes().partition(b"\x1b]9;")[2].partition(b"\a")[0].decode()
    assert told.startswith("ccc: [SUPERVISOR]")
    assert "允许停止" in told


@pytest.mark.parametrize("wish", ["bell", "osc9"])
def test_no_sequence_without_a_terminal(bench: Bench, wish: str) -> None:
    """With -p claude's output is a program's: no sequence gets into it."""
    project = wishing(bench, wish)
    run = supervise(project, TASK)
    assert run.told[-1].startswith("[SUPERVISOR] completed")
    project.configure(supervisor={"notify": wish, "max_iterations": 3})
    plain = project.run("--supervisor", "kimi", "-p", TASK, "--permission-mode", "acceptEdits")
    for outcome in (run.outcome, plain):
        assert "\a" not in outcome.stdout + outcome.stderr
        assert "\x1b]9" not in outcome.stdout + outcome.stderr
    assert "terminalSequence" in json.loads(run.hooks[-1]["stdout"])


@pytest.mark.tmux
@pytest.mark.parametrize("wish", ["bell", "osc9"])
def test_an_unattended_run(bench: Bench, tmux: None, wish: str) -> None:
    """`ccc run` sends it to its own terminal, wherever its output goes."""
    project = wishing(bench, wish)
    sent = project.root / "sent"
    line = ["run", "--json", TASK, "--", *FREELY]
    with project.interactive(*line) as terminal:
        terminal.record(sent)
        terminal.wait_for(r"\[exit 0\]", 60)
        wait_until(lambda: (b"\a" if wish == "bell" else b"\x1b]9;ccc: ") in sent.read_bytes())


def test_a_command_after_an_unattended_run(bench: Bench) -> None:
    """Each ending of a run is told to the command."""
    project = wishing(bench, 'echo "$CCC_OUTCOME $CCC_PROJECT" > "$HOME/told"')
    project.run("run", TASK, "--", *FREELY).succeeded()
    told = project.home / "told"
    wait_until(lambda: told.exists() and told.read_text())
    assert told.read_text() == f"completed {project.directory}\n"
