"""The scripted model's replies, in the format of Anthropic's Messages API."""

import json
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import Any

from ccc.scripted.request import Request
from ccc.scripted.usage import Usage

CODE = "%code%"  # A placeholder for the code of the review request that the text answers
_PIECE = 32  # characters per delta

Block = Mapping[str, Any]
"""A content block in the format of Anthropic's API; a tool call gets its id when it is sent."""
Bill = Callable[[Sequence[Block]], Usage]
"""Returns the usage of a request with this answer."""


@dataclass(frozen=True, slots=True)
class Response:
    """An HTTP response; a body in parts is sent in chunks."""

    status: int
    body: bytes | Iterator[bytes]
    headers: Mapping[str, str] = field(default_factory=dict)
    content_type: str = "application/json"
    delay: float = 0.0  # seconds before the first byte
    usage: Usage | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """One reply of the model."""

    blocks: tuple[Block, ...] = ()
    delay: float = 0.0

    def respond(self, request: Request, bill: Bill) -> Response:
        """Return the message in one piece, or as server-sent events if the client streams."""
        content = json.loads(json.dumps(self.blocks).replace(CODE, request.code))
        calls = [block for block in content if block["type"] == "tool_use"]
        for call in calls:
            # Not sequential: a resumed conversation contains ids from an earlier server.
            call["id"] = f"toolu_{uuid.uuid4().hex[:24]}"
        message = {
            "id": f"msg_{uuid.uuid4().hex}",
            "type": "message",
            "role": "assistant",
            "model": request.model,
            "content": content,
            "stop_reason": "tool_use" if calls else "end_turn",
            "stop_sequence": None,
        }
        usage, headers = bill(content), {"request-id": f"req_{message['id']}"}
        response = partial(Response, 200, headers=headers, delay=self.delay, usage=usage)
        if not request.streams:
            return response(body=encode({**message, "usage": asdict(usage)}))
        events = map(_encode_event, _events(message, usage))
        return response(body=events, content_type="text/event-stream")


def tool(name: str, /, **arguments: Any) -> Block:
    """Return a tool call, such as `tool("Bash", command="ls")`."""
    json.dumps(arguments)  # raise TypeError where the reply is written, not later in a thread
    return {"type": "tool_use", "name": name, "input": arguments}


def answer(*blocks: Block | str, delay: float = 0.0) -> Reply:
    """Return a reply with these blocks; a plain string is a text block."""
    written = ({"type": "text", "text": b} if isinstance(b, str) else b for b in blocks)
    return Reply(tuple(written), delay=delay)


def error(
    status: int, type: str, message: str, headers: Mapping[str, str] | None = None
) -> Response:
    """Return an HTTP error in Anthropic's format."""
    body = encode({"type": "error", "error": {"type": type, "message": message}})
    return Response(status, body, headers or {})


def encode(value: object) -> bytes:
    """Return the value as JSON."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "replace")


def _encode_event(event: Mapping[str, Any]) -> bytes:
    return f"event: {event['type']}\ndata: ".encode() + encode(event) + b"\n\n"


def _events(message: Mapping[str, Any], usage: Usage) -> Iterator[dict[str, Any]]:
    begin = {**message, "content": [], "stop_reason": None}
    begin["usage"] = {**asdict(usage), "output_tokens": 1}
    yield {"type": "message_start", "message": begin}
    for index, block in enumerate(message["content"]):
        empty: dict[str, object] = {"text": ""} if block["type"] == "text" else {"input": {}}
        yield {"type": "content_block_start", "index": index, "content_block": {**block, **empty}}
        for delta in _deltas(block):
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    end = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    yield {"type": "message_delta", "delta": end, "usage": asdict(usage)}
    yield {"type": "message_stop"}


def _deltas(block: Block) -> Iterator[dict[str, str]]:
    if block["type"] == "text":
        kind, name, text = "text_delta", "text", block["text"]
    else:
        text = json.dumps(block["input"], ensure_ascii=False)
        kind, name = "input_json_delta", "partial_json"
    for start in range(0, len(text), _PIECE):
        yield {"type": kind, name: text[start : start + _PIECE]}
