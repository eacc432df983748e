"""A review: a claude asked for a verdict, through the SDK's client on our transport."""

import asyncio
import signal
import time

from ccc.claude.conversation import Conversation, Talk
from ccc.claude.opening import Opening
from ccc.system import spawn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from ccc.claude.formats import stream
    from ccc.claude.launch_plan import Plan
    from ccc.system.spawn import Child


class Interrupted(BaseException):
    """The person pressed Esc: claude ended its hook."""


class Failed(Exception):
    """The review came to no result; the message is the cause."""


def review(
    plan: "Plan",
    questions: "Callable[[list[stream.Result]], str]",
    talk: Talk,
    errors: int,
    timeout: float,
    on_call: "Callable[[str, Any], Mapping[str, object]]",
    meanwhile: "Callable[[], None]" = lambda: None,
) -> "list[stream.Result]":
    """Ask what `questions` says, given the results so far, until it says nothing more.

    `on_call` answers claude's question about a call of a tool. `meanwhile` is done while claude
    boots, before it is asked anything. The first question is sent before the SDK, which takes a
    while to import, is there to send it.
    Raises Failed with the cause, TimeoutError or Interrupted; no process is left in any case.
    """
    until = time.monotonic() + timeout
    try:
        child = spawn.start(plan, errors)
    except (OSError, ValueError) as error:
        raise Failed(f"{plan.argv[0]}: {getattr(error, 'strerror', error)}") from None
    before = {number: signal.getsignal(number) for number in spawn.END_SIGNALS}
    interrupted: list[int] = []
    try:
        meanwhile()
        opening = Opening(child, questions([]), on_call)
        results = asyncio.run(_bounded(child, opening, questions, talk, until, interrupted))
        if interrupted:
            # it came when the work was done already, and is no less meant
            raise Interrupted
        return results
    finally:
        for number, handler in before.items():
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, handler)
        spawn.end(child)


async def _bounded(
    child: "Child",
    opening: Opening,
    questions: "Callable[[list[stream.Result]], str]",
    talk: Talk,
    until: float,
    interrupted: list[int],
) -> "list[stream.Result]":
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task is not None

    def interrupt() -> None:
        spawn.end(child)
        task.cancel()

    def heard(number: int, frame: object) -> None:
        interrupted.append(number)
        spawn.handle_end_signals(signal.SIG_IGN)
        try:
            loop.call_soon_threadsafe(interrupt)
        except RuntimeError:  # the loop is over
            raise Interrupted from None

    # the loop's own handlers would leave the default ones behind, which end us with a signal
    spawn.handle_end_signals(heard, also_ignored=False)
    try:
        async with asyncio.timeout(max(0.0, until - time.monotonic())):
            return await _converse(child, opening, questions, talk)
    except asyncio.CancelledError:
        if interrupted:
            raise Interrupted from None
        raise


async def _converse(
    child: "Child", opening: Opening, questions: "Callable[[list[stream.Result]], str]", talk: Talk
) -> "list[stream.Result]":
    conversation = Conversation(child, opening, talk)
    try:
        await conversation.begin()
        # the opening has asked the first question
        await conversation.until_answered()
        while question := questions(talk.answers):
            await conversation.ask(question)
            await conversation.until_answered()
    except Exception as error:  # the SDK raises bare ones too
        if not talk.answers:
            raise Failed(conversation.cause(error)) from None
    finally:
        await conversation.end()
    return talk.answers
