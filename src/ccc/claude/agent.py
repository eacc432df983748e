"""The agent of an unattended run: one claude for all turns, resumed if it dies."""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from ccc.claude import transcript_files
from ccc.claude.controlled_claude import ControlledClaude
from ccc.claude.formats import environment, stream, usage, usage_limit
from ccc.claude.formats.command_line import Plan
from ccc.claude.formats.usage import Used
from ccc.claude.loop_thread import LoopThread
from ccc.claude.output import ErrorLog, Output, OutputListener
from ccc.claude.turn import Turn
from ccc.providers.prices import Meter
from ccc.system import spawn
from ccc.text import redaction

_STOP_SECONDS = 5.0


class Process(Struct):
    """A claude process, and the part of its usage that has been charged."""

    client: ControlledClaude
    errors: ErrorLog
    used: Mapping[str, Used]  # the session's usage so far, according to claude
    budget: float | None  # the rest of the budget that claude was started with
    charged_results: int = 0

    def take_results(self) -> Sequence[stream.Result]:
        """Return the results since the last call."""
        results = self.client.output.results
        new, self.charged_results = results[self.charged_results :], len(results)
        return new

    def charge(self, results: Sequence[stream.Result]) -> Mapping[str, Used]:
        """Return the usage of these results, and take it from the budget."""
        used = stream.usage_of(results, self.used)
        self.used = results[-1].used if results else self.used
        if self.budget is not None:
            self.budget -= usage.estimate(used)
        return used


class Progress(Struct):
    """The state of the current turn."""

    results_before: int = 0
    also_sent: list[str] = field(default_factory=list)
    is_open: bool = False
    deadline: asyncio.Timeout | None = None
    retry_after: float = 0.0
    resets_at: float = 0.0
    has_spoken: bool = False
    is_late: bool = False
    is_over_budget: bool = False
    limited: int = 0  # the status of the API error after which ccc waits, and not claude


