"""Read what a reviewer did from its stream: its calls, their results, and its final text."""

from collections.abc import Iterable

from msgspec.structs import replace

from ccc.claude.formats import stream
from ccc.model.round import Step
from ccc.supervision import verdict

# the most telling arguments of a call; the first one present is used
_ARGUMENTS = ("command", "file_path", "notebook_path", "pattern", "path", "url", "query", "prompt")
_LONGEST_CALL = 1_000
_LONGEST_RESULT = 2_000
_VERDICT_TOOL = "StructuredOutput"


def read(lines: Iterable[str]) -> tuple[tuple[Step, ...], str]:
    """Read the steps of a review and its final text from its raw lines."""
    steps: dict[str, Step] = {}
    last_words = ""
    for line in lines:
        message = stream.message(line)
        if message is None or message.get("parent_tool_use_id"):
            continue
        if text := "\n".join(stream.texts(message)).strip():
            last_words = verdict.without(text).strip()
        for block in stream.blocks(message, "assistant"):
            if block.get("type") == "tool_use" and block.get("name") != _VERDICT_TOOL:
                steps[str(block.get("id") or len(steps))] = _step(block)
        for block in stream.blocks(message, "user"):
            call = str(block.get("tool_use_id"))
            if block.get("type") == "tool_result" and call in steps:
                seen = stream.result_text(block).strip()[-_LONGEST_RESULT:]
                is_error = block.get("is_error") is True
                steps[call] = replace(steps[call], seen=seen, failed=is_error)
    return tuple(steps.values()), last_words


def _step(block: stream.Message) -> Step:
    arguments = block["input"] if isinstance(block.get("input"), dict) else {}
    call = next((str(arguments[name]) for name in _ARGUMENTS if arguments.get(name)), "")
    return Step(str(block.get("name")), call[:_LONGEST_CALL])
