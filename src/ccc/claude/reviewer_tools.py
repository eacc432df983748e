"""What a reviewer may use: the tools to read, to search and to run, and no other, known or new."""

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

READING = frozenset(("Glob", "Grep", "LS", "NotebookRead", "Read", "WebFetch", "WebSearch"))
RUNNING = frozenset(("Bash", "BashOutput", "KillBash", "KillShell", "TaskOutput", "TaskStop"))
# finds other tools, and gives the verdict where a schema is asked for
SPEAKING = frozenset(("ToolSearch", "StructuredOutput"))
WRITING = {"Edit": "file_path", "Write": "file_path", "NotebookEdit": "notebook_path"}
"""What may write in the workspace only, and the argument that says where."""

ENOUGH = {"continue": False, "stopReason": "The budget is spent."}
"""What claude is told of a call where the reviewer is to come to an end."""


def reply(
    tool: str, given: "Mapping[str, object]", workspace: str, sandbox_has_gaps: bool
) -> "Mapping[str, object]":
    """What claude is told of a call of the reviewer's; nothing where it is good as it is.

    Measured: a rule of the user's that lets a command out of the sandbox holds for a line that is
    this command alone.
    """
    changed: dict[str, object] = {}
    if why := refusal(tool, given, workspace):
        changed = {"permissionDecision": "deny", "permissionDecisionReason": why}
    elif tool == "Bash" and sandbox_has_gaps:
        command = f"true; {given.get('command')}"
        changed = {"updatedInput": {**given, "command": command}}
    return {"hookSpecificOutput": {"hookEventName": "PreToolUse", **changed}} if changed else {}


def refusal(tool: str, given: "Mapping[str, object]", workspace: str) -> str:
    """Why a reviewer may not make the call; nothing where it may."""
    if tool in READING or tool in RUNNING or tool in SPEAKING:
        return ""
    if tool not in WRITING:
        return f"{tool} is not for a reviewer: read, search and run commands"
    path = given.get(WRITING[tool])
    top = os.path.join(os.path.realpath(workspace), "")
    inside = isinstance(path, str) and os.path.realpath(path).startswith(top)
    return "" if inside else f"a reviewer writes below {workspace} only"
