"""One entry of claude's transcript: who wrote it, and what the user said or did with it."""

import re
from collections.abc import Mapping
from typing import Any

from ccc.text import lenient_json, shell

Entry = Mapping[str, object]


# The marks in claude 2.1.325; tests/e2e/test_facts_transcript.py has real entries. The client
# knows the last two, but they never occurred in a test session.
_NOT_THE_USERS = (
    *("isMeta", "isVisibleInTranscriptOnly", "isCompactSummary", "toolUseResult", "wakeupSource"),
    *("isVirtual", "forwardedIntent"),
)
_NOT_TYPED = (
    *("<task-notification>", "<local-command", "<bash-", "<system-reminder>"),
    *("[Request interrupted", "Stop hook feedback:", "Caveat: The messages below were generated"),
)
_HOUSEKEEPING = ("/clear", "/compact", "/exit", "/resume", "/model", "/effort")
_SWITCHES = {"/supervisor": "on", "/supervisoroff": "off"}
_LONGEST_COMMAND = 10_000
# a switch that the user types in claude's shell mode
_SHELL_SWITCH = re.compile(
    r"""(?:\w+=\S*\s+)*["']?(?:\S*/)?ccc["']?\s+supervisor-mode(?:\s+["']?(\w+))?"""
)


def is_users(entry: Entry) -> bool:
    """Return whether the user wrote it, not another agent, a schedule, a hook or a tool."""
    is_human = lenient_json.mapping(entry, "origin").get("kind") in (None, "human")
    is_prompt = entry.get("turnOrigin") in (None, "human", "sdk")
    return is_human and is_prompt and not any(entry.get(mark) for mark in _NOT_THE_USERS)


def hook_prompt(entry: Entry) -> str:
    """Return the prompt that a SessionStart hook sends for the user; empty for any other entry.

    Measured: the prompt that follows is not marked as the hook's, and may be a slash command.
    """
    if attachment_type(entry) != "hook_success":
        return ""
    output = lenient_json.parse_object(lenient_json.text(entry, "attachment", "stdout"))
    return lenient_json.text(output, "hookSpecificOutput", "initialUserMessage")


def attachment_type(entry: Entry) -> str:
    """Return the type of the entry's attachment."""
    return lenient_json.text(entry, "attachment", "type")


def text(entry: Entry) -> str:
    """Return the text of the entry's message."""
    return _text(lenient_json.mapping(entry, "message").get("content"))


def blocks(entry: Entry) -> "list[dict[str, Any]]":
    """Return the blocks of the entry's message."""
    return lenient_json.mappings(entry, "message", "content")


def typed_text(entry: Entry) -> str:
    """Return the entry's text as the user would type it."""
    content = text(entry).strip()
    if not content.startswith("<command-"):
        return content
    return f"{_tag(content, 'command-name')} {_tag(content, 'command-args')}"


def request(entry: Entry) -> str | None:
    """Return what the user typed, or the arguments of a slash command; None for anything else."""
    if not is_users(entry):
        return None
    content = text(entry).strip()
    if not content and any(block.get("type") == "image" for block in blocks(entry)):
        return "(an image)"
    if not content or content.startswith(_NOT_TYPED):
        return None
    if content.startswith("<command-") and (name := _tag(content, "command-name")):
        arguments = _tag(content, "command-args")
        if name in _HOUSEKEEPING:
            return None
        return arguments if name in _SWITCHES else f"{name} {arguments}".strip()
    return content


def queued_request(entry: Entry) -> str:
    """Return what the user typed while the agent was working; empty for any other entry."""
    queued = lenient_json.mapping(entry, "attachment")
    is_prompt = queued.get("commandMode") in (None, "prompt") and is_users(queued)
    if queued.get("type") != "queued_command" or not is_prompt:
        return ""
    content = _text(queued.get("prompt")).strip()
    return "" if content.startswith(_NOT_TYPED) else content


def switch(entry: Entry) -> str:
    """Return the supervision switch that the user makes with this entry: `on`, `off` or empty."""
    content = text(entry).strip() if is_users(entry) else ""
    if content.startswith("<command-"):
        return _SWITCHES.get(_tag(content, "command-name"), "")
    if content.startswith("<bash-input>"):
        return _shell_switch(_tag(content, "bash-input"))
    return ""


def _shell_switch(line: str) -> str:
    result = ""
    for command in shell.parts(line[:_LONGEST_COMMAND]):
        match = _SHELL_SWITCH.match(command)
        word = (match[1] or "on") if match else ""
        result = word if word in ("on", "off") else result
        if re.search(r"(?:^|\s)#", command):
            break  # a comment
    return result


def background_id(entry: Entry) -> str:
    """Return the id of the command that the user sent to the background with this entry."""
    result = lenient_json.mapping(entry, "toolUseResult")
    is_users_choice = result.get("backgroundedByUser") is True
    return lenient_json.text(result, "backgroundTaskId") if is_users_choice else ""


def model(entry: Entry) -> str:
    """Return the requested model; empty for claude's own `<synthetic>` messages."""
    name = entry.get("requestedModel") or lenient_json.mapping(entry, "message").get("model")
    return name if isinstance(name, str) and not name.startswith("<") else ""


def _text(content: object) -> str:
    if isinstance(content, str):
        return content
    parts = (b.get("text") for b in lenient_json.mappings(content) if b.get("type") == "text")
    return "\n".join(part for part in parts if isinstance(part, str))


def _tag(content: str, name: str) -> str:
    """Return the content of the first such tag. A regex would take quadratic time."""
    inside, end, _ = content.partition(f"<{name}>")[2].partition(f"</{name}>")
    return inside.strip() if end else ""
