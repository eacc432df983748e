"""The scripted model's replies and failures."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ccc.scripted.usage import Usage

CODE = "%code%"  # A placeholder for the code of the review request that the text answers

Block = Mapping[str, Any]
"""A content block in the format of Anthropic's API; the server adds the id of a tool call."""


@dataclass(frozen=True, slots=True)
class Failure:
    """An HTTP error in place of a message."""

    status: int
    type: str
    message: str
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reply:
    """One reply of the model, or the fault that replaces it."""

    blocks: tuple[Block, ...] = ()
    delay: float = 0.0  # seconds before the first byte
    lasts: float = 0.0  # seconds over which the events are spread
    stop_reason: str | None = None  # None: tool_use after a tool call, else end_turn
    failure: Failure | None = None
    cut_after: int | None = None
    broken: bool = False
    endless: bool = False
    usage: Usage | None = None  # None: counted from the bytes and what the cache holds

    def with_code(self, code: str) -> "Reply":
        """Return the reply with the code in place of its placeholder."""
        blocks = json.dumps(self.blocks)
        if CODE not in blocks:
            return self
        return replace(self, blocks=tuple(json.loads(blocks.replace(CODE, code))))


def tool(name: str, /, **arguments: Any) -> Block:
    """Return a tool call, such as `tool("Bash", command="ls")`."""
    json.dumps(arguments)  # raise TypeError where the scenario is written, not later in a thread
    return {"type": "tool_use", "name": name, "input": arguments}


def answer(*blocks: Block | str, delay: float = 0.0) -> Reply:
    """Return a reply with these blocks; a plain string is a text block."""
    written = ({"type": "text", "text": b} if isinstance(b, str) else b for b in blocks)
    return Reply(tuple(written), delay=delay)


def billed(reply: Reply, usage: Usage) -> Reply:
    """Return the reply with this usage, whatever its length."""
    return replace(reply, usage=usage)


def failure(
    status: int, type: str, message: str, headers: Mapping[str, str] | None = None
) -> Reply:
    """Return an HTTP error in Anthropic's format."""
    return Reply(failure=Failure(status, type, message, headers or {}))


def refusal(message: str) -> Failure:
    """Return a 418: the scenario or its server can't answer.

    No provider sends it, and claude treats it as final. A 400 would be retried five times with
    other beta headers, which would bury the cause in the record.
    """
    return Failure(418, "scripted_model_error", message)


def unauthorized() -> Reply:
    """Return a 401: the key is wrong."""
    return failure(401, "authentication_error", "invalid x-api-key")


def rate_limited(retry_after: int = 1) -> Reply:
    """Return a 429: too many requests, retry after this many seconds."""
    headers = {"retry-after": str(retry_after)}
    return failure(429, "rate_limit_error", "This request would exceed your rate limit.", headers)


def server_error() -> Reply:
    """Return a 500: the provider is broken."""
    return failure(500, "api_error", "Internal server error")


def overloaded() -> Reply:
    """Return a 529: the provider is overloaded."""
    return failure(529, "overloaded_error", "Overloaded")


def slow(reply: Reply, seconds: float) -> Reply:
    """Return the reply with its events spread over this many seconds."""
    return replace(reply, lasts=seconds)


def cut(reply: Reply, after: int) -> Reply:
    """Return the reply cut off after this many events, or in the middle if it isn't streamed."""
    return replace(reply, cut_after=after)


def broken(reply: Reply) -> Reply:
    """Return the reply with its first content garbled into invalid JSON."""
    return replace(reply, broken=True)


def endless(words: str = "and on ") -> Reply:
    """Return a reply that repeats the words until the client or the server ends."""
    return replace(answer(words), endless=True)
