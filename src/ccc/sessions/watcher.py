"""Watch the sessions on this machine by polling their states, verdicts and raw output."""

import os
import time
from collections import deque
from collections.abc import Iterable, Iterator

from msgspec import Struct, field
from msgspec.structs import replace

from ccc import words
from ccc.claude.formats import stream
from ccc.claude.formats.transcript import parse_time
from ccc.model import record
from ccc.model.overview import CHECKING, ENDED, REVIEWING, WORKING, Overview
from ccc.model.record import SessionRecord
from ccc.model.round import Round
from ccc.sessions import events, overview_reader
from ccc.sessions.events import Event
from ccc.sessions.record_file import Tail
from ccc.storage import sessions
from ccc.storage.paths import Paths, display_path
from ccc.supervision import verdict
from ccc.system import terminal
from ccc.text import lenient_json
from ccc.ui import formatting

_MOST_SESSIONS = 30
_DAY = 86_400
_MOST_QUESTIONS = 50
"""How many sessions that asked something are watched besides the last changed ones."""
_MOST_EVENTS = 400
_MOST_BYTES = 256 * 1024
_LONGEST_TEXT = 4_000
_KIND_WIDTH = 7
_MESSAGES = ("on", "off", "stop", "check", "review", "ended")


class WatchedSession:
    """A session that is being watched."""

    def __init__(self, where: Paths, session: str, since: float) -> None:
        self.session = session
        self.events: deque[Event] = deque(maxlen=_MOST_EVENTS)
        self.seen: Overview | None = None
        self.rounds: list[Round] = []
        self._told: set[tuple[int, float, float]] = set()
        """The rounds that were on record once, also in a file that was replaced."""
        self._stop: Overview | None = None
        """The last look at a stop while it was being decided."""
        self._since = since
        self._where = where
        self._changed_at = 0.0
        self._reviewer = Tail(where.review_output(session), _MOST_BYTES)
        self._agent = Tail(where.agent_output(session), _MOST_BYTES)
        self._verdicts = Tail(where.verdicts(session), overview_reader.MOST_VERDICTS)

    @property
    def record(self) -> SessionRecord:
        """The session with its rounds so far."""
        assert self.seen is not None
        return SessionRecord(self.seen, tuple(self.rounds))

    def poll(self, changed_at: float, now: float) -> list[Event]:
        """Return what happened since the last call."""
        is_first = self.seen is None
        # the state first, because the other files already contain every decision that it mentions
        fresh = list(self._poll_state(changed_at))
        earlier, news = self._poll_messages(is_first)
        self.events.extend(self._stamp(earlier, now))
        fresh += news
        fresh += self._poll_verdicts(is_first)
        fresh.sort(key=lambda event: event.kind == "ended")
        stamped = self._stamp(fresh, now)
        self.events.extend(stamped)
        return stamped

    def _poll_messages(self, is_first: bool) -> tuple[list[Event], list[Event]]:
        """Return what was said before the first look, and what is news; each oldest first."""
        agent, reviewer = self._agent.new(), self._reviewer.new()
        if is_first:
            agent, reviewer = _last_conversation(agent), _last_conversation(reviewer)
        phase = self.seen.phase if self.seen else ""
        is_review_last = _is_review_last(agent, reviewer, phase)
        turn, review = list(message_events(agent, False)), list(message_events(reviewer, True))
        messages = turn + review if is_review_last else review + turn
        if not is_first:
            return [], messages
        if is_review_last and phase == REVIEWING:
            return turn, review
        return messages, []

    def _stamp(self, changes: Iterable[Event], now: float) -> list[Event]:
        return [replace(event, session=self.session, at=now) for event in changes]

    def _poll_state(self, changed_at: float) -> Iterator[Event]:
        before = self.seen
        if changed_at == self._changed_at and (before is None or before.phase == ENDED):
            return
        after = overview_reader.read(self._where, self.session)
        if after is None:
            return
        self.seen, self._changed_at = after, changed_at
        self._stop = after if after.is_stopping else self._stop
        yield from events.changes(before, after)

    def _poll_verdicts(self, is_first: bool) -> Iterator[Event]:
        lines = self._verdicts.new()
        if self._verdicts.has_restarted:
            self.rounds.clear()
        for each in record.rounds(lines):
            self.rounds.append(each)
            identity = (each.number, each.stopped_at, each.decided_at)
            # records have a resolution of one second
            is_fresh = not is_first or each.decided_at >= int(self._since)
            if is_fresh and identity not in self._told:
                yield from events.round_events(each, self._stop)
            self._told.add(identity)


def message_events(lines: Iterable[str], is_reviewer: bool) -> Iterator[Event]:
    """Yield what the agent or the reviewer says and calls in its raw lines."""
    says, calls = ("says", "looks") if is_reviewer else ("agent", "tool")
    for message in filter(None, map(stream.message, lines)):
        for text in stream.texts(message):
            # the verdict is shown when it is on record
            if shown := verdict.without(text) if is_reviewer else text:
                yield Event(says, shown[:_LONGEST_TEXT])
        for name, given in stream.calls(message):
            yield Event(calls, formatting.call_text(name, given))


