"""What goes back over the wire."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ccc.scripted.reply import Failure, Reply
from ccc.scripted.stream import encoded, events, whole
from ccc.scripted.usage import Usage

# Slow enough for a client to keep up, fast enough for a test to see progress.
_ENDLESS_PAUSE = 0.05


@dataclass(frozen=True, slots=True)
class Response:
    """Status, headers and body; a body in parts is sent in chunks, `pause` seconds apart."""

    status: int
    body: bytes | Iterator[bytes]
    content_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    pause: float = 0.0
    cut: bool = False


def plain(value: object) -> Response:
    """A value as JSON."""
    return Response(200, encoded(value))


def failed(failure: Failure, delay: float = 0.0) -> Response:
    """An error in Anthropic's format."""
    error = {"type": failure.type, "message": failure.message}
    body = encoded({"type": "error", "error": error})
    return Response(failure.status, body, headers=failure.headers, delay=delay)


def spoken(reply: Reply, said: Mapping[str, Any], usage: Usage, streams: bool) -> Response:
    """The reply as a message, or as events if the client streams."""
    pause = _ENDLESS_PAUSE if reply.endless else 0.0
    body: bytes | Iterator[bytes]
    if streams:
        kind, delay, body = "text/event-stream", reply.delay, events(reply, said, usage)
        if reply.lasts and not reply.endless:
            parts = list(body)
            body, pause = iter(parts), reply.lasts / max(1, len(parts))
    else:
        kind, delay = "application/json", reply.delay + reply.lasts
        body = whole(reply, said, usage)
    headers = {"request-id": f"req_{said['id']}"}
    return Response(200, body, kind, headers, delay, pause, cut=reply.cut_after is not None)
