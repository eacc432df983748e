"""A review: a claude asked for a verdict, through the SDK's client on our transport."""

import asyncio
import logging
import signal
import threading
import time
from dataclasses import dataclass, field

from ccc.claude import process, stream
from ccc.claude.opening import Opening

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ccc.claude.plan import Plan
    from ccc.claude.process import Child

_BOOT_SECONDS = 3.0
_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


class Interrupted(BaseException):
    """The person pressed Esc: claude ended its hook."""


class Failed(Exception):
    """The review came to no result; the message is the cause."""


@dataclass(slots=True)
class Talk:
    """What the reviewer said, as it came."""

    on_raw: "Callable[[str], None]"
    on_text: "Callable[[str], None]"
    results: list[stream.Result] = field(default_factory=list)
    malformed: int = 0

    def line(self, line: str, message: "dict[str, Any] | None") -> None:
        """Keep a line, show its text, note a result."""
        self.on_raw(line)
        if message is None:
            self.malformed += 1
            return
        for text in stream.texts(message):
            self.on_text(text)
        if (result := stream.result(message)) is not None:
            self.results.append(result)


def review(
    plan: "Plan",
    questions: "Callable[[list[stream.Result]], str]",
    talk: Talk,
    errors: int,
    timeout: float,
    meanwhile: "Callable[[], None]" = lambda: None,
) -> list[stream.Result]:
    """Ask what `questions` says, given the results so far, until it says nothing more.

    `meanwhile` is done while claude boots, before it is asked anything. The first question is
    sent before the SDK, which takes 0.6 s to import, is there to send it.
    Raises Failed with the cause, TimeoutError or Interrupted; no process is left in any case.
    """
    until = time.monotonic() + timeout
    try:
        child = process.start(plan, errors)
    except OSError as error:
        raise Failed(f"{plan.argv[0]}: {error.strerror}") from None
    before = {number: signal.getsignal(number) for number in _SIGNALS}
    try:
        meanwhile()
        opening = Opening(child, questions([]))
        return asyncio.run(_bounded(child, opening, questions, talk, until))
    finally:
        for number, handler in before.items():
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, handler)
        process.end(child)


async def _bounded(
    child: "Child",
    opening: Opening,
    questions: "Callable[[list[stream.Result]], str]",
    talk: Talk,
    until: float,
) -> list[stream.Result]:
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task is not None
    interrupted = False

    def interrupt() -> None:
        nonlocal interrupted
        interrupted = True
        process.end(child)
        task.cancel()

    def heard(number: int, frame: object) -> None:
        for repeated in _SIGNALS:
            signal.signal(repeated, signal.SIG_IGN)
        try:
            loop.call_soon_threadsafe(interrupt)
        except RuntimeError:  # the loop is over
            raise Interrupted from None

    for number in _SIGNALS:
        # the loop's own handlers would leave the default ones behind, which end us with a signal
        signal.signal(number, heard)
    try:
        async with asyncio.timeout(max(0.0, until - time.monotonic())):
            return await _converse(child, opening, questions, talk)
    except asyncio.CancelledError:
        if interrupted:
            raise Interrupted from None
        raise


async def _converse(
    child: "Child",
    opening: Opening,
    questions: "Callable[[list[stream.Result]], str]",
    talk: Talk,
) -> list[stream.Result]:
    await _first_output(child)
    # the model is at work in the meantime; in a thread, so that Esc is heard
    await _imported("ccc.claude.transport")
    import claude_agent_sdk as sdk

    from ccc.claude.transport import PipeTransport

    client = sdk.ClaudeSDKClient(
        sdk.ClaudeAgentOptions(verbatim_prompts=True), PipeTransport(child, opening, talk.line)
    )
    try:
        await client.connect()
        # the opening has asked the first question
        await _until_result(client, talk, 1)
        while question := questions(talk.results):
            wanted = len(talk.results) + 1
            await client.query(question)
            await _until_result(client, talk, wanted)
    except Exception as error:  # the SDK raises bare ones too
        if not talk.results:
            raise Failed(_cause(child, error)) from None
    finally:
        await client.disconnect()
    return talk.results


async def _imported(name: str) -> None:
    """Wait for an import in a thread that nobody waits for at the end, unlike asyncio's own."""
    loop, done = asyncio.get_running_loop(), asyncio.Event()

    def work() -> None:
        try:
            __import__(name)
        except Exception:
            pass  # the import that follows says it
        try:
            loop.call_soon_threadsafe(done.set)
        except RuntimeError:
            pass  # interrupted meanwhile

    threading.Thread(target=work, daemon=True).start()
    await done.wait()
    # what the SDK logs is on record already
    logging.getLogger("claude_agent_sdk").addHandler(logging.NullHandler())


async def _first_output(child: "Child") -> None:
    """Wait until claude has booted: the SDK's import would take the processor from it."""
    assert child.stdout is not None
    loop, booted = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(child.stdout, booted.set)
    try:
        await asyncio.wait_for(booted.wait(), _BOOT_SECONDS)
    except TimeoutError:
        pass
    finally:
        loop.remove_reader(child.stdout)


async def _until_result(client: "Any", talk: Talk, wanted: int) -> None:
    """Read on until the turn has its result; a message that the SDK can't read is passed over."""
    import claude_agent_sdk as sdk

    while len(talk.results) < wanted:
        try:
            async for _ in client.receive_messages():
                if len(talk.results) >= wanted:
                    return
        except sdk.ClaudeSDKError as error:
            if type(error).__name__ != "MessageParseError":
                raise
            continue
        except (AttributeError, LookupError, TypeError, ValueError):
            continue  # the SDK's parser trips over half a message
        if len(talk.results) < wanted:
            raise sdk.CLIConnectionError("the stream ended before a result")


def _cause(child: "Child", error: Exception) -> str:
    code = child.poll()
    ended = "" if code is None else f" (exit {code})"
    return f"{type(error).__name__}: {error}{ended}"
