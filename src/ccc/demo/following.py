"""The events of an unattended run, read from its records while ccc writes them."""

import sys
from collections import deque
from dataclasses import dataclass, field

from ccc.claude.formats import stream
from ccc.sessions.record import receipts_in
from ccc.sessions.tail import Tail
from ccc.storage import sessions
from ccc.ui.renderer import AGENT, REVIEWER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from ccc.storage.paths import Paths
    from ccc.supervision.receipt import Receipt


@dataclass(frozen=True, slots=True)
class Words:
    """The agent or the reviewer says something."""

    who: str
    text: str


@dataclass(frozen=True, slots=True)
class Call:
    """The agent or the reviewer calls a tool."""

    who: str
    name: str
    given: "Mapping[str, Any]"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a tool call."""

    who: str
    name: str
    text: str
    failed: bool = False


@dataclass(frozen=True, slots=True)
class Stop:
    """A decided stop, with its record."""

    record: "Mapping[str, Any]"

    @property
    def is_reviewed(self) -> bool:
        """Whether there was a review."""
        return bool(self.record.get("tokens"))

    @property
    def failed_checks(self) -> "list[Receipt]":
        """The receipts of the checks that failed."""
        return [each for each in receipts_in(self.record.get("receipts")) if not each.passed]


Event = Words | Call | Outcome | Stop


class Lines:
    """The lines of a growing file, one by one."""

    def __init__(self, path: str) -> None:
        self._tail = Tail(path, before=sys.maxsize)
        self._read: deque[dict[str, Any]] = deque()

    def next(self) -> "dict[str, Any] | None":
        """Return the next line that is a JSON object, or None if there is none yet."""
        if not self._read:
            found = map(stream.message, self._tail.new())
            self._read.extend(each for each in found if each is not None)
        return self._read.popleft() if self._read else None


@dataclass(slots=True)
class Follower:
    """The events of the only session, in order.

    The agent's lines, a review's and the verdicts stand in three files. A turn ends with a
    result; what comes then is a review, where there is one, and the verdict.
    """

    where: "Paths"
    session: str = ""
    _files: "dict[str, Lines]" = field(default_factory=dict)
    _judging: bool = False
    _review_over: bool = False
    _stop: Stop | None = None
    _tools: stream.Tools = field(default_factory=stream.Tools)

    def new(self) -> "Iterator[Event]":
        """Return the events since the last call."""
        if not self.session:
            found = sessions.ids(self.where)
            if not found:
                return
            self.session = found[0]
            self._files = {
                AGENT: Lines(self.where.agent_output(self.session)),
                REVIEWER: Lines(self.where.review_output(self.session)),
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
        """Whether the agent has stopped and the stop is undecided."""
        return self._judging

    def _judged(self) -> "list[Event] | None":
        """Return the next event of a stop in progress, or None if it is not known yet."""
        # in this order: a review line without a verdict belongs to this stop
        if self._stop is None and (record := self._files["verdicts"].next()) is not None:
            self._stop = Stop(record)
        if self._stop is None or (self._stop.is_reviewed and not self._review_over):
            line = self._files[REVIEWER].next()
            if line is None:
                return None
            # further lines may follow the result before the verdict is on record
            self._review_over = self._review_over or line.get("type") == "result"
            return list(self._said(REVIEWER, line))
        stop, self._stop = self._stop, None
        self._judging = self._review_over = False
        return [stop]

    def _said(self, who: str, line: "dict[str, Any]") -> "Iterator[Event]":
        for text in stream.texts(line):
            yield Words(who, text)
        for name, given in stream.calls(line):
            yield Call(who, name, given)
        for name, text, failed in self._tools.results(line):
            yield Outcome(who, name, text, failed)
