"""The sessions of this machine as they go: their states, verdicts and raw lines, looked at again
and again, and what has happened in between."""

import os
import time
from collections import deque
from dataclasses import dataclass, field

from ccc import words
from ccc.claude.formats import stream
from ccc.sessions import events as happening
from ccc.sessions import quick_look, record
from ccc.sessions.events import Happening
from ccc.sessions.glance import ENDED, Figures
from ccc.sessions.tail import Tail
from ccc.storage import sessions
from ccc.supervision import verdict
from ccc.system import terminal
from ccc.ui import formatting, renderer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ccc.sessions.glance import Glance
    from ccc.sessions.record import Round
    from ccc.storage.paths import Paths

_MOST = 30
_DAY = 86_400
_KEPT = 400
_BACK = 256 * 1024
_LONGEST = 4_000
_MESSAGES = {
    "on": "watch.on",
    "off": "watch.off",
    "stop": "watch.stop",
    "check": "watch.check",
    "review": "watch.review",
    "ended": "watch.ended",
}


@dataclass(frozen=True, slots=True)
class Event:
    """A happening, when and in which session."""

    session: str
    at: float
    what: Happening


class Followed:
    """One session that is followed."""

    def __init__(self, where: "Paths", session: str, since: float) -> None:
        self.session = session
        self.events: deque[Event] = deque(maxlen=_KEPT)
        self.seen: Glance | None = None
        self.rounds: list[Round] = []
        self._stop: Glance | None = None
        """The last look at a stop that was under way."""
        self._since = since
        self._state_dir = where.state_dir
        self._changed = 0.0
        self._reviews = Tail(where.review_output(session), _BACK)
        self._agent = Tail(where.agent_output(session), _BACK)
        self._verdicts = Tail(where.verdicts(session), quick_look.MOST_VERDICTS)

    @property
    def figures(self) -> Figures:
        """Its rounds and costs so far."""
        decided = ((each.outcome, each.cost_usd, each.cost_source) for each in self.rounds)
        agent = (self.seen.agent_cost_usd, self.seen.agent_cost_source) if self.seen else (0.0, "")
        return Figures(decided, *agent)

    def look(self, changed: float, now: float) -> list[Event]:
        """What has happened since the last look."""
        first = self.seen is None
        fresh = list(self._of_state(changed))
        # what was said before is shown; it happens only where it is part of a review under way
        past = first and not (self.seen and self.seen.is_stopping)
        said = [*self._said(self._agent, "agent", first), *self._said(self._reviews, "says", first)]
        if past:
            self.events.extend(Event(self.session, now, what) for what in said)
        else:
            fresh += said
        fresh += self._decided(first)
        fresh.sort(key=lambda what: what.kind == "ended")
        events = [Event(self.session, now, what) for what in fresh]
        self.events.extend(events)
        return events

    def _of_state(self, changed: float) -> "Iterator[Happening]":
        """Looked at first: what the state says to be decided is in the other files by then."""
        before = self.seen
        if changed == self._changed and (before is None or before.phase == ENDED):
            return
        after = quick_look.glance(self._state_dir, self.session)
        if after is None:
            return
        self.seen, self._changed = after, changed
        self._stop = after if after.is_stopping else self._stop
        yield from happening.between(before, after)

    def _said(self, tail: Tail, kind: str, first: bool) -> "Iterator[Happening]":
        lines = tail.new()
        return _raw(_since_init(lines) if first else lines, kind)

    def _decided(self, first: bool) -> "Iterator[Happening]":
        for each in record.rounds(self._verdicts.new()):
            self.rounds.append(each)
            # a record's time is in whole seconds
            if not first or each.decided_at >= int(self._since):
                yield from happening.of_round(each, self._stop)


def _raw(lines: "Iterable[str]", kind: str) -> "Iterator[Happening]":
    """What the agent or the reviewer says and calls in its raw lines."""
    for line in lines:
        message = stream.message(line)
        if message is None:
            continue
        is_reviewer = kind == "says"
        for text in stream.texts(message):
            # the verdict itself is told when it is on record
            said = verdict.without(text) if is_reviewer else text
            if said:
                yield Happening(kind, said[:_LONGEST])
        for name, given in stream.calls(message):
            call = renderer.call_text(name, given)
            yield Happening("looks" if is_reviewer else "tool", call)


def _since_init(lines: list[str]) -> list[str]:
    """What belongs to the last conversation in the lines."""
    for position in range(len(lines) - 1, -1, -1):
        if '"init"' in lines[position][:200]:
            return lines[position:]
    return lines


@dataclass(slots=True)
class Following:
    """All sessions, or one."""

    where: "Paths"
    only: str = ""
    followed: dict[str, Followed] = field(default_factory=dict)
    order: list[str] = field(default_factory=list)
    """The sessions to show, the one that changed last in front."""
    _begun: float = field(default_factory=time.time)
    _directory: int = -1
    _listed: list[tuple[float, str]] = field(default_factory=list)

    def poll(self) -> list[Event]:
        """What has happened since the last call, in all sessions."""
        now = time.time()
        happened: list[Event] = []
        self.order = []
        for changed, session in self._newest(now):
            each = self.followed.get(session)
            if each is None:
                each = self.followed[session] = Followed(self.where, session, self._begun)
            happened += each.look(changed, now)
            if each.seen is not None and (self.only or _is_shown(each.seen, changed > now - _DAY)):
                self.order.append(session)
        return happened

    @property
    def shown(self) -> "list[Glance]":
        """The sessions to show."""
        found = [self.followed[session].seen for session in self.order]
        return [seen for seen in found if seen is not None]

    def _newest(self, now: float) -> list[tuple[float, str]]:
        # each change of a state puts a file into the directory: no need to list it otherwise
        try:
            changed = os.stat(self.where.state_dir).st_mtime_ns
        except OSError:
            return []
        if changed != self._directory or now - changed / 1e9 < 2:
            listed = sessions.list_by_change(self.where.state_dir)
            named = [each for each in listed if self.only in ("", each[1])]
            self._directory, self._listed = changed, named[:_MOST]
        return self._listed


def _is_shown(seen: "Glance", is_recent: bool) -> bool:
    """Whether a session has something to show: it is open, or was supervised of late."""
    return seen.is_open or (is_recent and seen.was_supervised)


def told(event: Event) -> str:
    """What happened, in the person's words, on one line."""
    return " ".join(terminal.plain(_said(event.what)).split())


def _said(what: Happening) -> str:
    if what.receipt is not None:
        return formatting.evidence_line(what.receipt)
    if what.round is not None:
        each = what.round
        facts = " · ".join(formatting.round_facts(each)[1:])
        why = each.failure or each.feedback
        return f"{what.mark} {what.count} {formatting.outcome(what.text)} ({facts}) {why}"
    if what.kind == "verdict":
        return f"{what.mark} {what.count} {formatting.outcome(what.text)}"
    if message := _MESSAGES.get(what.kind):
        return words.say(message, count=what.count, command=what.text)
    return what.text