class Agent(Struct):
    """A claude that gets messages from the main thread and is read in another."""

    plan: Callable[[str, bool, float | None], Plan]
    """Plans a start of claude from the session, whether it exists, and claude's budget."""
    session: str
    claude_dir: str
    stderr_file: str
    listener: OutputListener
    seconds_left: Callable[[], float | None]
    dollars_left: Callable[[], float | None]
    meter: Meter
    is_priced: bool = False
    """Whether the price of the agent's model is known, so that ccc enforces the budget."""
    permission_mode: str = ""
    _loop: LoopThread = field(default_factory=LoopThread)
    _process: Process | None = None
    _progress: Progress = field(default_factory=Progress)
    _queue: deque[str] = field(default_factory=deque)
    """Extra messages, which are sent as soon as a turn is open."""
    _is_interrupted: bool = False

    def turn(self, message: str) -> Turn:
        """Send a message in the same session and wait for the end of the turn."""
        if self._is_interrupted:
            return Turn(error="stopped", interrupted=True)
        self._progress = Progress()
        self._restart_for_budget()
        try:
            process, question = self._process, message
            if process is None:
                process, question = self._start(message), ""
            turn = self._loop.run(self._take_turn(process, question))
        except OSError as error:
            turn = Turn(error=f"{type(error).__name__}: {error}", died=True)
        has_ended = self._process is not None and self._process.client.child.poll() is not None
        if turn.died or has_ended:
            self._end_process()
        if turn.error:
            lost = [text for text in self._progress.also_sent if not self.has_received(text)]
            self._queue.extendleft(reversed(lost))
        return turn

    def has_received(self, message: str) -> bool:
        """Return whether the session's transcript contains the message."""
        return message.strip() in transcript_files.read(self.transcript).requests

    @property
    def transcript(self) -> str:
        """The path of the session's file; empty if there is none yet."""
        return transcript_files.find(self.claude_dir, self.session)

    def send(self, text: str) -> None:
        """Send another message in the current turn, or else in the next one."""
        self._queue.append(text)
        self._loop.submit(self._send_queue())

    def next_queued(self) -> str:
        """Remove and return the first message that is waiting for a turn."""
        return self._queue.popleft() if self._queue else ""

    def interrupt(self) -> None:
        """Ask claude to stop the turn, and end claude if it doesn't."""
        self._is_interrupted = True
        self._loop.submit(self._request_stop())

    def close(self) -> None:
        """End claude and the event loop."""
        self._end_process()
        self._loop.close()

    def _start(self, message: str) -> Process:
        """Start claude. Call this in the main thread, which alone can hold off signals."""
        transcript = self.transcript
        budget = None if self.is_priced else self.dollars_left()
        plan = self.plan(self.session, bool(transcript), budget)
        plan = replace(plan, env={**plan.env, **environment.PATIENT})
        errors = ErrorLog(self.stderr_file)
        child = errors.start(plan, terminal=True)
        listener = replace(self.listener, on_message=self._on_message)
        client = ControlledClaude(child, message, Output(listener, redaction.keys_of(plan.env)))
        used = transcript_files.read(transcript).used
        self._process = Process(client, errors, used, budget)
        return self._process

    def _end_process(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        try:
            self._loop.submit(process.client.end()).result(_STOP_SECONDS)
        except Exception:
            pass  # an error in the SDK doesn't matter, because the process is ended next
        spawn.end(process.client.child)
        process.errors.redact(process.client.output.secrets)

    def _restart_for_budget(self) -> None:
        """End claude if reviews used part of its budget, which is fixed when claude starts."""
        left, budget = self.dollars_left(), self._process.budget if self._process else None
        if left is not None and budget is not None and left < budget - 1e-9:
            self._end_process()

    async def _take_turn(self, process: Process, question: str) -> Turn:
        """Take the turn within its time limit. After that, ask claude to stop, then end it."""
        client, output, progress = process.client, process.client.output, self._progress
        progress.results_before = len(output.results)

        def is_done() -> bool:
            has_result = len(output.results) > progress.results_before
            # after a request to stop, claude doesn't answer every message
            return has_result if self._is_stopping or progress.is_late else not output.unanswered

        try:
            try:
                seconds = _STOP_SECONDS if self._is_interrupted else self.seconds_left()
                async with asyncio.timeout(seconds) as progress.deadline:
                    if question:
                        output.unanswered.clear()
                        await client.ask(question)
                    else:
                        await client.connect()
                    progress.is_open = True
                    await self._send_queue()
                    await client.until(is_done)
            except TimeoutError:
                progress.is_late = not self._is_stopping
                if progress.is_late:
                    async with asyncio.timeout(_STOP_SECONDS):
                        await client.interrupt()
                        await client.until(is_done)
        except Exception as error:  # the SDK also raises bare exceptions
            if not self._is_stopping and not progress.is_late:
                cause = f"{client.cause(error)} {process.errors.tail()}".strip()
                cause = redaction.redact(cause, output.secrets)
                turn = Turn(error=cause, died=True, spoke=progress.has_spoken)
                return self._charge(process, turn, [])
        finally:
            progress.is_open = False
        return self._conclude(process)

    async def _send_queue(self) -> None:
        while self._progress.is_open and self._queue and self._process is not None:
            text = self._queue.popleft()
            self._progress.also_sent.append(text)
            await self._process.client.ask(text)

    async def _request_stop(self) -> None:
        if deadline := self._progress.deadline:
            deadline.reschedule(asyncio.get_running_loop().time() + _STOP_SECONDS)
        if self._process is not None:
            await self._process.client.interrupt()

    @property
    def _is_stopping(self) -> bool:
        progress = self._progress
        return self._is_interrupted or progress.is_over_budget or bool(progress.limited)

    def _on_message(self, message: dict[str, Any]) -> None:
        progress = self._progress
        self.session = stream.session(message) or self.session
        if (message.get("type"), message.get("subtype")) == ("system", "init"):
            self.permission_mode = str(message.get("permissionMode") or "")
        elif (retry := usage_limit.parse_retry(message)) is not None:
            progress.retry_after = retry.seconds
            self._take_over_waiting(retry)
        elif end := usage_limit.limit_end(message):
            progress.resets_at = end
        progress.has_spoken = progress.has_spoken or message.get("type") == "assistant"
        self.meter.see(message)
        self._keep_budget(message)
        self.listener.on_message(message)

    def _take_over_waiting(self, retry: usage_limit.Retry) -> None:
        """Stop a patient claude, which would otherwise wait by itself for any length of time."""
        if retry.is_last and not self._progress.limited:
            self._progress.limited = int(retry.cause)
            if retry.is_providers and not self._progress.resets_at:
                self._progress.resets_at = time.time() + retry.seconds
            self._loop.submit(self._request_stop())

    def _keep_budget(self, message: dict[str, Any]) -> None:
        """Stop a turn that continues after the request that exceeded the budget."""
        # the request is already paid for, so its answer is read to the end
        if self._progress.is_over_budget or not stream.ends_request(message):
            return
        left = self.dollars_left()
        self._progress.is_over_budget = left is not None and self.meter.so_far().usd >= left
        if self._progress.is_over_budget and stream.goes_on(message):
            self._loop.submit(self._request_stop())

    def _conclude(self, process: Process) -> Turn:
        progress, all_results = self._progress, process.client.output.results
        turn = Turn(
            error="stopped" if progress.is_late or self._is_stopping else "",
            late=progress.is_late,
            interrupted=self._is_interrupted,
            spent=progress.is_over_budget,
        )
        results = process.take_results()
        if len(all_results) == progress.results_before:
            spawn.end(process.client.child)  # it didn't stop when asked
            return self._charge(process, replace(turn, error="stopped"), results)
        # a scheduled job's turn costs money but doesn't answer ccc
        last = ([result for result in results if result.is_answer] or results)[-1]
        turn = replace(
            turn,
            text=last.text,
            error=last.error or turn.error,
            status=last.status,
            retry_after=progress.retry_after,
            tokens=usage.add(result.tokens for result in results),
            resets_at=progress.resets_at,
            denied=tuple(dict.fromkeys(call for result in results for call in result.denied)),
            spent=last.over_budget or turn.spent,
        )
        if progress.limited and not turn.final_outcome:
            # ccc stopped the turn, but the provider is the cause
            said = transcript_files.read(self.transcript).api_error or progress.limited
            error = redaction.redact(f"API Error: {said}", process.client.output.secrets)
            turn = replace(turn, text="", error=error, status=progress.limited)
        return self._charge(process, turn, results)

    def _charge(self, process: Process, turn: Turn, results: Sequence[stream.Result]) -> Turn:
        used = process.charge(results)
        spoke = turn.spoke or (self._progress.has_spoken and usage.estimate(used) > 0)
        return replace(turn, cost=self.meter.bill(used), spoke=spoke)
