"""The agent of an unattended run: one claude over all turns, resumed where it died."""

import asyncio
import os
import sys
import threading
import time
from collections import deque
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from dataclasses import dataclass, field, replace

from ccc.claude import transcripts
from ccc.claude.conversation import Conversation, Ears, Talk
from ccc.claude.formats import environment, stream
from ccc.claude.opening import Opening
from ccc.providers import usage
from ccc.providers.usage import Meter
from ccc.supervision.turn import Turn
from ccc.system import private_files, spawn
from ccc.text import redaction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping
    from sys import UnraisableHookArgs
    from typing import Any

    from ccc.claude.launch_plan import Plan
    from ccc.providers.usage import Used
    from ccc.system.spawn import Child

_STOP_SECONDS = 5.0
_CLOSE_SECONDS = 5.0
_LONG_WAIT_SECONDS = 60.0
_SHOWN_ERRORS = 500
_LOOK_SECONDS = 0.2


@dataclass(slots=True)
class Agent:
    """A claude that is told things from the main thread, and listened to in another."""

    plan: "Callable[[str, bool, float | None], Plan]"
    """How to start claude: the session, whether it is there already, what may be spent.

    The last is None where there is no limit, or where it is ours to hold.
    """
    session: str
    claude_dir: str
    errors: str
    """The file that gets claude's stderr."""
    ears: Ears
    seconds_left: "Callable[[], float | None]"
    dollars_left: "Callable[[], float | None]"
    meter: Meter
    is_priced: bool = False
    """Whether we know what the agent's model costs, and hold the budget ourselves."""
    permission_mode: str = ""
    waits: bool = False
    """Whether a limit is waited for, however long that takes."""
    _loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.new_event_loop)
    _child: "Child | None" = None
    _conversation: Conversation | None = None
    _talk: Talk | None = None
    _retry_after: float = 0.0
    _resets_at: float = 0.0
    _unsaid: deque[str] = field(default_factory=deque)
    """What is to be said besides the message of the turn, as soon as there is one."""
    _said: list[str] = field(default_factory=list)
    _is_open: bool = False
    _interrupted: bool = False
    _bound: asyncio.Timeout | None = None
    _errors_from: int = 0
    _budget: float | None = None
    """What is left of the budget that claude was started with."""
    _used: "Mapping[str, Used]" = field(default_factory=dict)
    """What the session has used so far, by claude's accounting."""
    _is_over: bool = False
    """The turn has cost more than is left."""
    _is_patient: bool = False
    """Claude tells us how long a provider wants us to wait; the waiting is ours."""
    _is_told_to_wait: bool = False
    _last_error: str = ""
    _billed: int = 0
    """How many of the results so far were charged."""
    _spoke: bool = False

    def __post_init__(self) -> None:
        # tasks of the SDK that are left at the end are nobody's business
        self._loop.set_exception_handler(lambda loop, context: None)
        sys.unraisablehook = _unraisable
        threading.Thread(target=self._loop.run_forever, daemon=True).start()

    def turn(self, message: str) -> Turn:
        """Send a message in the same session, and wait for the end of the turn."""
        if self._interrupted:
            return Turn(error="stopped", interrupted=True)
        self._said, self._spoke, self._is_over, self._is_told_to_wait = [], False, False, False
        self._retry_after = self._resets_at = 0.0
        self._keep_within_budget()
        is_new = self._child is None
        try:
            if is_new:
                self._start(message)
            turn = self._do(self._taken(message, is_new))
        except OSError as error:
            turn = Turn(error=f"{type(error).__name__}: {error}", died=True)
        if turn.died or self._is_gone() or self._must_be_patient(turn):
            self._discard()
        self._last_error = turn.error
        if turn.error:
            self._unsaid.extendleft(t for t in reversed(self._said) if not self.heard(t))
        return turn

    def _must_be_patient(self, turn: Turn) -> bool:
        """Whether claude is to be started anew, to tell us what the provider's retry-after is."""
        before = self._is_patient
        unknown = turn.status == 429 and not turn.limit_ends(time.time())
        self._is_patient = before or (self.waits and unknown)
        return self._is_patient and not before

    def _keep_within_budget(self) -> None:
        """Claude knows its budget from its start: where reviews have spent of it, start anew."""
        left = self.dollars_left()
        known = self._budget
        if self._child and left is not None and known is not None and left < known - 1e-9:
            self._discard()

    def heard(self, message: str) -> bool:
        """Whether the message has arrived in the session."""
        return message.strip() in transcripts.read(self.transcript).requests

    @property
    def transcript(self) -> str:
        """The session's file, empty where there is none yet."""
        return transcripts.find(self.claude_dir, self.session)

    def say(self, text: str) -> None:
        """Send a further message: into the turn under way, else into the next one."""
        self._unsaid.append(text)
        self._submit(self._say_all())

    def take_unsaid(self) -> str:
        """The first message that waits for a turn; the caller says it now."""
        return self._unsaid.popleft() if self._unsaid else ""

    def interrupt(self) -> None:
        """Ask claude to stop the turn, and end it where it does not."""
        self._interrupted = True
        self._submit(self._asked_to_stop())

    def close(self) -> None:
        """Leave no process behind."""
        self._discard()
        self._loop.call_soon_threadsafe(self._loop.stop)

    def _start(self, message: str) -> None:
        """Start claude, in the main thread: only there signals can be held off meanwhile."""
        known = self.transcript
        self._used = transcripts.read(known).used
        errors = private_files.open_file(self.errors, os.O_WRONLY | os.O_APPEND)
        self._errors_from = os.fstat(errors).st_size
        try:
            self._budget = None if self.is_priced else self.dollars_left()
            plan = self.plan(self.session, bool(known), self._budget)
            if self._is_patient:
                plan = replace(plan, env={**plan.env, **environment.PATIENT})
            self._child = spawn.start(plan, errors, terminal=True)
        finally:
            os.close(errors)
        self._billed = 0
        ears = self.ears
        keys = redaction.keys_of(plan.env)
        self._talk = Talk(ears.on_raw, ears.on_text, self._noticed, ears.on_malformed, secrets=keys)
        self._conversation = Conversation(self._child, Opening(self._child, message), self._talk)

    def _noticed(self, message: "dict[str, Any]") -> None:
        self.session = stream.session(message) or self.session
        kind = (message.get("type"), message.get("subtype"))
        if kind == ("system", "init"):
            self.permission_mode = str(message.get("permissionMode") or "")
        elif (again := stream.retry(message)) is not None:
            self._retry_after = again.seconds
            self._hear_of_wait(again)
        elif end := stream.limit_end(message):
            self._resets_at = end
        self._spoke = self._spoke or message.get("type") == "assistant"
        self.meter.see(message)
        self._hold_budget(message)
        piece = stream.piece(message)
        if message.get("type") == "assistant" and self._talk is not None:
            piece = self._talk.held_back()
        if piece:
            self.ears.on_piece(piece)
        self.ears.on_message(message)

    def _hear_of_wait(self, again: stream.Retry) -> None:
        """Take the waiting over from a claude that would wait for as long as it takes."""
        if self._is_patient and again.cause == "429" and not self._is_told_to_wait:
            self._is_told_to_wait = True
            if again.seconds > _LONG_WAIT_SECONDS:
                self._resets_at = time.time() + again.seconds
            self._submit(self._asked_to_stop())

    def _hold_budget(self, message: "dict[str, Any]") -> None:
        """Stop a turn that goes on after the request that passed the budget."""
        # what a request says is paid for: it is heard to its end
        if self._is_over or not stream.ends_request(message):
            return
        left = self.dollars_left()
        self._is_over = left is not None and self.meter.usd >= left
        if self._is_over and stream.goes_on(message):
            self._submit(self._asked_to_stop())

    async def _taken(self, message: str, is_new: bool) -> Turn:
        """The turn, within its time; past that claude is asked to stop, then ended."""
        assert self._conversation is not None
        assert self._talk is not None
        before = len(self._talk.results)
        late = False
        try:
            try:
                async with asyncio.timeout(self._seconds()) as self._bound:
                    if is_new:
                        await self._conversation.begin()
                    else:
                        self._talk.unanswered.clear()
                        await self._conversation.ask(message)
                    self._is_open = True
                    await self._say_all()
                    await self._conversation.until(lambda: self._is_done(before))
            except TimeoutError:
                late = not self._is_stopping
                if late:
                    await self._stopped(before)
        except Exception as error:  # the SDK raises bare ones too
            if not self._is_stopping and not late:
                cause = f"{self._conversation.cause(error)} {self._last_errors()}".strip()
                cause = redaction.redacted(cause, self._talk.secrets)
                return self._charged(Turn(error=cause, died=True, spoke=self._spoke), [])
        finally:
            self._is_open = False
        return self._concluded(before, late)

    async def _say_all(self) -> None:
        """Say what is to be said besides, where a turn is under way."""
        while self._is_open and self._unsaid and self._conversation is not None:
            text = self._unsaid.popleft()
            self._said.append(text)
            await self._conversation.ask(text)

    def _seconds(self) -> float | None:
        """How long the turn may take; little where the person said stop before it began."""
        return _STOP_SECONDS if self._interrupted else self.seconds_left()

    def _is_done(self, before: int) -> bool:
        """Whether all that was said is answered; a claude that was asked to stop just stops."""
        assert self._talk is not None
        if self._is_stopping:
            return len(self._talk.results) > before
        return not self._talk.unanswered

    @property
    def _is_stopping(self) -> bool:
        """Whether claude was asked to stop."""
        return self._interrupted or self._is_over or self._is_told_to_wait

    async def _stopped(self, before: int) -> None:
        """Ask claude to stop and wait for its result; it is ended where none comes."""
        assert self._conversation is not None
        assert self._talk is not None
        results = self._talk.results
        async with asyncio.timeout(_STOP_SECONDS):
            await self._conversation.interrupt()
            await self._conversation.until(lambda: len(results) > before)

    async def _asked_to_stop(self) -> None:
        """Ask claude to stop; the turn that is waited for ends soon, with a result or without."""
        if self._bound is not None:
            self._bound.reschedule(self._loop.time() + _STOP_SECONDS)
        if self._conversation is not None:
            await self._conversation.interrupt()

    def _concluded(self, before: int, late: bool) -> Turn:
        assert self._talk is not None
        results = self._talk.results[self._billed :]
        self._billed = len(self._talk.results)
        if self._billed == before:
            # it did not stop when it was asked to
            assert self._child is not None
            spawn.end(self._child)
            ended = Turn(
                error="stopped", late=late, interrupted=self._interrupted, spent=self._is_over
            )
            return self._charged(ended, results)
        # a scheduled job's turn costs, and says nothing to us
        last = ([result for result in results if result.is_answer] or results)[-1]
        stopped = late or self._is_stopping
        turn = Turn(
            text=last.text,
            error=last.error or ("stopped" if stopped else ""),
            status=last.status,
            retry_after=self._retry_after,
            tokens=usage.add(result.tokens for result in results),
            resets_at=self._resets_at,
            denied=tuple(dict.fromkeys(call for result in results for call in result.denied)),
            late=late,
            spent=last.over_budget or self._is_over,
            interrupted=self._interrupted,
        )
        return self._charged(self._as_told_to_wait(turn), results)

    def _as_told_to_wait(self, turn: Turn) -> Turn:
        """The turn as the provider ended it, where we stopped it for that alone."""
        if not self._is_told_to_wait or turn.ended:
            return turn
        return replace(turn, text="", error=self._last_error or "API Error: 429", status=429)

    def _charged(self, turn: Turn, results: "list[stream.Result]") -> Turn:
        """The turn with what it has cost."""
        used = stream.used(results, self._used)
        if results:
            self._used = results[-1].used
        estimate = usage.estimate(used)
        if self._budget is not None:
            self._budget -= estimate
        cost = self.meter.bill(used)
        spoke = turn.spoke or (self._spoke and estimate > 0)
        return replace(turn, cost_usd=cost.usd, cost_source=cost.source, spoke=spoke)

    def _last_errors(self) -> str:
        """The end of what this claude wrote on stderr."""
        try:
            with open(self.errors, "rb") as file:
                file.seek(self._errors_from)
                return file.read()[-_SHOWN_ERRORS:].decode(errors="replace").strip()
        except OSError:
            return ""

    def _is_gone(self) -> bool:
        return self._child is not None and self._child.poll() is not None

    def _discard(self) -> None:
        """End claude, where there is one."""
        child, conversation = self._child, self._conversation
        self._child = self._conversation = None
        if conversation is not None:
            try:
                self._submit(conversation.end()).result(_CLOSE_SECONDS)
            except Exception:
                pass  # the SDK's; what counts is that the process is ended
        if child is not None:
            spawn.end(child)
        if self._talk is not None:
            self._talk.ended(self.errors, self._errors_from)

    def _submit(self, work: "Coroutine[Any, Any, Any]") -> "Any":
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def _do(self, work: "Coroutine[Any, Any, Turn]") -> Turn:
        going: Future[Turn] = self._submit(work)
        while True:
            try:
                return going.result(_LOOK_SECONDS)
            except FutureTimeout:
                # a signal that another thread got is handled here, now
                if going.done():
                    raise


def _unraisable(told: "UnraisableHookArgs") -> None:
    """Say nothing of a coroutine that does not like to be thrown away: the SDK's, at the end."""
    # Python 3.14 has the name alone
    name = told.err_msg or ""
    if not asyncio.iscoroutine(told.object) and "<coroutine object" not in name:
        sys.__unraisablehook__(told)
