"""The Claude Code plugin: supervision in a plain claude, and never twice in one of ccc's."""

import json
import subprocess
from pathlib import Path

import pytest
from facts import STREAM
from supervised import (
    ASKED,
    DONE,
    FEEDBACK,
    FREELY,
    REVIEWING,
    Record,
    Run,
    journey,
    requests,
    told,
)

import ccc
from ccc.scripted import Rule, answer, every, has_tool, tool, tool_result
from harness import Bench, CccProject, claude_binary
from harness.processes import wait_until

pytestmark = pytest.mark.real

ROOT = Path(__file__).parent.parent.parent
PLUGIN = ("--plugin-dir", str(ROOT / "plugin"))
TASK = "write a.txt and b.txt"
# the reviewer of a session that ccc did not start is a fresh one, and answers by schema
STRUCTURED = every(REVIEWING, has_tool("StructuredOutput"))
JUDGE = (
    Rule(every(STRUCTURED, tool_result()), answer("The verdict is given.")),
    Rule(
        STRUCTURED,
        [
            answer(tool("StructuredOutput", completed=False, feedback=FEEDBACK)),
            answer(tool("StructuredOutput", completed=True, feedback="")),
        ],
    ),
)


def with_plugin(bench: Bench) -> CccProject:
    """A home in which ccc was used before, so that its hook is in settings.json as well."""
    project = bench(*JUDGE, *journey())
    (project.bin / "ccc").symlink_to(project.ccc)
    project.run("kimi", "--version").succeeded()
    assert "supervisor-hook" in project.read(".claude/settings.json")
    return project


def plain(project: CccProject, *arguments: str, **env: str) -> Run:
    """claude itself, on the scripted model, with the plugin."""
    provider = {**project.provider()["env"], **env}
    line = (*PLUGIN, *STREAM, "--include-hook-events", *FREELY, *arguments)
    return Run(project, project.run(*line, program=str(claude_binary()), env=provider))


@pytest.mark.parametrize("place", ["plugin", "."])
def test_it_is_valid(bench: Bench, place: str) -> None:
    """Claude's own validation has nothing to say against plugin and marketplace."""
    project = bench()
    outcome = project.run(
        "plugin", "validate", "--strict", str(ROOT / place), program=str(claude_binary())
    )
    outcome.succeeded()


def test_one_version() -> None:
    """The plugin has the version of ccc."""
    manifest = json.loads((ROOT / "plugin/.claude-plugin/plugin.json").read_text())
    assert manifest["version"] == ccc.__version__


def test_a_plain_claude_is_supervised(bench: Bench) -> None:
    """/ccc:supervisor in a session that ccc did not start: sent back, then completed."""
    project = with_plugin(bench)
    run = plain(project, f"/ccc:supervisor {TASK}")
    assert run.result == DONE
    assert [text.split(":")[0].split("(")[0] for text in run.told] == [
        "[SUPERVISOR] not completed ",
        "[SUPERVISOR] completed, stop allowed ",
    ]
    assert len(requests(project, ASKED)) == 2
    assert run.record.state["enabled"] is True
    assert run.record.session == run.lines[-1]["session_id"]
    assert len(run.record.verdicts) == 2


def test_once_in_a_session_of_cccs(bench: Bench) -> None:
    """With both hooks each stop is reviewed once, by the one of the settings."""
    project = with_plugin(bench)
    line = ("kimi", *PLUGIN, *STREAM, "--include-hook-events", *FREELY)
    run = Run(project, project.run(*line, f"/ccc:supervisor {TASK}"))
    assert run.result == DONE
    assert len(requests(project, ASKED)) == 2
    assert len(run.told) == 2
    assert len(run.record.verdicts) == 2
    # two hooks at each of the two stops, and one of them has nothing to say
    assert [bool(hook["stdout"]) for hook in run.hooks].count(True) == 2
    assert len(run.hooks) == 4


def test_silent_until_it_is_switched_on(bench: Bench) -> None:
    """An ordinary session with the plugin is as without."""
    project = with_plugin(bench)
    before = sorted(path.name for path in (project.claude_dir / "ccc").iterdir())
    run = plain(project, "hello")
    assert run.told == []
    assert all((hook["stdout"], hook["exit_code"]) == ("", 0) for hook in run.hooks)
    assert len(run.hooks) == 2
    assert sorted(path.name for path in (project.claude_dir / "ccc").iterdir()) == before


def test_silent_without_ccc(bench: Bench) -> None:
    """Where there is no ccc on PATH the hook ends well and says nothing."""
    project = bench(*journey())
    run = plain(project, "hello", PATH="/usr/bin:/bin")
    (hook,) = run.hooks
    assert (hook["stdout"], hook["stderr"], hook["exit_code"]) == ("", "", 0)


def test_switched_off(bench: Bench) -> None:
    """/ccc:supervisoroff ends it, in the same session."""
    project = with_plugin(bench)
    session = "11111111-2222-4333-8444-555555555555"
    run = plain(project, "--session-id", session, f"/ccc:supervisor {TASK}")
    reviews = len(requests(project, ASKED))
    run = plain(project, "--resume", session, "/ccc:supervisoroff hello")
    assert Record(project).state["enabled"] is False
    assert told(run.lines) == []
    assert len(requests(project, ASKED)) == reviews


@pytest.mark.tmux
def test_in_a_terminal(bench: Bench, tmux: None) -> None:
    """The same in claude's own interface; it is in the list of commands."""
    project = with_plugin(bench)
    env = project.provider()["env"]
    line = (*PLUGIN, "--allowedTools", "Bash")
    with project.interactive(*line, program=str(claude_binary()), env=env) as terminal:
        terminal.wait_for("❯")
        terminal.put("/ccc:sup")
        terminal.wait_for("Enable supervisor mode")
        for _ in "/ccc:sup":
            terminal.press("BSpace")
        terminal.enter(f"/ccc:supervisor {TASK}")
        terminal.wait_for("completed, stop allowed", 90)
    wait_until(lambda: len(requests(project, ASKED)) == 2)


def test_it_is_in_the_source_distribution() -> None:
    """The files of the plugin are those that git has."""
    listed = subprocess.run(
        ["git", "ls-files", "plugin", ".claude-plugin"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    names = listed.stdout.split() if listed.returncode == 0 else []
    assert not names or "plugin/hooks/hooks.json" in names
    assert '"plugin", ".claude-plugin"' in (ROOT / "pyproject.toml").read_text()
