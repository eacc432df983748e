"""The conversation with a reviewer; imported after its claude was started, which then boots."""

import asyncio
import signal
import time

from ccc.claude.client import Client
from ccc.claude.review_process import Failed, Interrupted, ReviewProcess
from ccc.system import end_signals, spawn
from ccc.system.spawn import Child


def hold(process: ReviewProcess, child: Child, until: float, signals: list[int]) -> None:
    """Ask until there are no more questions. `signals` receives the number of one that ended it."""
    client = Client(child, process.next_question([]), process.output, process.on_call)
    asyncio.run(_converse_until(until, process, client, signals))


async def _converse_until(
    until: float, process: ReviewProcess, client: Client, signals: list[int]
) -> None:
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task is not None

    def interrupt() -> None:
        spawn.end(client.child)
        task.cancel()

    def on_signal(number: int, frame: object) -> None:
        signals.append(number)
        end_signals.handle(signal.SIG_IGN)
        try:
            loop.call_soon_threadsafe(interrupt)
        except RuntimeError:  # the loop is closed
            raise Interrupted from None

    # asyncio's signal handlers would restore the default ones, which end ccc with a signal
    end_signals.handle(on_signal, also_ignored=False)
    try:
        async with asyncio.timeout(max(0.0, until - time.monotonic())):
            await _converse(process, client)
    except asyncio.CancelledError:
        if signals:
            raise Interrupted from None
        raise


async def _converse(process: ReviewProcess, client: Client) -> None:
    try:
        await client.connect()
        await client.until_answered()
        while question := process.next_question(process.output.answers):
            await client.ask(question)
            await client.until_answered()
    except Exception as error:  # the SDK also raises bare exceptions
        if not process.output.answers:
            raise Failed(client.cause(error)) from None
    finally:
        await client.end()
