"""The screen of `ccc watch`: the sessions above, below them the one that is looked at."""

import os
import re
import select
import sys
import termios
import time
import tty
from dataclasses import dataclass, field

from rich.console import Group
from rich.live import Live
from rich.text import Text

from ccc import words
from ccc.commands import show
from ccc.sessions import following
from ccc.sessions.glance import counted
from ccc.supervision.outcome import OUTCOMES
from ccc.system import terminal
from ccc.ui import formatting, rich_output
from ccc.ui import table as columns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections import deque

    from rich.console import Console

    from ccc.sessions.following import Event, Following
    from ccc.sessions.glance import Glance
    from ccc.sessions.record import Round

_MOST_SESSIONS = 9
_MOST_ROUNDS = 5
_LEAST_WHY = 8
"""In less room a feedback would say nothing."""
_STYLES = {
    "says": "",
    "agent": "",
    "tool": "cyan",
    "looks": "cyan",
    "check": "dim",
    "review": "dim",
    "stop": "bold",
    "session": "dim",
}
_LEAD = 5
"""The number of a session, its mark and a gap."""
_PHASES = {"reviewing": "bold cyan", "checking": "bold cyan", "working": "yellow", "ended": "dim"}
_PAGE = 10
_PAGES = {b"\x1b[5~": _PAGE, b"b": _PAGE, b"\x1b[6~": -_PAGE, b" ": -_PAGE}
_KEY = re.compile(rb"\x1b\[[0-9;]*[~A-Za-z]|\x1bO[A-Z]|.", re.DOTALL)
_QUIT = (b"q", b"Q")
_UP, _DOWN = (b"\x1b[A", b"\x1bOA", b"k"), (b"\x1b[B", b"\x1bOB", b"j")


@dataclass(slots=True)
class Screen:
    """What is on the screen, and which session is looked at."""

    going: "Following"
    chosen: str = ""
    """By the person; while there is none the one under review is looked at."""
    back: int = 0
    """How many lines the person has gone back from the end."""
    console: "Console" = field(default_factory=rich_output.console)

    def run(self, tick: float) -> None:
        """Draw until the person presses q."""
        before = termios.tcgetattr(0) if sys.stdin.isatty() else None
        try:
            if before is not None:
                tty.setcbreak(0)
            with Live(console=self.console, screen=True, auto_refresh=False) as live:
                self._draw_on(live, tick)
        finally:
            if before is not None:
                termios.tcsetattr(0, termios.TCSADRAIN, before)

    def _draw_on(self, live: Live, tick: float) -> None:
        drawn = 0
        keys: list[bytes] = []
        while not any(key in _QUIT for key in keys):
            happened = self.going.poll()
            if happened or keys or int(time.time()) != drawn:
                drawn = int(time.time())
                live.update(Group(*self.lines(*self.console.size)), refresh=True)
            keys = _pressed(tick)
            for key in keys:
                self._choose(key)

    def _choose(self, key: bytes) -> None:
        order = self.going.order[:_MOST_SESSIONS]
        looked_at = self.looked_at
        if not order or looked_at is None:
            return
        at = order.index(looked_at.session) if looked_at.session in order else 0
        if key in _PAGES:
            self.back = max(0, self.back + _PAGES[key])
        else:
            self.back = 0
        if key in _UP:
            self.chosen = order[max(0, at - 1)]
        elif key in _DOWN:
            self.chosen = order[min(len(order) - 1, at + 1)]
        elif key.isdigit() and 0 < int(key) <= len(order):
            self.chosen = order[int(key) - 1]

    @property
    def looked_at(self) -> "Glance | None":
        """The session of the person's choice, else the one under review, else the newest."""
        shown = self.going.shown
        for seen in shown:
            if seen.session == self.chosen:
                return seen
        stopping = [seen for seen in shown if seen.is_stopping]
        at_work = [seen for seen in shown if seen.phase != "ended" and seen.is_on]
        return next(iter([*stopping, *at_work, *shown]), None)

    def lines(self, width: int, height: int) -> list[Text]:
        """The whole screen, line by line."""
        looked_at = self.looked_at
        if looked_at is None:
            return [rich_output.text(words.say("watch.none"), "dim"), Text(), _keys()]
        top = [*self._sessions(looked_at, width), Text("─" * width, "dim")]
        head = self._head(looked_at, width)
        room = height - len(top) - len(head) - 2
        events = self.going.followed[looked_at.session].events
        body, self.back = _log(events, self.console, width, room, self.back)
        filled = [Text()] * (room - len(body))
        return [_cut(each, width) for each in [*top, *head, Text(), *body, *filled, _keys()]]

    def _sessions(self, looked_at: "Glance", width: int) -> list[Text]:
        shown = self.going.shown[:_MOST_SESSIONS]
        figures = [(seen, self.going.followed[seen.session].figures) for seen in shown]
        table, order = formatting.session_table(figures, width - _LEAD)
        leads = ["", *(f"{n} {'▶' if s is looked_at else ''}" for n, s in enumerate(shown, 1))]
        rows = [[lead, *row] for lead, row in zip(leads, table, strict=True)]
        phase, outcome = order.index(formatting.PHASE) + 1, order.index(formatting.OUTCOME) + 1
        least = {n + 1: cells for n, cells in formatting.least_widths(order).items()}
        headings, *aligned = columns.aligned(rows, width, least)
        lines = [Text("  ".join(headings), "dim")]
        for seen, cells in zip(shown, aligned, strict=True):
            line = Text("  ".join(cells[:phase]) + "  ")
            line.append(cells[phase], _PHASES.get(seen.phase, ""))
            line.append("  " + "  ".join(cells[phase + 1 : outcome]) + "  ")
            line.append(cells[outcome], show.STYLES.get(seen.mark, ""))
            line.append("  " + "  ".join(cells[outcome + 1 :]))
            if seen is looked_at:
                line.stylize("bold")
            lines.append(line)
        return lines

    def _head(self, seen: "Glance", width: int) -> list[Text]:
        """What the session is about, what it is at, and its verdicts so far."""
        at = formatting.phase(seen.phase)
        if seen.is_stopping:
            at += f" {formatting.clock(time.time() - seen.since)}"
        if seen.check:
            at += f" · {seen.check}"
        figures = self.going.followed[seen.session].figures
        begun = [
            words.say("show.round", n=counted(seen)),
            formatting.money(figures.cost_usd, figures.cost_source),
        ]
        facts = " · ".join([at, *(begun if seen.iteration else ())])
        request = columns.cut(terminal.plain(seen.request), width)
        lines = [rich_output.text(request, "bold")] if request else []
        lines.append(rich_output.text(facts, _PHASES.get(seen.phase, "")))
        rounds = self.going.followed[seen.session].rounds[-_MOST_ROUNDS:]
        return [*lines, *(_verdict(each, width) for each in rounds)]


