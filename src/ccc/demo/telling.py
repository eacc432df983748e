"""The story on the screen: what really happens, with a heading and a word of explanation."""

import difflib
import os
import re
import time

from rich.cells import cell_len
from rich.text import Text

from ccc import display, terminal, words
from ccc.demo.following import AGENT, SUPERVISOR, Call, Event, Outcome, Stop, Words
from ccc.demo.summary import cached_share
from ccc.domain import verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from rich.console import Console
    from rich.status import Status

    from ccc.domain.receipt import Receipt

_WIDEST = 80
_INDENT = 2
_MOST_LINES = 7
_CHECK, _CCC = "check", "ccc"
# who speaks: the name and its colour
_WHO = {
    AGENT: ("demo.agent", "cyan"),
    SUPERVISOR: ("demo.supervisor", "magenta"),
    _CHECK: ("demo.check", "yellow"),
    _CCC: ("demo.ccc", "bold"),
}
# a turn of the agent's, by who sent it back
_TURNS = {"": "demo.title_works", _CHECK: "demo.title_mends", SUPERVISOR: "demo.title_goes_on"}
_YES, _NO = "✓", "✗"
# seconds to read a line, and for all the pauses together
_A_LINE, _MOST_SECONDS = 0.55, 45.0


class Teller:
    """Prints one piece after the other, and leaves time to read."""

    def __init__(
        self,
        console: "Console",
        project: str,
        checks: "Sequence[str]",
        fast: bool,
        sleep: "Callable[[float], None]" = time.sleep,
    ) -> None:
        self._console = console
        self._project = project
        self._checks = checks
        self._seconds = _MOST_SECONDS if console.file.isatty() and not fast else 0.0
        self._sleep = sleep
        self._chapter = 0
        self._turn_of = ""
        self._reviews = 0
        self._blocked = ""
        self._status: Status | None = None
        self._last = ""

    def open(self, version: str, command: str, notes: "Iterable[str]") -> None:
        """What this is, and the task."""
        self.stop_waiting()
        self._explain(words.say("demo.intro", version=version))
        for note in notes:
            self._explain(note)
        self._heading(words.say("demo.title_task"))
        self._explain(words.say("demo.about_task"))
        self._print()
        self._labelled(Text("  $ "), Text(command, style="bold"))
        self._read(4)

    def show(self, event: Event) -> None:
        """A piece of the story."""
        self.stop_waiting()
        match event:
            case Words(who, text):
                self._turn(who)
                # the verdict is shown by itself
                said = verdict.without(text) if who == SUPERVISOR else text
                self._say(who, Text(terminal.plain(said.strip())))
            case Call(who, name, given):
                self._turn(who)
                self._call(who, name, given)
            case Outcome(who, "Bash", text):
                self._say(who, _tail(text), deeper=True)
            case Stop():
                self._decided(event)

    def wait(self, text: str) -> None:
        """Show that something is going on."""
        if self._status is None and self._console.is_interactive:
            self._status = self._console.status(display.text(text, "dim"), spinner="dots")
            self._status.start()

    def stop_waiting(self) -> None:
        """Take that away."""
        if self._status is not None:
            self._status.stop()
            self._status = None

    def summarize(self, rows: "Sequence[tuple[str, str]]", program: str, last: str) -> None:
        """What it came to, and what to do next, with ccc as it can be typed here."""
        self._heading(words.say("demo.title_summary"), numbered=self._chapter > 0)
        widest = max(cell_len(name) for name, _ in rows)
        for name, value in rows:
            label = Text(" " * _INDENT).append(name, style="bold")
            label.append(" " * (widest - cell_len(name) + _INDENT))
            self._labelled(label, Text(value))
        self._heading(words.say("demo.title_next"), numbered=False)
        self._print(_typed(f"{words.say('demo.next')}\n{words.say(last)}", program))

    def tell(self, text: str) -> None:
        """A line of its own."""
        self.stop_waiting()
        self._print(Text(terminal.plain(text)))

    # chapters

    def _turn(self, who: str) -> None:
        """A heading, where somebody else begins."""
        if who == self._turn_of:
            return
        self._turn_of = who
        if who == AGENT:
            self._heading(words.say(_TURNS[self._blocked]))
            return
        self._reviews += 1
        first = self._reviews == 1
        self._heading(words.say("demo.title_review" if first else "demo.title_again"))
        self._explain(words.say("demo.about_review" if first else "demo.about_again"))
        for check in self._checks:
            # a review begins only when every check has passed
            self._say(_CHECK, _mark(True, words.say("demo.check_passed", command=check)))

    def _decided(self, stop: Stop) -> None:
        failed = stop.failed_checks
        if failed:
            self._heading(words.say("demo.title_check"))
            self._explain(words.say("demo.about_check"))
            self._failed(failed[0], str(stop.record.get("feedback", "")))
        elif stop.is_reviewed:
            self._verdict(stop)
        self._blocked = _CHECK if failed else SUPERVISOR
        self._turn_of = ""

    def _failed(self, receipt: "Receipt", feedback: str) -> None:
        said = words.say(
            "demo.check_failed",
            command=receipt.command,
            code=receipt.exit_code,
            seconds=f"{receipt.seconds:.1f}",
        )
        self._say(_CHECK, _mark(False, said))
        self._say(_CHECK, _tail(feedback.partition("\n\n")[2]), deeper=True)
        self._say(_CCC, _mark(False, words.say("demo.sent_back_by_check")))

    def _verdict(self, stop: Stop) -> None:
        record = stop.record
        took = {"seconds": f"{record.get('seconds', 0):.1f}", "share": f"{cached_share(stop):.0%}"}
        if record.get("allowed"):
            self._say(_CCC, _mark(True, words.say("demo.allowed", **took)))
            return
        said = words.say("demo.not_completed", feedback=record.get("feedback", ""))
        self._say(SUPERVISOR, _mark(False, said))
        self._say(_CCC, _mark(False, words.say("demo.sent_back_by_supervisor", **took)))

    # pieces

    def _call(self, who: str, name: str, given: "Mapping[str, Any]") -> None:
        what = str(given.get("command") or given.get("file_path") or given.get("pattern") or "")
        what = what.replace(self._project + os.sep, "")
        line = Text().append("● ", style=_WHO[who][1])
        line.append(name, style="bold").append(f" {terminal.plain(what)}")
        self._say(who, line)
        if "old_string" in given:
            edit = _difference(str(given["old_string"]), str(given.get("new_string", "")))
            self._say(who, edit, deeper=True)

    def _heading(self, title: str, numbered: bool = True) -> None:
        self._last = ""
        self._chapter += numbered
        number = f"{self._chapter} · " if numbered else ""
        text = Text().append("── ", style="dim").append(f"{number}{title} ", style="bold")
        text.append("─" * max(2, min(self._console.width, _WIDEST) - text.cell_len), style="dim")
        self._print()
        self._print(text)
        self._read(1)

    def _explain(self, text: str) -> None:
        self._print(display.text(text, "italic"))
        self._read(text.count("\n") + 1)

    def _say(self, who: str, body: Text, deeper: bool = False) -> None:
        """A piece of somebody's, with the name beside it where it is a new one's."""
        if not body.plain.strip():
            return
        names = {each: words.say(name) for each, (name, _) in _WHO.items()}
        width = max(map(cell_len, names.values()))
        name = names[who] if who != self._last else ""
        self._last = who
        label = Text(" " * _INDENT).append(name, style=_WHO[who][1])
        label.append(" " * (width - cell_len(name) + _INDENT * (1 + deeper)))
        self._labelled(label, body)
        self._read(body.plain.count("\n") + 1)

    def _labelled(self, label: Text, body: Text) -> None:
        """A text beside a label, however many lines it takes."""
        indent = label.cell_len
        for line in display.wrapped(body, max(20, self._console.width - indent)):
            self._print(label.append_text(line))
            label = Text(" " * indent)

    def _print(self, text: "Text | str" = "") -> None:
        self._console.print(text, soft_wrap=True)

    def _read(self, lines: int) -> None:
        """Time to read so many lines, as long as there is time left."""
        pause = min(lines * _A_LINE, self._seconds)
        self._seconds -= pause
        self._sleep(pause)


