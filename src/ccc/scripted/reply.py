"""What the scripted model says, and how it goes wrong."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ccc.scripted.usage import Usage

CODE = "%code%"
"""A placeholder for the code of the review request that the text answers."""


@dataclass(frozen=True, slots=True)
class Text:
    """A text block."""

    text: str

    def filled(self, gap: str, value: str) -> "Text":
        """Return a copy with the value in place of the placeholder."""
        return Text(self.text.replace(gap, value))


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call of one of the client's tools; the server gives it its id."""

    name: str
    input: Mapping[str, Any]

    def filled(self, gap: str, value: str) -> "ToolCall":
        """Return a copy with the value in place of the placeholder."""
        return ToolCall(self.name, json.loads(json.dumps(self.input).replace(gap, value)))


Block = Text | ToolCall


@dataclass(frozen=True, slots=True)
class Failure:
    """An HTTP error in place of a message."""

    status: int
    type: str
    message: str
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer of the model, or the fault that takes its place."""

    blocks: tuple[Block, ...] = ()
    delay: float = 0.0  # seconds before the first byte
    lasts: float = 0.0  # seconds over which the events are spread
    stop_reason: str | None = None  # None: tool_use after a tool call, else end_turn
    failure: Failure | None = None
    cut_after: int | None = None
    broken: bool = False
    endless: bool = False
    usage: Usage | None = None  # None: counted from the bytes, and by what the cache knows


def text(words: str) -> Text:
    """A text block."""
    return Text(words)


def tool(name: str, /, **arguments: Any) -> ToolCall:
    """A tool call, such as `tool("Bash", command="ls")`."""
    json.dumps(arguments)  # better a TypeError where the scenario is written than in a thread
    return ToolCall(name, arguments)


def answer(*blocks: Block | str, delay: float = 0.0) -> Reply:
    """A reply of these blocks; a plain string is a text block."""
    return Reply(tuple(Text(b) if isinstance(b, str) else b for b in blocks), delay=delay)


def billed(reply: Reply, usage: Usage) -> Reply:
    """Return the reply with this usage, whatever its length."""
    return replace(reply, usage=usage)


def failure(
    status: int, type: str, message: str, headers: Mapping[str, str] | None = None
) -> Reply:
    """An HTTP error in Anthropic's format."""
    return Reply(failure=Failure(status, type, message, headers or {}))


def refused(message: str) -> Failure:
    """418: the scenario or its server can't answer.

    No provider says so, and claude takes it as final; a 400 it tries five times more with other
    beta headers, which would bury the cause in the record.
    """
    return Failure(418, "scripted_model_error", message)


def unauthorized() -> Reply:
    """401: the key is wrong."""
    return failure(401, "authentication_error", "invalid x-api-key")


def rate_limited(retry_after: int = 1) -> Reply:
    """429: too many requests, retry after this many seconds."""
    headers = {"retry-after": str(retry_after)}
    return failure(429, "rate_limit_error", "This request would exceed your rate limit.", headers)


def server_error() -> Reply:
    """500: the provider is broken."""
    return failure(500, "api_error", "Internal server error")


def overloaded() -> Reply:
    """529: the provider is overloaded."""
    return failure(529, "overloaded_error", "Overloaded")


def slow(reply: Reply, seconds: float) -> Reply:
    """Return the reply with its events spread over this many seconds."""
    return replace(reply, lasts=seconds)


def cut(reply: Reply, after: int) -> Reply:
    """The reply with the connection closed after so many events; not streamed, after half of it."""
    return replace(reply, cut_after=after)


def broken(reply: Reply) -> Reply:
    """Return the reply with its first content garbled into invalid JSON."""
    return replace(reply, broken=True)


def endless(words: str = "and on ") -> Reply:
    """Return a reply that repeats the words until the client or the server is gone."""
    return Reply((Text(words),), endless=True)
