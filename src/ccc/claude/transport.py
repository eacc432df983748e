"""The transport between the SDK's client and a claude that is already running."""

import asyncio
import errno
import json
import os
import threading
import uuid
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

from ccc.claude.formats import stream
from ccc.system import spawn
from ccc.system.spawn import Child
from ccc.text import lenient_json

OnLine = Callable[[str, dict[str, Any] | None], None]
OnCall = Callable[[str, dict[str, Any]], Mapping[str, object]]

_CHUNK = 1 << 16
_FLUSH_SECONDS = 0.5
_POLL_SECONDS = 0.5
_REQUEST_ID = "ccc-opening"
_CALLBACK_ID = "ccc-tools"


class _Reader(asyncio.StreamReaderProtocol):
    """Reads a pipe or a pty. The end of a pty is the error EIO."""

    def connection_lost(self, error: Exception | None) -> None:
        is_end = isinstance(error, OSError) and error.errno == errno.EIO
        # an error would discard the data read before it
        super().connection_lost(None if is_end else error)


class Transport:
    """Exchanges lines with claude over a pipe and a pipe or pty, skipping malformed lines.

    It sends the handshake and the first question immediately, before the SDK is imported. The
    SDK's own handshake isn't sent, but gets the answer to the first one. If `on_call` is given,
    claude asks it about each tool call. A review disables the hooks in settings files, but not
    this one.
    """

    def __init__(
        self, child: Child, question: str, on_line: OnLine, on_call: OnCall | None = None
    ) -> None:
        self._child = child
        self._on_line = on_line
        self._on_call = on_call
        self._sdk_request_id = ""
        self._sdk_is_waiting = asyncio.Event()
        self._is_closed = False
        hooks = {"PreToolUse": [{"matcher": None, "hookCallbackIds": [_CALLBACK_ID]}]}
        initialize = {"subtype": "initialize", "hooks": hooks if on_call else None}
        handshake = {"type": "control_request", "request_id": _REQUEST_ID, "request": initialize}
        first = user_message(question)
        self.question_id: str = first["uuid"]
        # in a thread, because a long question doesn't fit into the pipe until claude reads it
        threading.Thread(target=self._open, args=(handshake, first), daemon=True).start()

    def _open(self, *messages: dict[str, Any]) -> None:
        try:
            self._send("".join(json.dumps(message) + "\n" for message in messages))
        except (OSError, ValueError):
            pass  # claude has exited or its pipe is closed, which the reader notices

    def _send(self, data: str) -> None:
        assert self._child.stdin is not None
        view = memoryview(data.encode())
        while view:
            view = view[os.write(self._child.stdin.fileno(), view) :]

    async def connect(self) -> None:
        """Start reading. The process was started earlier and boots during the SDK's import."""
        assert self._child.stdout is not None
        self._reader = asyncio.StreamReader()
        loop = asyncio.get_running_loop()
        await loop.connect_read_pipe(lambda: _Reader(self._reader), self._child.stdout)

    async def write(self, data: str) -> None:
        """Send the SDK's data, except for its handshake."""
        message = lenient_json.parse_object(data)
        if lenient_json.text(message, "request", "subtype") == "initialize":
            self._sdk_request_id = lenient_json.text(message, "request_id")
            self._sdk_is_waiting.set()
        else:
            await asyncio.to_thread(self._send, data)

    async def read_messages(self) -> AsyncIterator[dict[str, Any]]:
        """Yield the messages for the SDK."""
        framer = stream.Framer()
        while chunk := await self._next_chunk():
            for line in framer.feed(chunk):
                if message := await self._read(line):
                    yield message
        for line in framer.rest():
            if message := await self._read(line):
                yield message
        await self._wait_for_end()
        # without an error, the SDK would wait another minute for its handshake
        raise ConnectionError("claude ended")

    async def _next_chunk(self) -> bytes:
        """Return empty bytes once claude has exited, even if one of its children holds the pipe."""
        while True:
            try:
                return await asyncio.wait_for(self._reader.read(_CHUNK), _POLL_SECONDS)
            except TimeoutError:
                if not self.is_ready():
                    return b""

    async def _read(self, line: str) -> dict[str, Any] | None:
        message = stream.message(line)
        self._on_line(line, message)
        if message is None:
            return None
        if lenient_json.text(message, "response", "request_id") == _REQUEST_ID:
            await self._sdk_is_waiting.wait()
            return {
                **message,
                "response": {**message["response"], "request_id": self._sdk_request_id},
            }
        if lenient_json.text(message, "request", "callback_id") == _CALLBACK_ID and self._on_call:
            await asyncio.to_thread(self._send, _reply(message, self._on_call))
            return None
        return message

    async def _wait_for_end(self) -> None:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + _FLUSH_SECONDS
        while self.is_ready() and loop.time() < deadline:
            await asyncio.sleep(0.01)

    async def end_input(self) -> None:
        """Close claude's stdin."""
        if self._child.stdin is not None and not self._child.stdin.closed:
            self._child.stdin.close()

    async def close(self) -> None:
        """Give claude a moment to exit, then end it and everything it started."""
        if not self._is_closed:
            self._is_closed = True
            await self.end_input()
            await self._wait_for_end()
            spawn.end(self._child)

    def is_ready(self) -> bool:
        """Whether claude is still running."""
        return self._child.poll() is None


def user_message(text: str) -> dict[str, Any]:
    """A user message with an id, so that claude's result can say that it was answered."""
    return {
        "type": "user",
        "uuid": str(uuid.uuid4()),
        "message": {"role": "user", "content": text},
        "parent_tool_use_id": None,
        "session_id": "default",
        "client_composed": True,
    }


def _reply(question: dict[str, Any], on_call: OnCall) -> str:
    """The answer to claude's question about a tool call."""
    call = lenient_json.mapping(question, "request", "input")
    output = on_call(str(call.get("tool_name")), lenient_json.mapping(call, "tool_input"))
    response = {"subtype": "success", "request_id": question.get("request_id"), "response": output}
    return json.dumps({"type": "control_response", "response": response}) + "\n"
