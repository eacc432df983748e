"""Claude's output: what it prints, with secrets removed, and what it writes to stderr."""

import contextlib
import json
import os
from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from ccc.claude.formats import stream
from ccc.claude.formats.command_line import Plan
from ccc.system import private_files, spawn
from ccc.system.spawn import Child
from ccc.text.redaction import Pieces, Redactor, redact

_LONGEST_ERRORS = 10_000_000
_SHOWN_ERRORS = 500


class OutputListener(Struct, frozen=True):
    """The callbacks for claude's output."""

    on_raw: Callable[[str], None]
    on_text: Callable[[str], None]
    on_message: Callable[[dict[str, Any]], None] = lambda message: None
    on_malformed: Callable[[str], None] = lambda line: None
    on_piece: Callable[[str], None] = lambda text: None


class Output(Struct):
    """Removes secrets from claude's output, passes it to the listener and keeps its results."""

    listener: OutputListener
    secrets: Sequence[str] = ()
    results: list[stream.Result] = field(default_factory=list)
    unanswered: set[str] = field(default_factory=set)
    """The messages from ccc that no result has answered yet."""
    _names_messages: bool = False
    """Whether claude says which messages a result answers. Old versions don't."""
    _started: set[str] = field(default_factory=set)  # the messages whose turns have begun
    _pieces: dict[str, Pieces] = field(default_factory=dict)  # the incomplete texts, by kind
    _last: stream.LastMessage = field(default_factory=stream.LastMessage)
    _redactor: Redactor = Redactor(())

    def __post_init__(self) -> None:
        self._redactor = Redactor(self.secrets)

    def read(self, line: str, message: dict[str, Any] | None) -> None:
        """Pass on a line, its message and its texts, and keep a result."""
        if (safe_line := self._redactor.redact_json(line)) != line:
            line, message = safe_line, stream.message(safe_line)
        if message is not None:
            safe = stream.with_pieces(message, self._redact_piece)
            if safe is not message and safe != message:
                line, message = json.dumps(safe, ensure_ascii=False), safe
        self.listener.on_raw(line)
        if message is None:
            self.listener.on_malformed(line)
            return
        is_whole = message.get("type") == "assistant"
        if piece := self._rest_of_text() if is_whole else stream.piece(message):
            self.listener.on_piece(piece)
        self.listener.on_message(message)
        texts = stream.texts(message)
        for text in texts:
            self.listener.on_text(text)
        self._last.see(message, texts)
        self._keep_result(message)

    def _keep_result(self, message: dict[str, Any]) -> None:
        named = stream.named_messages(message) & self.unanswered
        self._names_messages = self._names_messages or bool(named)
        self._started |= named if stream.is_start(message) else set()
        if (result := stream.result(message)) is not None:
            # claude 2.1.225 names no message in the result of a turn that an API error ended
            named = named or (self._started & self.unanswered if result.error else named)
            answered = named if self._names_messages else set(self.unanswered)
            self.unanswered -= answered
            text = self._last.whole(result.text)
            self.results.append(replace(result, text=text, is_answer=bool(answered)))

    @property
    def answers(self) -> list[stream.Result]:
        """Return the results that answer ccc's messages, unlike those of scheduled jobs."""
        return [result for result in self.results if result.is_answer]

    def _redact_piece(self, kind: str, piece: str) -> str:
        return self._pieces.setdefault(kind, Pieces(self._redactor)).feed(piece)

    def _rest_of_text(self) -> str:
        """Return the end of the text, held back because it could have become a secret."""
        rests = {kind: pieces.rest() for kind, pieces in self._pieces.items()}
        return rests.get("text", "")


class ErrorLog:
    """The file that claude's stderr goes to."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._start = 0

    def start(self, plan: Plan, terminal: bool = False) -> Child:
        """Start claude with its stderr going to the file."""
        with open(private_files.open_file(self._path, os.O_WRONLY | os.O_APPEND), "ab") as file:
            self._start = os.fstat(file.fileno()).st_size
            return spawn.start(plan, file.fileno(), terminal)

    def tail(self) -> str:
        """Return the end of what this claude wrote."""
        try:
            with open(self._path, "rb") as file:
                file.seek(self._start)
                return file.read()[-_SHOWN_ERRORS:].decode(errors="replace").strip()
        except OSError:
            return ""

    def redact(self, secrets: Sequence[str]) -> None:
        """Hide the secrets in what this claude wrote, and truncate it if it is too long.

        Claude writes to the file itself, so this is possible only after it has exited.
        """
        # the file is only for people to read
        with (
            contextlib.suppress(OSError),
            open(private_files.open_file(self._path, os.O_RDWR), "r+b") as file,
        ):
            file.seek(self._start)
            text = file.read(_LONGEST_ERRORS).decode(errors="surrogateescape")
            file.seek(self._start)
            file.write(redact(text, secrets).encode(errors="surrogateescape"))
            file.truncate()
