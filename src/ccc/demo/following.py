"""What happens in an unattended run, read from its records as they are written."""

import json
from dataclasses import dataclass, field

from ccc.claude import stream
from ccc.storage import sessions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from ccc.storage.paths import Paths

AGENT, SUPERVISOR = "agent", "supervisor"


@dataclass(frozen=True, slots=True)
class Words:
    """Somebody says something."""

    who: str
    text: str


@dataclass(frozen=True, slots=True)
class Call:
    """Somebody calls a tool."""

    who: str
    name: str
    given: "Mapping[str, Any]"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a tool gave to the one who called it."""

    who: str
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Stop:
    """A stop is decided; the record of it."""

    record: "Mapping[str, Any]"

    @property
    def is_reviewed(self) -> bool:
        """Whether a supervisor was asked."""
        return bool(self.record.get("tokens"))

    @property
    def failed_checks(self) -> "list[Mapping[str, Any]]":
        """The receipts of checks that did not pass."""
        return [receipt for receipt in self.receipts if receipt.get("exit_code") != 0]

    @property
    def receipts(self) -> "list[Mapping[str, Any]]":
        """The receipts of all checks that were run."""
        found = self.record.get("receipts")
        return list(found) if isinstance(found, list) else []


Event = Words | Call | Outcome | Stop


class Lines:
    """The complete lines that were added to a file since the last look."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._at = 0
        self._read: list[dict[str, Any]] = []

    def next(self) -> "dict[str, Any] | None":
        """The next line that is an object; None where there is none yet."""
        if not self._read:
            self._look()
        return self._read.pop(0) if self._read else None

    def _look(self) -> None:
        try:
            with open(self._path, "rb") as file:
                file.seek(self._at)
                added = file.read()
        except OSError:
            return
        whole = added[: added.rfind(b"\n") + 1]
        self._at += len(whole)
        for line in whole.decode(errors="replace").splitlines():
            value = stream.message(line)
            if value is not None:
                self._read.append(value)


@dataclass(slots=True)
class Follower:
    """The events of the one session there is, in the order in which they happened.

    The agent's lines, a review's and the verdicts stand in three files. A turn ends with a
    result; what comes then is a review, where there is one, and the verdict.
    """

    where: "Paths"
    session: str = ""
    _files: "dict[str, Lines]" = field(default_factory=dict)
    _judging: bool = False
    _review_over: bool = False
    _stop: Stop | None = None
    _names: dict[str, str] = field(default_factory=dict)

    def new(self) -> "Iterator[Event]":
        """What has happened since the last look."""
        if not self.session:
            found = sessions.ids(self.where)
            if not found:
                return
            self.session = found[0]
            self._files = {
                AGENT: Lines(self.where.agent_output(self.session)),
                SUPERVISOR: Lines(self.where.review_output(self.session)),
                "verdicts": Lines(self.where.verdicts(self.session)),
            }
        while True:
            if not self._judging:
                line = self._files[AGENT].next()
                if line is None:
                    return
                yield from self._said(AGENT, line)
                self._judging = line.get("type") == "result"
                continue
            event = self._judged()
            if event is None:
                return
            yield from event

    @property
    def is_judging(self) -> bool:
        """Whether the agent has stopped, and the stop is not decided."""
        return self._judging

    def _judged(self) -> "list[Event] | None":
        """What comes next while a stop is judged; None where that is not known yet."""
        # in this order: a review line that is there without a verdict is of this stop
        if self._stop is None and (record := self._files["verdicts"].next()) is not None:
            self._stop = Stop(record)
        if self._stop is None or (self._stop.is_reviewed and not self._review_over):
            line = self._files[SUPERVISOR].next()
            if line is None:
                return None
            self._review_over = line.get("type") == "result"
            return list(self._said(SUPERVISOR, line))
        stop, self._stop = self._stop, None
        self._judging = self._review_over = False
        return [stop]

    def _said(self, who: str, line: "dict[str, Any]") -> "Iterator[Event]":
        for text in stream.texts(line):
            yield Words(who, text)
        for call, name, given in _calls(line):
            self._names[call] = name
            yield Call(who, name, given)
        for call, text in _results(line):
            yield Outcome(who, self._names.get(call, ""), text)


def _calls(line: "dict[str, Any]") -> "Iterator[tuple[str, str, dict[str, Any]]]":
    if line.get("type") != "assistant":
        return
    for block in _content(line):
        if block.get("type") == "tool_use":
            given = block.get("input")
            named = given if isinstance(given, dict) else {}
            yield str(block.get("id")), str(block.get("name")), named


def _results(line: "dict[str, Any]") -> "Iterator[tuple[str, str]]":
    if line.get("type") != "user":
        return
    for block in _content(line):
        if block.get("type") == "tool_result":
            yield str(block.get("tool_use_id")), _text(block.get("content"))


def _content(line: "dict[str, Any]") -> "list[dict[str, Any]]":
    body = line.get("message")
    content = body.get("content") if isinstance(body, dict) else None
    blocks = content if isinstance(content, list) else []
    return [block for block in blocks if isinstance(block, dict)]


def _text(content: object) -> str:
    if isinstance(content, list):
        return "\n".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else json.dumps(content)
