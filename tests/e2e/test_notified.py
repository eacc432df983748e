"""Notifications at the end of a supervised task, with the real client."""

import json

import pytest
from supervised import FREELY, journey, supervise

from harness import Bench, CccProject
from harness.processes import wait_until
from harness.scripted import ScriptedModel

pytestmark = pytest.mark.real
TASK = "write a.txt and b.txt"
WORKING = ("--allowedTools", "Bash")


def project_with(bench: Bench, notify: object) -> CccProject:
    """Return a project with this notification."""
    project = bench(*journey())
    assert isinstance(project.model, ScriptedModel)
    project.configure(supervisor={"notify": notify})
    return project


@pytest.mark.tmux
def test_the_bell_in_a_session(bench: Bench, tmux: None) -> None:
    """A hook can't open the terminal; claude rings the bell once, at the end."""
    project = project_with(bench, "bell")
    with project.interactive("kimi", *WORKING) as terminal:
        terminal.wait_for("❯")
        assert not terminal.rang
        terminal.enter(f"/supervisor {TASK}")
        terminal.wait_for("completed, stop allowed", 60)
        wait_until(lambda: terminal.rang, "the bell")


@pytest.mark.tmux
def test_osc9_in_a_session(bench: Bench, tmux: None) -> None:
    """The terminal's notification has the same text as the message to the user."""
    project = project_with(bench, "osc9")
    sent = project.root / "sent"
    with project.interactive("kimi", *WORKING, env={"CCC_LANG": "zh"}) as terminal:
        terminal.record(sent)
        terminal.wait_for("❯")
        terminal.enter(f"/supervisor {TASK}")
        terminal.wait_for("允许停止", 60)
        wait_until(lambda: b"\x1b]9;" in sent.read_bytes(), "the sequence")
    text = sent.read_bytes().partition(b"\x1b]9;")[2].partition(b"\a")[0].decode()
    assert text.startswith("ccc: [SUPERVISOR]")
    assert "允许停止" in text


@pytest.mark.parametrize("notify", ["bell", "osc9"])
def test_no_sequence_without_a_terminal(bench: Bench, notify: str) -> None:
    """With -p, claude's output goes to a program and contains no terminal sequence."""
    project = project_with(bench, notify)
    run = supervise(project, TASK)
    assert run.told[-1].startswith("[SUPERVISOR] completed")
    project.configure(supervisor={"notify": notify, "max_iterations": 3})
    plain = project.run("--supervisor", "kimi", "-p", TASK, "--permission-mode", "acceptEdits")
    for outcome in (run.outcome, plain):
        assert "\a" not in outcome.stdout + outcome.stderr
        assert "\x1b]9" not in outcome.stdout + outcome.stderr
    assert "terminalSequence" in json.loads(run.hooks[-1]["stdout"])


@pytest.mark.tmux
@pytest.mark.parametrize("notify", ["bell", "osc9"])
def test_an_unattended_run(bench: Bench, tmux: None, notify: str) -> None:
    """`ccc run` notifies its own terminal, wherever its output goes."""
    project = project_with(bench, notify)
    sent = project.root / "sent"
    line = ["run", "--json", TASK, "--", *FREELY]
    with project.interactive(*line) as terminal:
        terminal.record(sent)
        terminal.wait_for(r"\[exit 0\]", 60)
        wait_until(lambda: (b"\a" if notify == "bell" else b"\x1b]9;ccc: ") in sent.read_bytes())


def test_a_command_after_an_unattended_run(bench: Bench) -> None:
    """The notification command gets the outcome of a run."""
    project = project_with(bench, 'echo "$CCC_OUTCOME $CCC_PROJECT" > "$HOME/told"')
    project.run("run", TASK, "--", *FREELY).succeeded()
    file = project.home / "told"
    wait_until(lambda: file.exists() and file.read_text())
    assert file.read_text() == f"completed {project.directory}\n"
