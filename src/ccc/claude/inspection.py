"""What a reviewer did, read from its stream: what it called and saw, and its last words."""

from dataclasses import replace

from ccc.claude.formats import stream
from ccc.sessions.record import Step
from ccc.supervision import verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

_TELLING = ("command", "file_path", "notebook_path", "pattern", "path", "url", "query", "prompt")
"""What says most of a call, the first that is there."""
_LONGEST_CALL = 1_000
_LONGEST_SEEN = 2_000
_ANSWER = "StructuredOutput"


def read(lines: "Iterable[str]") -> tuple[tuple[Step, ...], str]:
    """The steps of a review in its raw lines, and what it said in the end."""
    steps: dict[str, Step] = {}
    closing = ""
    for line in lines:
        message = stream.message(line)
        if message is None or message.get("parent_tool_use_id"):
            continue
        said = "\n".join(stream.texts(message)).strip()
        closing = verdict.without(said).strip() if said else closing
        for block in stream.blocks(message, "assistant"):
            if block.get("type") == "tool_use" and block.get("name") != _ANSWER:
                steps[str(block.get("id") or len(steps))] = _step(block)
        for block in stream.blocks(message, "user"):
            name = str(block.get("tool_use_id"))
            if block.get("type") == "tool_result" and name in steps:
                steps[name] = _answered(steps[name], block)
    return tuple(steps.values()), closing


def _step(block: "dict[str, Any]") -> Step:
    given = block.get("input")
    values = given if isinstance(given, dict) else {}
    call = next((str(values[key]) for key in _TELLING if values.get(key)), "")
    return Step(str(block.get("name")), call[:_LONGEST_CALL])


def _answered(step: Step, block: "dict[str, Any]") -> Step:
    content = block.get("content")
    parts = content if isinstance(content, list) else [{"text": content}]
    texts = [each.get("text") for each in parts if isinstance(each, dict)]
    seen = "\n".join(text for text in texts if isinstance(text, str)).strip()
    return replace(step, seen=seen[-_LONGEST_SEEN:], failed=block.get("is_error") is True)
