"""A conversation with a running claude, by the client of claude-agent-sdk.

Imported after that claude was started: it boots meanwhile.
"""

import asyncio
import contextlib
import errno
import json
import logging
import select
import signal
import threading
import time
import uuid
from collections.abc import AsyncIterator, Callable
from typing import Any

from ccc.claude.formats import stream
from ccc.claude.output import Output
from ccc.claude.review_process import Failed, Interrupted, NextQuestion, OnCall
from ccc.storage import files
from ccc.system import spawn
from ccc.system.spawn import Child
from ccc.text import lenient_json

_BOOT_SECONDS = 3.0
_FLUSH_SECONDS = 0.5
_POLL_SECONDS = 0.5
_CHUNK = 1 << 16
_FOR_SDK = ("control_request", "control_response", "control_cancel_request")
_REQUEST_ID = "ccc-opening"
_CALLBACK_ID = "ccc-tools"


class ControlledClaude:
    """Sends messages to a claude, whose answers appear in `output`.

    The handshake and the first question are sent before the SDK is imported, which takes 0.85 s.
    """

    def __init__(
        self, child: Child, question: str, output: Output, on_call: OnCall | None = None
    ) -> None:
        self.child = child
        self.output = output
        self._on_call = on_call
        self._transport = _Transport(child, output)
        self._client: Any = None
        hooks = {"PreToolUse": [{"matcher": None, "hookCallbackIds": [_CALLBACK_ID]}]}
        opening = {"subtype": "initialize", "hooks": hooks if on_call else None}
        handshake = {"type": "control_request", "request_id": _REQUEST_ID, "request": opening}
        messages = handshake, {**self._new_message(question), "client_composed": True}
        data = "".join(json.dumps(message) + "\n" for message in messages)
        # in a thread, because a long question doesn't fit into the pipe until claude reads it
        threading.Thread(target=self._transport.send, args=(data,), daemon=True).start()
        _import_sdk(child)

    async def connect(self) -> None:
        """Connect the SDK's client."""
        import claude_agent_sdk as sdk

        matcher: Any = sdk.HookMatcher(hooks=[self._answer_call])
        hooks: Any = {"PreToolUse": [matcher]} if self._on_call else None
        options = sdk.ClaudeAgentOptions(verbatim_prompts=True, hooks=hooks)
        self._client = sdk.ClaudeSDKClient(options, self._transport)  # type: ignore[arg-type]
        await self._client.connect()

    async def _answer_call(self, call: Any, *_: object) -> Any:
        assert self._on_call is not None
        tool, arguments = str(call.get("tool_name")), lenient_json.mapping(call, "tool_input")
        return self._on_call(tool, arguments)

    async def ask(self, question: str) -> None:
        """Send another message."""

        async def alone(message: dict[str, Any]) -> AsyncIterator[dict[str, Any]]:
            yield message

        await self._client.query(alone(self._new_message(question)))

    def _new_message(self, text: str) -> dict[str, Any]:
        """Return a message with an id, so that claude's result can say that it was answered."""
        message = {
            "type": "user",
            "uuid": str(uuid.uuid4()),
            "message": {"role": "user", "content": text},
            "parent_tool_use_id": None,
            "session_id": "default",
        }
        self.output.unanswered.add(str(message["uuid"]))
        return message

    async def interrupt(self) -> None:
        """Ask claude to stop the turn."""
        await self._client.interrupt()

    async def until_answered(self) -> None:
        """Wait until claude has answered everything, in one turn or several."""
        await self.until(lambda: not self.output.unanswered)

    async def until(self, is_done: Callable[[], bool]) -> None:
        """Wait until it is done; raise the error that ended the reading before."""
        while not is_done():
            if self._transport.error is not None:
                raise self._transport.error
            await self._transport.next_line()

    async def end(self) -> None:
        """Let claude exit, or end it."""
        if self._client is not None:
            await self._client.disconnect()

    def cause(self, error: Exception) -> str:
        """Describe why the conversation broke off."""
        code = self.child.poll()
        kind = "" if isinstance(error, ConnectionError) else f"{type(error).__name__}: "
        return f"{kind}{error}" + ("" if code is None else f" (exit {code})")


def hold_review(
    child: Child, next_question: NextQuestion, output: Output, *, on_call: OnCall, until: float
) -> None:
    """Ask a reviewer until there are no more questions; raise Interrupted if a signal ended it."""
    signals: list[int] = []
    with asyncio.Runner() as runner:
        loop = runner.get_loop()

        def on_signal(number: int, frame: object) -> None:
            signals.append(number)
            spawn.handle_end_signals(signal.SIG_IGN)
            if not loop.is_running():
                raise Interrupted
            loop.call_soon_threadsafe(spawn.end, child)

        # asyncio's signal handlers would restore the default ones, which end ccc with a signal
        spawn.handle_end_signals(on_signal, also_ignored=False)
        conversation = ControlledClaude(child, next_question([]), output, on_call)
        try:
            runner.run(_converse(conversation, next_question, until))
        finally:
            # even after the last answer: the user wants to interrupt
            if signals:
                raise Interrupted


