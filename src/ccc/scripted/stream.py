"""A reply as Anthropic's Messages API writes it, whole or as server-sent events."""

import json
import uuid
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from ccc.scripted.reply import Block, Reply, Text, ToolCall
from ccc.scripted.usage import Usage

_PIECE = 32  # characters in a delta
_GARBLED = b'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"del\n\n'


def encoded(value: object) -> bytes:
    """JSON as UTF-8."""
    words = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return words.encode("utf-8", "replace")


def message(reply: Reply, model: str) -> dict[str, Any]:
    """The reply as a message, with new ids and without its usage."""
    calls = any(isinstance(block, ToolCall) for block in reply.blocks)
    return {
        "id": f"msg_{uuid.uuid4().hex}",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [_content(block) for block in reply.blocks],
        "stop_reason": reply.stop_reason or ("tool_use" if calls else "end_turn"),
        "stop_sequence": None,
    }


def whole(reply: Reply, said: Mapping[str, Any], usage: Usage) -> bytes | Iterator[bytes]:
    """The message in one piece, faults applied: bytes, or parts if it never ends."""
    words = encoded({**said, "usage": usage.as_dict()})
    if reply.endless:
        return _spaces()
    if reply.broken:
        return words[: len(words) // 2]
    if reply.cut_after is not None:
        return iter([words[: len(words) // 2]])
    return words


def events(reply: Reply, said: Mapping[str, Any], usage: Usage) -> Iterator[bytes]:
    """The message as server-sent events, faults applied."""
    sent: Iterator[bytes] = (_event(data) for data in _narrated(said, usage, reply.endless))
    if reply.broken:
        sent = _garbled(sent)
    return sent if reply.cut_after is None else islice(sent, reply.cut_after)


def _narrated(said: Mapping[str, Any], usage: Usage, endless: bool) -> Iterator[dict[str, Any]]:
    opening = {**said, "content": [], "stop_reason": None}
    opening["usage"] = {**usage.as_dict(), "output_tokens": 1}
    yield {"type": "message_start", "message": opening}
    for index, block in enumerate(said["content"]):
        yield {"type": "content_block_start", "index": index, "content_block": _empty(block)}
        deltas = list(_deltas(block))
        yield from (_delta(index, delta) for delta in deltas)
        while endless:
            yield from (_delta(index, delta) for delta in deltas)
        yield {"type": "content_block_stop", "index": index}
    ending = {"stop_reason": said["stop_reason"], "stop_sequence": None}
    yield {"type": "message_delta", "delta": ending, "usage": usage.as_dict()}
    yield {"type": "message_stop"}


def _delta(index: int, delta: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "content_block_delta", "index": index, "delta": delta}


def _deltas(block: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    if block["type"] == "text":
        for piece in _pieces(block["text"]):
            yield {"type": "text_delta", "text": piece}
    else:
        for piece in _pieces(json.dumps(block["input"], ensure_ascii=False)):
            yield {"type": "input_json_delta", "partial_json": piece}


def _pieces(words: str) -> Iterator[str]:
    for start in range(0, len(words), _PIECE):
        yield words[start : start + _PIECE]


def _content(block: Block) -> dict[str, Any]:
    match block:
        case Text(text):
            return {"type": "text", "text": text}
        case ToolCall(name, arguments):
            # Random, not counted: a resumed conversation meets the calls of an earlier server.
            id = f"toolu_{uuid.uuid4().hex[:24]}"
            return {"type": "tool_use", "id": id, "name": name, "input": dict(arguments)}


def _empty(block: Mapping[str, Any]) -> dict[str, Any]:
    return {**block, "text": ""} if block["type"] == "text" else {**block, "input": {}}


def _event(data: Mapping[str, Any]) -> bytes:
    return f"event: {data['type']}\ndata: ".encode() + encoded(data) + b"\n\n"


def _garbled(sent: Iterator[bytes]) -> Iterator[bytes]:
    for event in sent:
        yield _GARBLED if event.startswith(b"event: content_block_delta") else event


def _spaces() -> Iterator[bytes]:
    while True:
        yield b" "
