"""The tools that a reviewer may use."""

from pathlib import Path
from typing import Any

import pytest

from ccc.claude import review_process


@pytest.mark.parametrize("tool", ["Bash", "Read", "Grep", "Glob", "ToolSearch", "WebFetch"])
def test_what_looks_and_runs(tool: str) -> None:
    """Reading, searching and running commands are allowed."""
    assert review_process.refusal(tool, {}, "/w") == ""


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
    """Any other tool is denied, unless it is known to be harmless."""
    assert "is not for a reviewer" in review_process.refusal(tool, {"file_path": "/w/x"}, "/w")


@pytest.mark.parametrize("path", ["/etc/x", "/workspace/x", "/w", "/w/../etc/x", "x", None, 7])
def test_a_file_elsewhere(path: object) -> None:
    """It may write only in its workspace."""
    assert "writes below /w only" in review_process.refusal("Write", {"file_path": path}, "/w")


def test_a_file_in_the_workspace(tmp_path: Path) -> None:
    """It may write in its workspace, but not through a symlink that leads out of it."""
    (tmp_path / "out").symlink_to("/etc")
    for tool, name in review_process.WRITING.items():
        assert review_process.refusal(tool, {name: f"{tmp_path}/a/b"}, str(tmp_path)) == ""
        assert review_process.refusal(tool, {name: f"{tmp_path}/out/b"}, str(tmp_path)) != ""


def test_what_claude_is_told() -> None:
    """claude gets a denial with its reason, a sandboxed command, or nothing."""
    denied = review_process.answer_to_call("Agent", {}, "/w", True)["hookSpecificOutput"]
    assert isinstance(denied, dict)
    assert denied["permissionDecision"] == "deny"
    assert "not for a reviewer" in denied["permissionDecisionReason"]
    given = {"command": "make test", "timeout": 5}
    assert review_process.answer_to_call("Bash", given, "/w", False) == {}
    assert review_process.answer_to_call("Read", {"file_path": "/x"}, "/w", True) == {}
    changed = review_process.answer_to_call("Bash", given, "/w", True)["hookSpecificOutput"]
    updated = {"command": "true; make test", "timeout": 5}
    assert changed == {"hookEventName": "PreToolUse", "updatedInput": updated}


def call(text: str, is_error: bool, tool: str = "Bash") -> list[dict[str, Any]]:
    """Return the messages of a tool call and its result."""
    use = {"type": "tool_use", "id": "t", "name": tool, "input": {}}
    back = {"type": "tool_result", "tool_use_id": "t", "content": text, "is_error": is_error}
    return [
        {"type": "assistant", "message": {"content": [use]}},
        {"type": "user", "message": {"content": [back]}},
    ]


BWRAP = "bwrap: Can't create file at /x: Read-only file system"


@pytest.mark.parametrize(
    ("messages", "failure"),
    [
        (call(f"Exit code 1\n{BWRAP}", True), BWRAP),
        (call(BWRAP, True) + call("no such file", True, "Read"), BWRAP),
        (call(BWRAP, True) + call("fine", False), ""),
        (call(BWRAP, True) + call("Exit code 2", True), ""),
        (call(BWRAP, False), ""),
        (call(BWRAP, True, "Read"), ""),
        ([], ""),
    ],
)
def test_whether_every_command_failed(messages: list[dict[str, Any]], failure: str) -> None:
    """A reviewer is blind if all of its commands failed because of the sandbox."""
    watch = review_process.Watch()
    for message in messages:
        watch.see(message)
    assert watch.sandbox_failure == failure