async def _converse(
    conversation: ControlledClaude, next_question: NextQuestion, until: float
) -> None:
    output = conversation.output
    try:
        async with asyncio.timeout(max(0.0, until - time.monotonic())):
            await conversation.connect()
            await conversation.until_answered()
            while question := next_question(output.answers):
                await conversation.ask(question)
                await conversation.until_answered()
    except TimeoutError:
        raise
    except Exception as error:  # the SDK also raises bare exceptions
        if not output.answers:
            raise Failed(conversation.cause(error)) from None
    finally:
        await conversation.end()


def _import_sdk(child: Child) -> None:
    """Import the SDK after claude has booted, since the import would slow the boot down."""
    assert child.stdout is not None
    select.select([child.stdout], [], [], _BOOT_SECONDS)
    import claude_agent_sdk  # noqa: F401

    # the records already contain what the SDK logs
    logging.getLogger("claude_agent_sdk").addHandler(logging.NullHandler())


class _Transport:
    """Exchanges lines with a claude that is already running; the SDK's `Transport`.

    Every line goes to the output, and only those of the control protocol to the SDK. The SDK's own
    handshake isn't sent, but gets the answer to the first one.
    """

    def __init__(self, child: Child, output: Output) -> None:
        self.error: Exception | None = None
        """Why nothing is read any more."""
        assert child.stdin is not None
        assert child.stdout is not None
        self._child, self._stdin, self._stdout = child, child.stdin, child.stdout
        self._output = output
        self._news = asyncio.Event()
        self._handshake: asyncio.Future[dict[str, Any]] | None = None
        self._is_closed = False

    def send(self, data: str) -> None:
        """Write to claude, which may take until it reads."""
        with contextlib.suppress(OSError, ValueError):  # it has exited, which the reader notices
            files.write_all(self._stdin.fileno(), data.encode())

    async def connect(self) -> None:
        """Start reading."""
        loop = asyncio.get_running_loop()
        self._handshake = loop.create_future()
        self._reader = asyncio.StreamReader()
        await loop.connect_read_pipe(lambda: _Protocol(self._reader), self._stdout)

    async def write(self, data: str) -> None:
        """Send the SDK's data, except for its handshake."""
        message = json.loads(data)
        if lenient_json.text(message, "request", "subtype") != "initialize":
            await asyncio.to_thread(self.send, data)
        elif self._handshake is not None:
            self._handshake.set_result(message)

    async def read_messages(self) -> AsyncIterator[dict[str, Any]]:
        """Read claude's lines, and yield the messages for the SDK."""
        framer = stream.Framer()
        try:
            is_open = True
            while is_open:
                is_open = bool(chunk := await self._next_chunk())
                for line in framer.feed(chunk) if is_open else framer.rest():
                    message = stream.message(line)
                    self._output.read(line, message)
                    self._news.set()
                    if message and message.get("type") in _FOR_SDK:
                        yield await self._for_sdk(message)
            await self._wait_for_end()
            # without an error, the SDK would wait another minute for its handshake
            raise ConnectionError("claude ended")
        except Exception as error:
            self.error = error
            raise
        finally:
            self._news.set()

    async def next_line(self) -> None:
        """Wait until something was read, or nothing will be."""
        await self._news.wait()
        self._news.clear()

    async def _next_chunk(self) -> bytes:
        """Return empty bytes once claude has exited, even if one of its children holds the pipe."""
        while True:
            try:
                return await asyncio.wait_for(self._reader.read(_CHUNK), _POLL_SECONDS)
            except TimeoutError:
                if not self.is_ready():
                    return b""

    async def _for_sdk(self, message: dict[str, Any]) -> dict[str, Any]:
        """Return the message with the names that the SDK gave in its handshake."""
        assert self._handshake is not None
        own = await self._handshake
        if lenient_json.text(message, "response", "request_id") == _REQUEST_ID:
            response = {**message["response"], "request_id": own["request_id"]}
            return {**message, "response": response}
        if lenient_json.text(message, "request", "callback_id") == _CALLBACK_ID:
            (matcher,) = own["request"]["hooks"]["PreToolUse"]
            callback = {"callback_id": matcher["hookCallbackIds"][0]}
            return {**message, "request": {**message["request"], **callback}}
        return message

    async def _wait_for_end(self) -> None:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + _FLUSH_SECONDS
        while self.is_ready() and loop.time() < deadline:
            await asyncio.sleep(0.01)

    async def end_input(self) -> None:
        """Close claude's stdin."""
        self._stdin.close()

    async def close(self) -> None:
        """Give claude a moment to exit, then end it and everything it started."""
        if not self._is_closed:
            self._is_closed = True
            await self.end_input()
            await self._wait_for_end()
            spawn.end(self._child)

    def is_ready(self) -> bool:
        """Return whether claude is still running."""
        return self._child.poll() is None


class _Protocol(asyncio.StreamReaderProtocol):
    """Reads a pipe or a pty. The end of a pty is the error EIO."""

    def connection_lost(self, error: Exception | None) -> None:
        is_end = isinstance(error, OSError) and error.errno == errno.EIO
        # an error would discard the data read before it
        super().connection_lost(None if is_end else error)
