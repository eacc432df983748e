"""Encode replies like Anthropic's Messages API, whole or as server-sent events."""

import json
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from itertools import cycle, islice, repeat
from typing import Any

from ccc.scripted.reply import Failure, Reply
from ccc.scripted.usage import Usage

_PIECE = 32  # characters per delta
_GARBLED = b'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"del\n\n'
# Slow enough for a client to keep up, fast enough for a test to see progress.
_ENDLESS_PAUSE = 0.05


@dataclass(frozen=True, slots=True)
class Response:
    """Status, headers and body; a body in parts is sent in chunks, `pause` seconds apart."""

    status: int
    body: bytes | Iterator[bytes]
    headers: Mapping[str, str] = field(default_factory=dict)
    content_type: str = "application/json"
    delay: float = 0.0
    pause: float = 0.0
    cut: bool = False


def json_response(value: object) -> Response:
    """Return a response with a value as JSON."""
    return Response(200, _encode(value))


def error_response(failure: Failure, delay: float = 0.0) -> Response:
    """Return an error in Anthropic's format."""
    error = {"type": failure.type, "message": failure.message}
    body = _encode({"type": "error", "error": error})
    return Response(failure.status, body, failure.headers, delay=delay)


def message(reply: Reply, model: str) -> dict[str, Any]:
    """Return the reply as a message, with new ids and without its usage."""
    content = [dict(block) for block in reply.blocks]
    calls = [block for block in content if block["type"] == "tool_use"]
    for call in calls:
        # Random rather than sequential: a resumed conversation contains ids from an earlier server.
        call["id"] = f"toolu_{uuid.uuid4().hex[:24]}"
    return {
        "id": f"msg_{uuid.uuid4().hex}",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": content,
        "stop_reason": reply.stop_reason or ("tool_use" if calls else "end_turn"),
        "stop_sequence": None,
    }


def message_response(
    reply: Reply, message: Mapping[str, Any], usage: Usage, streams: bool
) -> Response:
    """Return the message in one piece, or as events if the client streams."""
    headers, cut = {"request-id": f"req_{message['id']}"}, reply.cut_after is not None
    pause = _ENDLESS_PAUSE
    if not streams:
        body, delay = _whole(reply, message, usage), reply.delay + reply.lasts
        return Response(200, body, headers, delay=delay, pause=pause, cut=cut)
    events = _events(reply, message, usage)
    if not reply.endless:
        parts = list(events)
        events, pause = iter(parts), reply.lasts / max(1, len(parts))
    kind = "text/event-stream"
    return Response(200, events, headers, kind, delay=reply.delay, pause=pause, cut=cut)


def _encode(value: object) -> bytes:
    words = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return words.encode("utf-8", "replace")


def _whole(reply: Reply, message: Mapping[str, Any], usage: Usage) -> bytes | Iterator[bytes]:
    """Return the message with the reply's faults: bytes, or parts if it is endless or cut off."""
    words = _encode({**message, "usage": asdict(usage)})
    half = words[: len(words) // 2]
    if reply.endless:
        return repeat(b" ")
    if reply.cut_after is not None:
        return iter([half])
    return half if reply.broken else words


def _events(reply: Reply, message: Mapping[str, Any], usage: Usage) -> Iterator[bytes]:
    """Yield the message as server-sent events, with the reply's faults."""
    for event in islice(_event_data(message, usage, reply.endless), reply.cut_after):
        name = event["type"]
        if reply.broken and name == "content_block_delta":
            yield _GARBLED
        else:
            yield f"event: {name}\ndata: ".encode() + _encode(event) + b"\n\n"


def _event_data(
    message: Mapping[str, Any], usage: Usage, endless: bool
) -> Iterator[dict[str, Any]]:
    begin = {**message, "content": [], "stop_reason": None}
    begin["usage"] = {**asdict(usage), "output_tokens": 1}
    yield {"type": "message_start", "message": begin}
    for index, block in enumerate(message["content"]):
        empty: dict[str, object] = {"text": ""} if block["type"] == "text" else {"input": {}}
        yield {"type": "content_block_start", "index": index, "content_block": {**block, **empty}}
        deltas = _deltas(block)
        for delta in cycle(deltas) if endless else deltas:
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    end = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    yield {"type": "message_delta", "delta": end, "usage": asdict(usage)}
    yield {"type": "message_stop"}


def _deltas(block: Mapping[str, Any]) -> list[dict[str, str]]:
    if block["type"] == "text":
        kind, name, words = "text_delta", "text", block["text"]
    else:
        words = json.dumps(block["input"], ensure_ascii=False)
        kind, name = "input_json_delta", "partial_json"
    starts = range(0, len(words), _PIECE)
    return [{"type": kind, name: words[start : start + _PIECE]} for start in starts]
