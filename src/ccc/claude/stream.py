"""stream-json lines: framed, read, and kept apart from what is malformed."""

import json
from dataclasses import dataclass, field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


class Framer:
    """Makes lines out of chunks, however long the lines and wherever the chunks end."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def feed(self, chunk: bytes) -> "Iterator[str]":
        """The lines that the chunk completes."""
        *complete, rest = chunk.split(b"\n")
        for line in complete:
            self._parts.append(line)
            yield from self.rest()
        self._parts.append(rest)

    def rest(self) -> "Iterator[str]":
        """The line that has begun, where it is not blank."""
        line = b"".join(self._parts).decode(errors="replace").strip()
        self._parts.clear()
        if line:
            yield line


def message(line: str) -> "dict[str, Any] | None":
    """The message in a line; None where the line is malformed."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def texts(raw: "dict[str, Any]") -> list[str]:
    """What the assistant says in a message."""
    if raw.get("type") != "assistant" or raw.get("parent_tool_use_id"):
        return []
    body = raw.get("message")
    content = body.get("content") if isinstance(body, dict) else None
    blocks = content if isinstance(content, list) else []
    return [
        block["text"]
        for block in blocks
        if isinstance(block, dict)
        and block.get("type") == "text"
        and isinstance(block.get("text"), str)
    ]


def calls(raw: "dict[str, Any]") -> "list[tuple[str, dict[str, Any]]]":
    """The tools that the assistant calls in a message, with their inputs."""
    body = raw.get("message") if raw.get("type") == "assistant" else None
    content = body.get("content") if isinstance(body, dict) else None
    blocks = content if isinstance(content, list) else []
    return [
        (str(block.get("name")), given if isinstance(given := block.get("input"), dict) else {})
        for block in blocks
        if isinstance(block, dict) and block.get("type") == "tool_use"
    ]


@dataclass(frozen=True, slots=True)
class Result:
    """How a turn ended."""

    text: str = ""
    structured: object = None
    error: str = ""
    cost_usd: float = 0.0
    tokens: "dict[str, int]" = field(default_factory=dict)
    status: int | None = None
    """The HTTP status of an API error."""


def result(raw: "dict[str, Any]") -> Result | None:
    """The end of a turn, where the message is one."""
    if raw.get("type") != "result":
        return None
    said = raw.get("result")
    text = said if isinstance(said, str) else ""
    failed = raw.get("is_error") is True or raw.get("subtype") not in ("success", None)
    cost, usage = raw.get("total_cost_usd"), raw.get("usage")
    return Result(
        text=text,
        structured=raw.get("structured_output"),
        error=(text or str(raw.get("subtype") or "error")) if failed else "",
        cost_usd=_dollars(cost),
        tokens=_tokens(usage if isinstance(usage, dict) else {}),
        status=status if isinstance(status := raw.get("api_error_status"), int) else None,
    )


def _dollars(cost: object) -> float:
    """The cost, where it is one: `NaN` would spoil the state that it is added up in."""
    return float(cost) if isinstance(cost, int | float) and 0 <= cost < 1e12 else 0.0


def _tokens(usage: "dict[str, Any]") -> "dict[str, int]":
    names = {
        "input": "input_tokens",
        "cache_read": "cache_read_input_tokens",
        "cache_creation": "cache_creation_input_tokens",
        "output": "output_tokens",
    }
    return {
        short: usage[name] if isinstance(usage.get(name), int) else 0
        for short, name in names.items()
    }
