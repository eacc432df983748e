"""A conversation with a running claude, by the SDK's client."""

import asyncio
import logging
import threading
from collections.abc import AsyncIterator, Callable
from typing import Any

from ccc.claude import sdk
from ccc.claude.output import Output
from ccc.claude.transport import OnCall, Transport, user_message
from ccc.system.spawn import Child

_BOOT_SECONDS = 3.0


class Client:
    """Sends messages to a claude, whose answers appear in `output`."""

    def __init__(
        self, child: Child, question: str, output: Output, on_call: OnCall | None = None
    ) -> None:
        """Send the first question immediately."""
        self.child = child
        self.output = output
        self._transport = Transport(child, question, output.read, on_call)
        output.unanswered.add(self._transport.question_id)
        self._client: Any = None

    async def connect(self) -> None:
        """Connect the SDK after claude has booted, since its import would slow the boot down."""
        await _first_output(self.child)
        await _import_sdk()
        library = sdk.load()
        options = library.ClaudeAgentOptions(verbatim_prompts=True)
        self._client = library.ClaudeSDKClient(options, self._transport)
        await self._client.connect()

    async def ask(self, question: str) -> None:
        """Send another message."""
        message = user_message(question)
        self.output.unanswered.add(message["uuid"])

        async def alone() -> AsyncIterator[dict[str, Any]]:
            yield message

        await self._client.query(alone())

    async def interrupt(self) -> None:
        """Ask claude to stop the turn."""
        await self._client.interrupt()

    async def until_answered(self) -> None:
        """Read until claude has answered everything, in one turn or several."""
        await self.until(lambda: not self.output.unanswered)

    async def until(self, is_done: Callable[[], bool]) -> None:
        """Read until it is done, skipping messages that the SDK can't parse."""
        while not is_done():
            try:
                async for _ in self._client.receive_messages():
                    if is_done():
                        return
            except (AttributeError, LookupError, TypeError, ValueError):
                continue  # the SDK's parser fails on an incomplete message
            except Exception as error:
                if type(error).__name__ != "MessageParseError":
                    raise
                continue
            if not is_done():
                raise ConnectionError("the stream ended before a result")

    async def end(self) -> None:
        """Let claude exit, or end it."""
        if self._client is not None:
            await self._client.disconnect()

    def cause(self, error: Exception) -> str:
        """Describe why the conversation broke off."""
        code = self.child.poll()
        return f"{type(error).__name__}: {error}" + ("" if code is None else f" (exit {code})")


async def _import_sdk() -> None:
    """Import the SDK in a daemon thread, which unlike asyncio's threads doesn't delay the exit.

    Meanwhile the model is working, and Esc is handled.
    """
    loop, done = asyncio.get_running_loop(), asyncio.Event()

    def work() -> None:
        try:
            sdk.load()
        except Exception:
            pass  # the next import raises it again
        try:
            loop.call_soon_threadsafe(done.set)
        except RuntimeError:
            pass  # the loop was closed by an interrupt

    threading.Thread(target=work, daemon=True).start()
    await done.wait()
    # the records already contain what the SDK logs
    logging.getLogger("claude_agent_sdk").addHandler(logging.NullHandler())


async def _first_output(child: Child) -> None:
    assert child.stdout is not None
    loop, has_booted = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(child.stdout, has_booted.set)
    try:
        await asyncio.wait_for(has_booted.wait(), _BOOT_SECONDS)
    except TimeoutError:
        pass
    finally:
        loop.remove_reader(child.stdout)
