"""The conversation with a reviewer; imported after its claude was started, which then boots."""

import asyncio
import signal
import time

from ccc.claude.conversation import ControlledClaude
from ccc.claude.review_process import Failed, Interrupted, ReviewProcess
from ccc.system import spawn
from ccc.system.spawn import Child


def hold(process: ReviewProcess, child: Child, until: float) -> None:
    """Ask until there are no more questions; raise Interrupted if a signal ended it."""
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
        question = process.next_question([])
        conversation = ControlledClaude(child, question, process.output, process.on_call)
        try:
            runner.run(_converse(process, conversation, until))
        finally:
            # even after the last answer: the user wants to interrupt
            if signals:
                raise Interrupted


async def _converse(process: ReviewProcess, conversation: ControlledClaude, until: float) -> None:
    output = process.output
    try:
        async with asyncio.timeout(max(0.0, until - time.monotonic())):
            await conversation.connect()
            await conversation.until_answered()
            while question := process.next_question(output.answers):
                await conversation.ask(question)
                await conversation.until_answered()
    except TimeoutError:
        raise
    except Exception as error:  # the SDK also raises bare exceptions
        if not output.answers:
            raise Failed(conversation.cause(error)) from None
    finally:
        await conversation.end()
