"""An agent in claude's own sandbox: the user's slash commands still work."""

import json
import sys
from pathlib import Path

import pytest
from facts import STREAM, claude
from supervised import DONE, FREELY, WORKING, YES, Record, Run, bash, judged, requests, supervise

from harness import Bench, CccProject
from harness.programs import needs_sandbox
from harness.scripted import Rule, answer, every, tool_result

pytestmark = pytest.mark.real

READ_ONLY = "Read-only file system"


def enable_sandbox(project: CccProject, **more: object) -> None:
    """Write user settings that put the agent's commands into the sandbox."""
    sandbox = {"enabled": True, "allowUnsandboxedCommands": False, **more}
    project.write(".claude/settings.json", json.dumps({"sandbox": sandbox}))


def test_supervision_is_switched_on_and_off(bench: Bench) -> None:
    """`/supervisor task` and `/supervisoroff` work in the same session."""
    needs_sandbox()
    project = bench(*judged(YES))
    enable_sandbox(project)
    run = supervise(project, "do it")
    assert len(run.record.verdicts) == 1, run.result
    session = run.record.session
    off = project.run("kimi", *STREAM, *FREELY, "--resume", session, "/supervisoroff")
    assert "failed" not in Run(project, off).result
    assert run.record.state["enabled"] is False
    again = project.run("kimi", *STREAM, *FREELY, "--resume", session, "and more").succeeded()
    assert run.record.state["enabled"] is False, again.stdout
    assert len(run.record.verdicts) == 1


def test_the_agent_gets_no_way_out(bench: Bench) -> None:
    """The agent can't change the mode or any record."""
    needs_sandbox()
    reviewer, _ = judged(YES)
    write = "import os; open(os.path.expanduser('~/.claude/ccc/made'), 'w')"
    ccc = Path(sys.executable).with_name("ccc")
    switch = f'{ccc} supervisor-mode off --this-session; python3 -c "{write}"; true'
    project = bench(
        reviewer,
        Rule(every(WORKING, tool_result()), answer(DONE)),
        Rule(WORKING, answer(bash(switch))),
    )
    enable_sandbox(project)
    run = supervise(project, "do it")
    assert len(run.record.verdicts) == 1, run.result
    (result,) = (r.last_tool_result for r in requests(project, WORKING) if r.last_tool_result)
    assert result.count(READ_ONLY) == 2, result
    assert run.record.state["enabled"] is True
    assert not any("supervisor-mode off" in line for line in run.record.log)


def test_a_plain_claude_says_what_helps(bench: Bench) -> None:
    """In a plain claude ccc's command is sandboxed too; doctor names a rule that helps."""
    needs_sandbox()
    project = bench(*judged(YES))
    enable_sandbox(project)
    project.run("install").succeeded()
    first = Run(project, claude(project, *STREAM, *FREELY, "/supervisor do it"))
    rule = f"{project.ccc} supervisor-mode *"
    assert json.dumps({"excludedCommands": [rule]})[1:-1] in first.result
    report = json.loads(project.run("doctor", "--json").stdout)
    (finding,) = (each for each in report["findings"] if each["name"] == "sandbox.agent")
    assert rule in finding["remedy"]
    enable_sandbox(project, excludedCommands=[rule])
    project.run("install").succeeded()
    second = Run(project, claude(project, *STREAM, *FREELY, "/supervisor do it"))
    assert second.result == DONE
    assert len(Record(project).verdicts) == 1


PYTHON = """python3 -c "import os; open(os.path.expanduser('~/.claude/made'), 'w')\""""


@pytest.mark.parametrize(
    "more", [f"; {PYTHON}", f"\n{PYTHON}", f" | {PYTHON}", " > ~/.claude/made"]
)
def test_the_rule_lets_nothing_else_out(bench: Bench, more: str) -> None:
    """With that rule, a command that only starts with ccc's stays in the sandbox."""
    needs_sandbox()
    ccc = Path(sys.executable).with_name("ccc")
    line = f"{ccc} supervisor-mode on --this-session{more}"
    project = bench(Rule(WORKING, [answer(bash(line)), answer(DONE)]))
    enable_sandbox(project, excludedCommands=[f"{ccc} supervisor-mode *"])
    claude(project, *STREAM, *FREELY, "hello").succeeded()
    (result,) = (r.last_tool_result for r in requests(project, WORKING) if r.last_tool_result)
    assert READ_ONLY.casefold() in result.casefold()
    assert not (project.claude_dir / "made").exists()
