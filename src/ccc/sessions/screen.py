"""The screen of `ccc watch`: the sessions, and what happens in the selected one."""

import os
import re
import select
import sys
import termios
import time
import tty
from collections import deque

from msgspec import Struct, field
from rich.console import Console
from rich.live import Live
from rich.text import Text

from ccc import words
from ccc.model.outcome import OUTCOMES
from ccc.model.overview import Overview, progress
from ccc.model.round import Round
from ccc.sessions.events import Event
from ccc.sessions.watcher import Watcher, describe
from ccc.system import terminal
from ccc.ui import formatting, rich_output, table

TICK_SECONDS = 0.25
_MOST_SESSIONS = 9
"""How many sessions are listed at once: as many as there are digits to choose them."""
_MOST_ROUNDS = 5
_LEAST_REASON = 8  # the minimum width for feedback; in less, it would be unreadable
_STYLES = {"tool": "cyan", "looks": "cyan", "check": "dim", "review": "dim", "stop": "bold"}
_LEAD = 5  # the width of a session's number, its mark and a gap
_PAGE = 10
_PAGES = {b"\x1b[5~": _PAGE, b"b": _PAGE, b"\x1b[6~": -_PAGE, b" ": -_PAGE}
_KEY = re.compile(rb"\x1b\[[0-9;]*[~A-Za-z]|\x1bO[A-Z]|.", re.DOTALL)
_QUIT = (b"q", b"Q")
_UP, _DOWN = (b"\x1b[A", b"\x1bOA", b"k"), (b"\x1b[B", b"\x1bOB", b"j")


