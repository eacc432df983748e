"""Our transport under the SDK's client: raw lines kept, malformed ones survived, a bounded end."""

import asyncio
import errno

from claude_agent_sdk import CLIConnectionError, Transport

from ccc.claude import opening
from ccc.claude.formats import stream
from ccc.system import spawn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from typing import Any

    from ccc.system.spawn import Child

_CHUNK = 1 << 16
_FLUSH_SECONDS = 0.5
_LOOK_SECONDS = 0.5


class _Reading(asyncio.StreamReaderProtocol):
    """Reads a pipe, or a pty, whose end is the error EIO."""

    def connection_lost(self, error: Exception | None) -> None:
        """Take the end of a pty as an end: an error would throw away what was read before it."""
        ended = isinstance(error, OSError) and error.errno == errno.EIO
        super().connection_lost(None if ended else error)


class PipeTransport(Transport):
    """Talks with a claude that runs already, through a pipe and its pipe or pty."""

    def __init__(
        self,
        child: "Child",
        begun: opening.Opening,
        on_line: "Callable[[str, dict[str, Any] | None], None]",
    ) -> None:
        self._child = child
        self._begun = begun
        self._shaken = asyncio.Event()
        self._on_line = on_line
        self._closed = False

    async def connect(self) -> None:
        """The process was started before: it boots while the SDK is imported."""
        assert self._child.stdout is not None
        self._reader = asyncio.StreamReader()
        loop = asyncio.get_running_loop()
        await loop.connect_read_pipe(lambda: _Reading(self._reader), self._child.stdout)

    async def write(self, data: str) -> None:
        """Send what the opening has not sent; a pipe without reader ends the conversation."""
        if self._begun.covers(data):
            if self._begun.expected:
                self._shaken.set()
            return
        await asyncio.to_thread(opening.send, self._child, data.encode())

    async def read_messages(self) -> "AsyncIterator[dict[str, Any]]":
        """Each message; a malformed line is kept on record and passed over."""
        framer = stream.Framer()
        while chunk := await self._next():
            for line in framer.feed(chunk):
                if message := await self._seen(line):
                    yield message
        for line in framer.rest():
            if message := await self._seen(line):
                yield message
        deadline = asyncio.get_running_loop().time() + _FLUSH_SECONDS
        while self.is_ready() and asyncio.get_running_loop().time() < deadline:
            await asyncio.sleep(0.01)
        # an error, because the SDK would wait for its handshake for a minute still
        raise CLIConnectionError("claude ended")

    async def _next(self) -> bytes:
        """The next chunk; nothing once claude is gone, even if a child of its holds the pipe."""
        while True:
            try:
                return await asyncio.wait_for(self._reader.read(_CHUNK), _LOOK_SECONDS)
            except TimeoutError:
                if self._child.poll() is not None:
                    return b""

    async def _seen(self, line: str) -> "dict[str, Any] | None":
        message = stream.message(line)
        self._on_line(line, message)
        if message is not None and self._begun.is_answer(message):
            await self._shaken.wait()
            return self._begun.for_sdk(message)
        if message is not None and (reply := self._begun.reply_to(message)):
            await asyncio.to_thread(opening.send, self._child, reply)
            return None
        return message

    async def end_input(self) -> None:
        """Close claude's stdin."""
        if self._child.stdin is not None and not self._child.stdin.closed:
            self._child.stdin.close()

    async def close(self) -> None:
        """Let claude end by itself for a moment, then end it with everything it started."""
        if self._closed:
            return
        self._closed = True
        await self.end_input()
        deadline = asyncio.get_running_loop().time() + _FLUSH_SECONDS
        while self._child.poll() is None and asyncio.get_running_loop().time() < deadline:
            await asyncio.sleep(0.01)
        spawn.end(self._child)

    def is_ready(self) -> bool:
        """Whether claude still runs."""
        return self._child.poll() is None