def _mark(good: bool, text: str) -> Text:
    style = "green" if good else "red"
    return Text(f"{_YES if good else _NO} {terminal.plain(text)}", style=style)


def _tail(output: str) -> Text:
    """The last lines of what a program printed."""
    # neither blank lines nor rulers say anything
    lines = [line for line in output.splitlines() if line.strip(" -=")]
    if len(lines) > _MOST_LINES:
        lines = ["…", *lines[-_MOST_LINES:]]
    return display.text("\n".join(lines), "dim")


def _difference(old: str, new: str) -> Text:
    """The lines that an edit takes away and adds."""
    shown = Text()
    for line in difflib.ndiff(old.splitlines(), new.splitlines()):
        if line.startswith(("+ ", "- ")):
            style = "green" if line.startswith("+") else "red"
            shown.append("\n" if shown else "").append(terminal.plain(line), style=style)
    return shown


def _typed(text: str, program: str) -> str:
    """The lines with ccc as it can be typed here, what they mean in a column behind that."""
    if program == "ccc":
        return text
    parts = [re.split(r" {2,}", line.strip(), maxsplit=1) for line in text.split("\n")]
    rows = [(re.sub(r"^ccc\b", lambda _: program, what), meaning) for what, meaning in parts]
    wide = max(cell_len(what) for what, _ in rows) + _INDENT
    gap = " " * _INDENT
    return "\n".join(f"{gap}{what}{' ' * (wide - cell_len(what))}{about}" for what, about in rows)
