"""A session that waits for the user's permission or answer says so until it goes on."""

import json
import os
import signal
import time
from pathlib import Path
from typing import Any

import pytest
from facts import MANAGED, Hook, provider
from supervised import DONE, WORKING, YES, Record, bash, judged

from harness import Bench, CccProject, Terminal, claude_binary
from harness.processes import wait_until
from harness.scripted import Block, Rule, answer, every, said_last, tool, tool_result

pytestmark = [pytest.mark.real, pytest.mark.tmux]

CALL = bash("make install")
ASKS = tool(
    "AskUserQuestion",
    questions=[
        {
            "question": "Which colour should it have?",
            "header": "Colour",
            "multiSelect": False,
            "options": [
                {"label": "Red", "description": "as a rose"},
                {"label": "Blue", "description": "as the sea"},
            ],
        }
    ],
)
PLAN = tool("ExitPlanMode", plan="1. Do it.")
OPEN = r"Do you want to proceed|Which colour|Exit plan mode"


def project_with(bench: Bench, call: Block, **supervisor: object) -> CccProject:
    """Return a project whose agent makes the call that has to be answered."""
    project = bench(
        Rule(every(WORKING, tool_result()), answer(DONE)),
        Rule(every(WORKING, said_last("do it")), answer(call)),
        *judged(YES),
    )
    project.configure(supervisor=supervisor)
    return project


def row(project: CccProject) -> dict[str, Any]:
    """Return what `ccc status` says about the only session; empty if it shows none."""
    sessions = json.loads(project.run("status", "--json").succeeded().stdout)["sessions"]
    assert len(sessions) < 2
    return dict(sessions[0]) if sessions else {}


def wait_for_phase(project: CccProject, *phases: str) -> dict[str, Any]:
    """Wait until the session is in one of the phases."""
    wait_until(lambda: row(project).get("phase") in phases, " or ".join(phases), 60)
    return row(project)


def ask(terminal: Terminal) -> None:
    """Start a supervised task, and wait for the dialog."""
    terminal.wait_for("❯")
    terminal.enter("/supervisor do it")
    terminal.wait_for(OPEN)


@pytest.mark.parametrize("call", [CALL, ASKS, PLAN], ids=["permission", "question", "plan"])
def test_fact_claude_records_that_a_dialog_is_open(bench: Bench, tmux: None, call: Block) -> None:
    """`sessions/<pid>.json` says so until the answer; `PermissionRequest` says what is asked."""
    project = project_with(bench, call)
    hook = Hook(project)
    groups = hook.settings()["hooks"]["Stop"]
    hooks = dict.fromkeys(("PermissionRequest", "Notification"), groups)
    project.write(".claude/settings.json", json.dumps({"hooks": hooks}))
    mode = ("--permission-mode", "plan" if call is PLAN else "default")
    env, program = {**provider(project), **MANAGED}, str(claude_binary())
    with project.interactive(*mode, env=env, program=program) as terminal:
        terminal.wait_for("❯")
        terminal.enter("do it")
        terminal.wait_for(OPEN)
        record = next((project.claude_dir / "sessions").glob("*.json"))
        wait_until(lambda: status(record) == "waiting", "claude's record")
        wait_until(lambda: len(hook.calls) == 2, "the notification")
        terminal.press("Enter")
        wait_until(lambda: status(record) in ("busy", "idle"), "claude's record")
        terminal.wait_for(DONE)
    asked, told = (call.event for call in hook.calls)
    assert (asked["hook_event_name"], asked["tool_name"]) == ("PermissionRequest", call["name"])
    assert told["notification_type"] == "permission_prompt"


def status(record: Path) -> str:
    """Return the status in claude's record of a process."""
    return str(json.loads(record.read_text() or "{}").get("status"))


def test_fact_a_quick_answer_is_not_notified(bench: Bench, tmux: None) -> None:
    """Claude waits six seconds before it runs the `Notification` hook, and drops it after Esc."""
    project = project_with(bench, ASKS)
    hook = Hook(project)
    hooks = {"Notification": hook.settings()["hooks"]["Stop"]}
    project.write(".claude/settings.json", json.dumps({"hooks": hooks}))
    env, program = {**provider(project), **MANAGED}, str(claude_binary())
    with project.interactive(env=env, program=program) as terminal:
        terminal.wait_for("❯")
        terminal.enter("do it")
        terminal.wait_for(OPEN)
        terminal.press("Escape")
        time.sleep(9)
        assert hook.calls == []


def test_the_bell(bench: Bench, tmux: None) -> None:
    """Claude rings the bell for the hook, which has no terminal."""
    project = project_with(bench, CALL, notify="bell")
    with project.interactive("kimi") as terminal:
        ask(terminal)
        assert not terminal.rang
        wait_until(lambda: terminal.rang, "the bell", 30)


@pytest.mark.journey
def test_a_permission(bench: Bench, tmux: None) -> None:
    """Everything that shows the session names the call; nothing does after the answer."""
    project = project_with(bench, CALL, notify='echo "$CCC_OUTCOME $CCC_MESSAGE" >> "$HOME/told"')
    told = project.home / "told"
    with project.interactive("kimi") as terminal:
        ask(terminal)
        seen = wait_for_phase(project, "waiting")
        wait_until(lambda: row(project)["question"], "the question")
        question = "Bash(make install)"
        assert (row(project)["waits_for"], row(project)["question"]) == ("permission", question)
        assert "permission: Bash(make install)" in project.run("status").stdout
        line = project.run("statusline", stdin=json.dumps({"session_id": seen["session_id"]}))
        assert "permission: Bash(make install)" in line.stdout
        wait_until(lambda: told.exists() and told.read_text(), "the notification", 30)
        terminal.press("Enter")
        wait_for_phase(project, "open", "working", "checking", "reviewing")
        terminal.wait_for("completed, stop allowed")
        assert row(project)["waits_for"] == row(project)["question"] == ""
    first, *_ = told.read_text().splitlines()
    assert first == f"waiting [SUPERVISOR] claude waits for you: permission: {question}"
    assert told.read_text().count("waiting") == 1


@pytest.mark.parametrize("end", ["Escape", "kill"])
def test_no_answer(bench: Bench, tmux: None, end: str) -> None:
    """After Esc the session is open and doesn't wait; if its process is killed, it has ended."""
    project = project_with(bench, ASKS)
    with project.interactive("kimi") as terminal:
        ask(terminal)
        wait_for_phase(project, "waiting")
        wait_until(lambda: row(project)["question"] == "Which colour should it have?")
        if end == "kill":
            os.kill(Record(project).state["pid"], signal.SIGKILL)
            # nothing of it was ever judged, so it is no longer listed
            wait_until(lambda: not row(project))
        else:
            terminal.press(end)
            assert wait_for_phase(project, "open")["waits_for"] == ""


def test_a_session_that_is_not_supervised(bench: Bench, tmux: None) -> None:
    """Its phase says that claude waits; nothing is stored about it, and nobody is notified."""
    project = project_with(bench, CALL, notify='touch "$HOME/told"')
    with project.interactive("kimi") as terminal:
        terminal.wait_for("❯")
        terminal.enter("do it")
        terminal.wait_for(OPEN)
        seen = wait_for_phase(project, "waiting")
        assert (seen["waits_for"], seen["question"]) == ("permission", "")
        terminal.press("Enter")
        terminal.wait_for(DONE)
    assert not (project.home / "told").exists()
    assert Record(project).state["asks"] == {}
