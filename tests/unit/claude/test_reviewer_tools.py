"""What a reviewer may use."""

from pathlib import Path

import pytest

from ccc.claude import reviewer_tools


@pytest.mark.parametrize("tool", ["Bash", "Read", "Grep", "Glob", "ToolSearch", "WebFetch"])
def test_what_looks_and_runs(tool: str) -> None:
    """Reading, searching and running is what a review is made of."""
    assert reviewer_tools.refusal(tool, {}, "/w") == ""


@pytest.mark.parametrize(
    "tool",
    [
        *("CronCreate", "EnterWorktree", "SendMessage", "Agent", "Skill", "ScheduleWakeup"),
        *("CronDelete", "CronList", "ExitWorktree", "ListAgents", "Monitor", "ReportFindings"),
        *("AskUserQuestion", "EnterPlanMode", "ExitPlanMode", "Task", "Workflow"),
        *("mcp__github__create_issue", "SomethingNew", "", "bash", "None"),
    ],
)
def test_anything_else(tool: str) -> None:
    """Whatever a client brings, unless it is known to be harmless."""
    assert "is not for a reviewer" in reviewer_tools.refusal(tool, {"file_path": "/w/x"}, "/w")


@pytest.mark.parametrize("path", ["/etc/x", "/workspace/x", "/w", "/w/../etc/x", "x", None, 7])
def test_a_file_elsewhere(path: object) -> None:
    """It writes below its workspace only."""
    assert "writes below /w only" in reviewer_tools.refusal("Write", {"file_path": path}, "/w")


def test_a_file_in_the_workspace(tmp_path: Path) -> None:
    """There it may, but not through a link that leads out of it."""
    (tmp_path / "out").symlink_to("/etc")
    for tool, name in reviewer_tools.WRITING.items():
        assert reviewer_tools.refusal(tool, {name: f"{tmp_path}/a/b"}, str(tmp_path)) == ""
        assert reviewer_tools.refusal(tool, {name: f"{tmp_path}/out/b"}, str(tmp_path)) != ""


def test_what_claude_is_told() -> None:
    """A denial with its reason, a command that no rule lets out of the sandbox, or nothing."""
    denied = reviewer_tools.reply("Agent", {}, "/w", True)["hookSpecificOutput"]
    assert isinstance(denied, dict)
    assert denied["permissionDecision"] == "deny"
    assert "not for a reviewer" in denied["permissionDecisionReason"]
    given = {"command": "make test", "timeout": 5}
    assert reviewer_tools.reply("Bash", given, "/w", False) == {}
    assert reviewer_tools.reply("Read", {"file_path": "/x"}, "/w", True) == {}
    changed = reviewer_tools.reply("Bash", given, "/w", True)["hookSpecificOutput"]
    updated = {"command": "true; make test", "timeout": 5}
    assert changed == {"hookEventName": "PreToolUse", "updatedInput": updated}
