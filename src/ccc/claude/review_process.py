"""The reviewer's process: a claude that is asked for a verdict, and the tools it may use."""

import os
import signal
import time
from collections.abc import Callable, Mapping
from typing import Any

from ccc.claude.formats import stream, usage
from ccc.claude.formats.command_line import Plan
from ccc.claude.output import ErrorLog, Output
from ccc.system import spawn
from ccc.text import lenient_json

_READING = frozenset(("Glob", "Grep", "LS", "NotebookRead", "Read", "WebFetch", "WebSearch"))
_RUNNING = frozenset(("Bash", "BashOutput", "KillBash", "KillShell", "TaskOutput", "TaskStop"))
# to find other tools, and to give the verdict if there is a schema
_SPEAKING = frozenset(("ToolSearch", "StructuredOutput"))
WRITING = {"Edit": "file_path", "Write": "file_path", "NotebookEdit": "notebook_path"}
"""The tools that may write only in the workspace, with the argument that holds the path."""
_SANDBOX_ERRORS = ("bwrap: ", "sandbox-exec: ")
OUT_OF_BUDGET = {"continue": False, "stopReason": "The budget is spent."}
"""The answer to a tool call that ends the reviewer."""

NextQuestion = Callable[[list[stream.Result]], str]
"""Returns the question that follows these results; empty at the end.

The first one may take a moment, since claude boots meanwhile.
"""
OnCall = Callable[[str, dict[str, Any]], Mapping[str, object]]
"""Answers claude's question about a tool call."""


class Interrupted(BaseException):
    """The user pressed Esc, so claude ended its hook."""


class Failed(Exception):
    """The review produced no result. The message is the cause."""


def ask(
    plan: Plan,
    next_question: NextQuestion,
    output: Output,
    errors: ErrorLog,
    *,
    timeout: float,
    on_call: OnCall,
) -> None:
    """Ask a reviewer until there are no more questions, and leave no process behind in any case.

    Raise Failed with the cause, TimeoutError or Interrupted.
    """
    until = time.monotonic() + timeout
    try:
        child = errors.start(plan)
    except (OSError, ValueError) as error:
        file = getattr(error, "filename", None) or plan.argv[0]
        raise Failed(f"{file}: {getattr(error, 'strerror', error)}") from None
    before = {number: signal.getsignal(number) for number in spawn.END_SIGNALS}
    try:
        # not at the top: claude boots while asyncio is imported (50 ms)
        from ccc.claude import controlled_claude

        controlled_claude.hold_review(child, next_question, output, on_call=on_call, until=until)
    finally:
        for number, handler in before.items():
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, handler)
        spawn.end(child)


class Watch:
    """What a reviewer's stream shows besides its answers."""

    def __init__(self) -> None:
        self.first_request: dict[str, int] = {}
        """The tokens of the first request, which repeats the conversation."""
        self._tools = stream.OpenCalls()
        self._failures: list[str] = []

    def see(self, message: dict[str, Any]) -> None:
        """Take note of a message."""
        if message.get("type") == "assistant" and not self.first_request:
            self.first_request = usage.message_tokens(
                lenient_json.mapping(message, "message", "usage")
            )
        for tool, text, is_error in self._tools.results(message):
            if tool == "Bash":
                lines = text.splitlines() if is_error else []
                cause = next((line for line in lines if line.startswith(_SANDBOX_ERRORS)), "")
                self._failures.append(cause)

    @property
    def sandbox_failure(self) -> str:
        """Return why all of the reviewer's commands failed in claude's sandbox; "" if one didn't.

        Measured: with claude 2.1.200, bwrap can't create a file in a directory that it has made
        read-only.
        """
        return self._failures[-1] if all(self._failures) and self._failures else ""


def answer_to_call(
    tool: str, arguments: Mapping[str, object], workspace: str, sandbox_has_gaps: bool
) -> dict[str, Any]:
    """Return the answer to a tool call by the reviewer; empty if it is allowed unchanged.

    Measured: a user's rule that lets a command leave the sandbox applies only to a line with
    nothing but this command.
    """
    answer: dict[str, object] = {}
    if reason := refusal(tool, arguments, workspace):
        answer = {"permissionDecision": "deny", "permissionDecisionReason": reason}
    elif tool == "Bash" and sandbox_has_gaps:
        command = f"true; {arguments.get('command')}"
        answer = {"updatedInput": {**arguments, "command": command}}
    return {"hookSpecificOutput": {"hookEventName": "PreToolUse", **answer}} if answer else {}


def refusal(tool: str, arguments: Mapping[str, object], workspace: str) -> str:
    """Return why a reviewer may not make the call; empty if it may."""
    if tool in _READING | _RUNNING | _SPEAKING:
        return ""
    if tool not in WRITING:
        return f"{tool} is not for a reviewer: read, search and run commands"
    path = arguments.get(WRITING[tool])
    top = os.path.join(os.path.realpath(workspace), "")
    is_inside = isinstance(path, str) and os.path.realpath(path).startswith(top)
    return "" if is_inside else f"a reviewer writes below {workspace} only"