def _verdict(each: "Round", width: int) -> Text:
    """A round that is over, on one line."""
    mark = OUTCOMES[each.outcome].mark
    facts = [formatting.round_title(each), *formatting.round_facts(each)[1:]]
    line = rich_output.text(f"{mark} ", show.STYLES.get(mark, ""))
    line.append_text(rich_output.text(" · ".join(facts)))
    room = width - line.cell_len - 2
    if room > _LEAST_WHY and (why := each.failure or each.feedback):
        line.append_text(rich_output.text(f"  {columns.cut(terminal.plain(why), room)}", "dim"))
    return line


def _log(
    events: "deque[Event]", console: "Console", width: int, room: int, back: int
) -> tuple[list[Text], int]:
    """What has happened up to `back` lines before the end, wrapped; and how far back it goes."""
    lines: list[Text] = []
    for event in reversed(events):
        if len(lines) >= room + back:
            break
        lines[:0] = _wrapped(event, console, width)
    back = min(back, max(0, len(lines) - room))
    end = len(lines) - back
    return (lines[max(0, end - room) : end] if room > 0 else []), back


def _wrapped(event: "Event", console: "Console", width: int) -> list[Text]:
    what = event.what
    if what.kind == "session":
        return []
    if what.kind in ("says", "agent"):
        body = rich_output.text(what.text.strip(), _STYLES[what.kind])
    else:
        style = show.STYLES.get(what.mark, _STYLES.get(what.kind, ""))
        if what.receipt is not None:
            style = "green" if what.receipt.passed else "red"
        body = rich_output.text(following.told(event), style)
    # the reviewer has a bar at its side, as in `ccc run`
    bar = "┃ " if what.kind in ("says", "looks") else ""
    lead = {"tool": "● ", "looks": "● ", "stop": "■ "}.get(what.kind, "  " if not bar else "")
    wrapped = body.wrap(console, max(10, width - len(bar) - 2))
    rest = " " * len(lead)
    return [Text(bar + (lead if not n else rest)) + line for n, line in enumerate(wrapped)]


def _cut(line: Text, width: int) -> Text:
    line = line.copy()
    line.truncate(width, overflow="ellipsis")
    line.no_wrap = True
    return line


def _keys() -> Text:
    return rich_output.text(words.say("watch.keys"), "dim")


def _pressed(seconds: float) -> list[bytes]:
    """The keys that were pressed within the time. A key held down sends many at once."""
    if not sys.stdin.isatty():
        time.sleep(seconds)
        return []
    ready, _, _ = select.select([0], [], [], seconds)
    if not ready:
        return []
    return _KEY.findall(os.read(0, 1024)) or [b"q"]  # the terminal is gone
