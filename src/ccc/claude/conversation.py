"""A conversation with a claude that runs: the SDK's client on our transport."""

import asyncio
import json
import logging
import os
import threading
from dataclasses import dataclass, field, replace

from ccc.claude import opening, sdk
from ccc.claude.formats import stream
from ccc.system import private_files
from ccc.text.redaction import Pieces, redacted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence
    from typing import Any

    from ccc.claude.opening import Opening
    from ccc.system.spawn import Child

_BOOT_SECONDS = 3.0
_LONGEST_ERRORS = 10_000_000


@dataclass(slots=True)
class Ears:
    """Who is told of what claude says."""

    on_raw: "Callable[[str], None]"
    on_text: "Callable[[str], None]"
    on_message: "Callable[[dict[str, Any]], None]" = lambda message: None
    on_malformed: "Callable[[str], None]" = lambda line: None
    on_piece: "Callable[[str], None]" = lambda text: None


@dataclass(slots=True)
class Talk(Ears):
    """What claude said, as it came."""

    secrets: "Sequence[str]" = ()
    """What must be in nothing that is kept or shown, whoever says it."""
    results: list[stream.Result] = field(default_factory=list)
    unanswered: set[str] = field(default_factory=set)
    """The messages that ccc sent and that no result has answered yet."""
    _names_messages: bool = False
    """Claude says which messages a result answers; an old one does not."""
    malformed: int = 0
    _pieces: dict[str, Pieces] = field(default_factory=dict)
    """What is under way, by its kind."""
    _last: stream.LastMessage = field(default_factory=stream.LastMessage)

    def line(self, line: str, message: "dict[str, Any] | None") -> None:
        """Keep a line, show its text, note a result."""
        if (hidden := redacted(line, self.secrets)) != line:
            line, message = hidden, stream.message(hidden)
        if message is not None:
            safe = stream.with_pieces(message, self._feed)
            if safe != message:
                line, message = json.dumps(safe, ensure_ascii=False), safe
        self.on_raw(line)
        if message is None:
            self.malformed += 1
            self.on_malformed(line)
            return
        self.on_message(message)
        for text in stream.texts(message):
            self.on_text(text)
        self._last.see(message)
        named = stream.named_messages(message) & self.unanswered
        self._names_messages = self._names_messages or bool(named)
        if (result := stream.result(message)) is not None:
            answered = named if self._names_messages else set(self.unanswered)
            self.unanswered -= answered
            text = self._last.whole(result.text)
            self.results.append(replace(result, text=text, is_answer=bool(answered)))

    @property
    def answers(self) -> list[stream.Result]:
        """The results of turns that answer ccc's messages; a scheduled job's does not."""
        return [result for result in self.results if result.is_answer]

    def _feed(self, kind: str, piece: str) -> str:
        """A piece without what is secret, or may become so."""
        return self._pieces.setdefault(kind, Pieces(self.secrets)).feed(piece)

    def held_back(self) -> str:
        """The end of the text under way, which could have become a secret and did not."""
        held = {kind: pieces.rest() for kind, pieces in self._pieces.items()}
        return held.get("text", "")

    def ended(self, errors: str, start: int) -> None:
        """Hide the secrets in what claude added to the file of its stderr, and cut what is endless.

        It writes there by itself, so this can be done only once it has ended.
        """
        try:
            file = private_files.open_file(errors, os.O_RDWR)
        except OSError:
            return
        try:
            said = os.pread(file, _LONGEST_ERRORS, start)
            text = redacted(said.decode(errors="surrogateescape"), self.secrets)
            hidden = text.encode(errors="surrogateescape")
            if hidden != said or len(said) == _LONGEST_ERRORS:
                os.pwrite(file, hidden, start)
                os.ftruncate(file, start + len(hidden))
        except OSError:
            pass  # it is for people to look at
        finally:
            os.close(file)


class Conversation:
    """Messages to one claude, and the results of its turns."""

    def __init__(self, child: "Child", begun: "Opening", talk: Talk) -> None:
        self._child = child
        self._opening = begun
        self._talk = talk
        talk.unanswered.add(begun.uuid)
        self._client: Any = None

    async def begin(self) -> None:
        """Connect, once claude has booted; the opening has asked the first question by then."""
        await _first_output(self._child)
        # the model is at work in the meantime; in a thread, so that Esc is heard
        await _in_a_thread(sdk.load)
        from ccc.claude.transport import PipeTransport

        library = sdk.load()

        transport = PipeTransport(self._child, self._opening, self._talk.line)
        options = library.ClaudeAgentOptions(verbatim_prompts=True)
        self._client = library.ClaudeSDKClient(options, transport)
        await self._client.connect()

    async def ask(self, question: str) -> None:
        """Send a further message."""
        message = opening.message(question)
        self._talk.unanswered.add(message["uuid"])
        await self._client.query(_alone(message))

    async def interrupt(self) -> None:
        """Ask claude to stop the turn."""
        await self._client.interrupt()

    async def until_answered(self) -> None:
        """Read on until claude has answered all that it was asked, in one turn or several."""
        await self.until(lambda: not self._talk.unanswered)

    async def until(self, is_done: "Callable[[], bool]") -> None:
        """Read on until it is done; what the SDK can't read is passed over."""
        library = sdk.load()
        while not is_done():
            try:
                async for _ in self._client.receive_messages():
                    if is_done():
                        return
            except library.ClaudeSDKError as error:
                if type(error).__name__ != "MessageParseError":
                    raise
                continue
            except (AttributeError, LookupError, TypeError, ValueError):
                continue  # the SDK's parser trips over half a message
            if not is_done():
                raise library.CLIConnectionError("the stream ended before a result")

    async def end(self) -> None:
        """Let claude end, or end it."""
        if self._client is not None:
            await self._client.disconnect()

    def cause(self, error: Exception) -> str:
        """Why the conversation broke off."""
        code = self._child.poll()
        ended = "" if code is None else f" (exit {code})"
        return f"{type(error).__name__}: {error}{ended}"


async def _alone(message: "dict[str, Any]") -> "AsyncIterator[dict[str, Any]]":
    """The one message, as the SDK takes those that are whole."""
    yield message


async def _in_a_thread(load: "Callable[[], object]") -> None:
    """Wait for an import in a thread that nobody waits for at the end, unlike asyncio's own."""
    loop, done = asyncio.get_running_loop(), asyncio.Event()

    def work() -> None:
        try:
            load()
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
