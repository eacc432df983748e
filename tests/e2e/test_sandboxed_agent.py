"""An agent in claude's own sandbox: the user's slash commands switch all the same."""

import json
import sys
from pathlib import Path

import pytest
from facts import STREAM, claude
from supervised import DONE, FREELY, WORKING, YES, Record, Run, bash, judged, requests, supervise

from ccc.scripted import Rule, answer, every, tool_result
from harness import Bench, CccProject
from harness.programs import needs_sandbox

pytestmark = pytest.mark.real

READ_ONLY = "Read-only file system"


def sandboxed(project: CccProject, **more: object) -> None:
    """Settings of the user's that put the agent's commands into the sandbox."""
    sandbox = {"enabled": True, "allowUnsandboxedCommands": False, **more}
    project.write(".claude/settings.json", json.dumps({"sandbox": sandbox}))


def test_supervision_is_switched_on_and_off(bench: Bench) -> None:
    """`/supervisor task`, then `/supervisoroff` in the same session."""
    needs_sandbox()
    project = bench(*judged(YES))
    sandboxed(project)
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
    """It can switch nothing, and change no record."""
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
    sandboxed(project)
    run = supervise(project, "do it")
    assert len(run.record.verdicts) == 1, run.result
    (tried,) = (r.last_tool_result for r in requests(project, WORKING) if r.last_tool_result)
    assert tried.count(READ_ONLY) == 2, tried
    assert run.record.state["enabled"] is True
    assert not any("supervisor-mode off" in line for line in run.record.log)


def test_a_plain_claude_says_what_helps(bench: Bench) -> None:
    """Without a launch nothing of ccc's is outside the sandbox; doctor names a rule that works."""
    needs_sandbox()
    project = bench(*judged(YES))
    sandboxed(project)
    project.run("install").succeeded()
    first = Run(project, claude(project, *STREAM, *FREELY, "/supervisor do it"))
    named = f"{project.ccc} supervisor-mode *"
    assert json.dumps({"excludedCommands": [named]})[1:-1] in first.result
    report = json.loads(project.run("doctor", "--json").stdout)
    (found,) = (each for each in report["findings"] if each["name"] == "sandbox.agent")
    assert named in found["remedy"]
    sandboxed(project, excludedCommands=[named])
    project.run("install").succeeded()
    second = Run(project, claude(project, *STREAM, *FREELY, "/supervisor do it"))
    assert second.result == DONE
    assert len(Record(project).verdicts) == 1


PYTHON = """python3 -c "import os; open(os.path.expanduser('~/.claude/made'), 'w')\""""


@pytest.mark.parametrize(
    "more", [f"; {PYTHON}", f"\n{PYTHON}", f" | {PYTHON}", " > ~/.claude/made"]
)
def test_the_rule_lets_nothing_else_out(bench: Bench, more: str) -> None:
    """With the rule that is named, a command that only begins with ours stays in the sandbox."""
    needs_sandbox()
    ccc = Path(sys.executable).with_name("ccc")
    line = f"{ccc} supervisor-mode on --this-session{more}"
    project = bench(Rule(WORKING, [answer(bash(line)), answer(DONE)]))
    sandboxed(project, excludedCommands=[f"{ccc} supervisor-mode *"])
    claude(project, *STREAM, *FREELY, "hello").succeeded()
    (tried,) = (r.last_tool_result for r in requests(project, WORKING) if r.last_tool_result)
    assert READ_ONLY.casefold() in tried.casefold()
    assert not (project.claude_dir / "made").exists()