class WatchScreen(Struct):
    """The screen, and the session that it shows."""

    watcher: Watcher
    chosen: str = ""  # the session that the user chose; until then, the one under review is shown
    back: int = 0  # how many lines the user has scrolled back from the end
    top: int = 0  # how many sessions are above the listed ones
    console: Console = field(default_factory=rich_output.console)

    def run(self) -> None:
        """Draw until the user presses q."""
        before = termios.tcgetattr(0) if sys.stdin.isatty() else None
        try:
            if before is not None:
                tty.setcbreak(0)
            with Live(console=self.console, screen=True, auto_refresh=False) as live:
                self._draw(live)
        finally:
            if before is not None:
                termios.tcsetattr(0, termios.TCSADRAIN, before)

    def _draw(self, live: Live) -> None:
        drawn = 0
        keys: list[bytes] = []
        while not any(key in _QUIT for key in keys):
            happened = self.watcher.poll()
            if happened or keys or int(time.time()) != drawn:
                drawn = int(time.time())
                lines = self.lines(*self.console.size)
                screen = Text("\n", overflow="ellipsis", no_wrap=True).join(lines)
                live.update(screen, refresh=True)
            keys = _read_keys(TICK_SECONDS)
            for key in keys:
                self._press(key)

    def _press(self, key: bytes) -> None:
        order = self.watcher.order
        selected = self.selected
        if not order or selected is None:
            return
        at = order.index(selected.session) if selected.session in order else 0
        self.back = max(0, self.back + _PAGES[key]) if key in _PAGES else 0
        if key in _UP:
            self.chosen = order[max(0, at - 1)]
        elif key in _DOWN:
            self.chosen = order[min(len(order) - 1, at + 1)]
        elif key.isdigit() and 0 < int(key) <= len(order) - self.top:
            self.chosen = order[self.top + int(key) - 1]

    @property
    def selected(self) -> Overview | None:
        """The session that the user chose, else the one under review, else the newest."""
        shown = self.watcher.shown
        chosen = [seen for seen in shown if seen.session == self.chosen]
        stopping = [seen for seen in shown if seen.is_stopping]
        at_work = [seen for seen in shown if seen.phase != "ended" and seen.is_on]
        return next(iter([*chosen, *stopping, *at_work, *shown]), None)

    def lines(self, width: int, height: int) -> list[Text]:
        """Return the lines of the whole screen."""
        selected, keys = self.selected, rich_output.text(words.say("watch.keys"), "dim")
        if selected is None:
            return [rich_output.text(words.say("watch.none"), "dim"), Text(), keys]
        self._scroll_to(selected)
        top = [*self._sessions(selected, width), self._rule(width)]
        head = self._head(selected, width)
        room = height - len(top) - len(head) - 2
        events = self.watcher.watched[selected.session].events
        body = self._log(events, width, room)
        filled = [Text()] * (room - len(body))
        return [*top, *head, Text(), *body, *filled, keys]

    def _scroll_to(self, selected: Overview) -> None:
        """Scroll the list no further than needed to list the selected session."""
        order = self.watcher.order
        at = order.index(selected.session)
        self.top = min(max(self.top, at - _MOST_SESSIONS + 1), at)
        self.top = max(0, min(self.top, len(order) - _MOST_SESSIONS))

    def _rule(self, width: int) -> Text:
        """Return the line below the list, with the number of sessions above and below it."""
        number = len(self.watcher.order)
        below = number - self.top - _MOST_SESSIONS
        parts = [words.say("watch.above", n=self.top)] if self.top else []
        parts += [words.say("watch.below", n=below)] if below > 0 else []
        if self.watcher.is_full:
            parts.append(words.say("watch.older"))
        text = f"── {' · '.join(parts)} " if parts else ""
        return Text(text + "─" * max(0, width - terminal.width(text)), "dim")

    def _sessions(self, selected: Overview, width: int) -> list[Text]:
        shown = self.watcher.shown[self.top :][:_MOST_SESSIONS]
        figures = [(seen, self.watcher.watched[seen.session].record.figures) for seen in shown]
        rows, least, styles = formatting.session_table(figures, width - _LEAD)
        leads = ["", *(f"{n} {'▶' if s is selected else ''}" for n, s in enumerate(shown, 1))]
        rows = [[lead, *row] for lead, row in zip(leads, rows, strict=True)]
        headings, *aligned = table.align(rows, width, {n + 1: each for n, each in least.items()})
        lines = [Text("  ".join(headings), "dim")]
        for seen, cells, own in zip(shown, aligned, styles, strict=True):
            line = Text("  ").join(Text(c, own.get(n, "")) for n, c in enumerate(cells, -1))
            if seen is selected:
                line.stylize("bold")
            lines.append(line)
        return lines

    def _head(self, seen: Overview, width: int) -> list[Text]:
        """Return the request, the current phase and the verdicts so far."""
        watched = self.watcher.watched[seen.session]
        facts = [formatting.phase(seen.phase)]
        if seen.is_stopping:
            facts[0] += f" {formatting.clock(time.time() - seen.since)}"
        if seen.check:
            facts.append(seen.check)
        if seen.round:
            figures = watched.record.figures
            facts.append(words.say("show.round", n=progress(seen)))
            facts.append(formatting.cost(figures.cost_usd, figures.cost_source, seen.is_run))
        request = table.cut(terminal.plain(seen.request), width)
        lines = [rich_output.text(request, "bold")] if request else []
        style = formatting.PHASE_STYLES.get(seen.phase, "")
        lines.append(rich_output.text(" · ".join(facts), style))
        return [*lines, *(_round(each, width) for each in watched.rounds[-_MOST_ROUNDS:])]

    def _log(self, events: deque[Event], width: int, room: int) -> list[Text]:
        """Return the wrapped events up to `back` lines before the end."""
        lines: list[Text] = []
        for event in reversed(events):
            if len(lines) >= room + self.back:
                break
            lines[:0] = self._wrap(event, width)
        self.back = min(self.back, max(0, len(lines) - room))
        end = len(lines) - self.back
        return lines[max(0, end - room) : end] if room > 0 else []

    def _wrap(self, event: Event, width: int) -> list[Text]:
        kind = event.kind
        if kind == "session":
            return []
        mark = event.receipt.mark if event.receipt else event.mark
        style = table.MARKS.get(mark, _STYLES.get(kind, ""))
        is_speech = kind in ("says", "agent")
        body = rich_output.text(event.text.strip() if is_speech else describe(event), style)
        # mark the reviewer's lines with a bar, as in `ccc run`
        bar = "┃ " if kind in ("says", "looks") else ""
        lead = {"tool": "● ", "looks": "● ", "stop": "■ "}.get(kind, "" if bar else "  ")
        wrapped = body.wrap(self.console, max(10, width - len(bar) - 2))
        rest = " " * len(lead)
        return [Text(bar + (rest if n else lead)) + line for n, line in enumerate(wrapped)]


def _round(each: Round, width: int) -> Text:
    """Return a decided round as one line."""
    mark = OUTCOMES[each.outcome].mark
    facts = [formatting.round_title(each), *formatting.round_facts(each)[1:]]
    line = rich_output.text(f"{mark} ", table.MARKS.get(mark, ""))
    line.append_text(rich_output.text(" · ".join(facts)))
    room = width - line.cell_len - 2
    if room > _LEAST_REASON and (reason := each.failure or each.feedback):
        line.append_text(rich_output.text(f"  {table.cut(terminal.plain(reason), room)}", "dim"))
    return line


def _read_keys(seconds: float) -> list[bytes]:
    """Return the keys pressed within the time; holding a key down sends many at once."""
    if not sys.stdin.isatty():
        time.sleep(seconds)
        return []
    if not select.select([0], [], [], seconds)[0]:
        return []
    return _KEY.findall(os.read(0, 1024)) or [b"q"]  # the terminal is gone