def _last_conversation(lines: list[str]) -> list[str]:
    """Return the lines of the last conversation."""
    for position in range(len(lines) - 1, -1, -1):
        if '"init"' in lines[position][:200]:
            return lines[position:]
    return lines


def _is_review_last(agent: list[str], reviewer: list[str], phase: str) -> bool:
    """Return whether the review came last: by the times of both, else by what goes on now."""
    if agent and reviewer:
        agent_at, reviewer_at = _last_time(agent), _last_time(reviewer)
        if agent_at and reviewer_at:
            return reviewer_at > agent_at
    return phase not in (WORKING, CHECKING)


def _last_time(lines: list[str]) -> float:
    """Return the time of the last message that has one; 0 if none has, as in old versions."""
    for line in reversed(lines):
        if at := parse_time(lenient_json.text(stream.message(line) or {}, "timestamp")):
            return at
    return 0.0


class Watcher(Struct):
    """Watches all sessions, or only one."""

    where: Paths
    only: str = ""
    most: int = _MOST_SESSIONS  # how many sessions are watched, the last changed ones
    keeps_questions: bool = False
    """Whether a session that was seen asking something is shown until its state changes: for more
    than a day, and although it is no longer among the `most`. That holds for 50 such sessions."""
    questions: set[str] = field(default_factory=set)
    """The sessions that were seen asking something; the next watcher may start with them."""
    watched: dict[str, WatchedSession] = field(default_factory=dict)
    order: list[str] = field(default_factory=list)
    """The sessions to show, most recently changed first."""
    _since: float = field(default_factory=time.time)
    _directory: int = -1
    _newest: list[tuple[float, str]] = field(default_factory=list)

    def poll(self) -> list[Event]:
        """Return what happened in all sessions since the last call."""
        now = time.time()
        happened: list[Event] = []
        self.order = []
        for changed_at, session in self._list_newest(now):
            if session not in self.watched:
                self.watched[session] = WatchedSession(self.where, session, self._since)
            each = self.watched[session]
            happened += each.poll(changed_at, now)
            if (seen := each.seen) is None:
                continue
            asks = self.keeps_questions and bool(seen.waits_for)
            (self.questions.add if asks else self.questions.discard)(session)
            is_recent = changed_at > now - _DAY
            if self.only or asks or seen.is_open or (is_recent and seen.was_supervised):
                self.order.append(session)
        return happened

    def forget_others(self) -> None:
        """Forget the sessions that the last look didn't include."""
        looked_at = {session for _, session in self._newest}
        self.watched = {name: each for name, each in self.watched.items() if name in looked_at}

    @property
    def is_full(self) -> bool:
        """Whether there may be more sessions than are watched."""
        return len(self._newest) >= self.most

    @property
    def shown(self) -> list[Overview]:
        """The sessions to show."""
        return [seen for session in self.order if (seen := self.watched[session].seen) is not None]

    def line(self, event: Event) -> str:
        """Describe the event on one line, with its time and session."""
        moment = time.strftime("%H:%M:%S", time.localtime(event.at))
        text = describe(event)
        if event.kind == "session":
            seen = self.watched[event.session].record.overview
            state = (formatting.switch(seen.is_on), formatting.phase(seen.phase))
            parts = filter(None, (display_path(seen.directory), seen.provider, *state))
            text = terminal.plain(" · ".join(parts))
        return f"{moment}  {event.session[:8]}  {event.kind:<{_KIND_WIDTH}}  {text}".rstrip()

    def _list_newest(self, now: float) -> list[tuple[float, str]]:
        # every change of a state creates a file, so an unchanged directory need not be listed
        try:
            changed = os.stat(self.where.state_dir).st_mtime_ns
        except OSError:
            return []
        if changed != self._directory or now - changed / 1e9 < 2:
            listed = sessions.list_by_change(self.where.state_dir)
            named = [each for each in listed if self.only in ("", each[1])]
            asked = [each for each in named[self.most :] if each[1] in self.questions]
            self._directory = changed
            self.questions &= {each[1] for each in named}
            self._newest = named[: self.most] + asked[:_MOST_QUESTIONS]
        return self._newest


def describe(event: Event) -> str:
    """Describe the event in the user's language, on one line."""
    return " ".join(terminal.plain(_text(event)).split())


def _text(event: Event) -> str:
    if event.receipt is not None:
        return formatting.evidence_line(event.receipt)
    if event.kind == "verdict":
        each = event.round
        label = formatting.round_outcome(each) if each else formatting.outcome(event.text)
        verdict = f"{event.mark} {event.count} {label}"
        if each is None:
            return verdict
        facts = " · ".join(formatting.round_facts(each)[1:])
        return f"{verdict} ({facts}) {each.failure or each.feedback}"
    if event.kind == "asks":
        return formatting.question(event.count, event.text)
    if event.kind in _MESSAGES:
        return words.say(f"watch.{event.kind}", count=event.count, command=event.text)
    return event.text
