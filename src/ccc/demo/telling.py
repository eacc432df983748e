"""The story on the screen: the real events, with headings and short explanations."""

import re
import time

from rich.cells import cell_len
from rich.text import Text

from ccc import words
from ccc.demo.following import Call, Event, Outcome, Stop, Words
from ccc.supervision import verdict
from ccc.ui import renderer, rich_output
from ccc.ui.renderer import AGENT, CHECK, REVIEWER, Renderer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from rich.console import Console
    from rich.status import Status

    from ccc.ui.renderer import Line

_INDENT = 2
_WIDEST = 100
# the agent's turns, by who sent it back
_TURNS = {"": "demo.title_works", CHECK: "demo.title_sent_back", REVIEWER: "demo.title_goes_on"}
# seconds to read a line, and for all pauses together
_A_LINE, _MOST_SECONDS = 0.55, 45.0


class Teller:
    """Prints one event after the other, with time to read."""

    def __init__(
        self,
        console: "Console",
        project: str,
        checks: "Sequence[str]",
        fast: bool,
        sleep: "Callable[[float], None]" = time.sleep,
    ) -> None:
        self._console = console
        self._lines = Renderer(project, lambda: console.width)
        self._checks = checks
        self._seconds = _MOST_SECONDS if console.file.isatty() and not fast else 0.0
        self._sleep = sleep
        self._chapter = 0
        self._turn_of = ""
        self._reviews = 0
        self._blocked = ""
        self._status: Status | None = None

    def open(self, version: str, command: str, notes: "Iterable[str]") -> None:
        """Print the introduction and the task."""
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
        """Print an event of the story."""
        self.stop_waiting()
        match event:
            case Words(who, text):
                self._turn(who)
                # the verdict is shown by itself
                said = verdict.without(text) if who == REVIEWER else text
                self._put(self._lines.say(who, said.strip()))
            case Call(who, name, given):
                self._turn(who)
                self._put(self._lines.call(who, name, given))
            case Outcome(who, name, text, failed):
                self._put(self._lines.result(who, name, text, failed))
            case Stop():
                self._decided(event)

    def wait(self, text: str) -> None:
        """Show that work is in progress."""
        if self._status is None and self._console.is_interactive:
            self._status = self._console.status(rich_output.text(text, "dim"), spinner="dots")
            self._status.start()

    def stop_waiting(self) -> None:
        """Clear that line."""
        if self._status is not None:
            self._status.stop()
            self._status = None

    def summarize(self, rows: "Sequence[tuple[str, str]]", program: str, last: str) -> None:
        """Print the summary and the next steps, with ccc as the user can type it here."""
        self._heading(words.say("demo.title_summary"), numbered=self._chapter > 0)
        widest = max(cell_len(name) for name, _ in rows)
        for name, value in rows:
            label = Text(" " * _INDENT).append(name, style="bold")
            label.append(" " * (widest - cell_len(name) + _INDENT))
            self._labelled(label, Text(value))
        self._heading(words.say("demo.title_next"), numbered=False)
        self._print_commands(_rows(f"{words.say('demo.next')}\n{words.say(last)}", program))

    def tell(self, text: str) -> None:
        """Print a separate line."""
        self.stop_waiting()
        for line in self._wrapped(rich_output.text(text)):
            self._print(line)

    # chapters

    def _turn(self, who: str) -> None:
        """Print a heading when the speaker changes."""
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
            self._put(self._lines.check(check, 0, None))

    def _decided(self, stop: Stop) -> None:
        failed, record = stop.failed_checks, stop.record
        if failed:
            self._heading(words.say("demo.title_check"))
            self._explain(words.say("demo.about_check"))
            done = failed[0]
            self._put(self._lines.check(done.command, done.exit_code, done.seconds, done.output))
            self._put(self._lines.sent_back_by_check())
        elif stop.is_reviewed:
            feedback = "" if record.get("allowed") else str(record.get("feedback", ""))
            facts = renderer.facts(record.get("seconds", 0.0), record.get("tokens") or {})
            self._put(self._lines.verdict(feedback, facts))
        self._blocked = CHECK if failed else REVIEWER
        self._turn_of = ""

    # pieces

    def _heading(self, title: str, numbered: bool = True) -> None:
        self._chapter += numbered
        number = f"{self._chapter} · " if numbered else ""
        self._print()
        self._print(Text.assemble(*self._lines.heading(f"{number}{title}")))
        self._read(1)

    def _explain(self, text: str) -> None:
        lines = self._wrapped(rich_output.text(text, "italic"))
        for line in lines:
            self._print(line)
        self._read(len(lines))

    def _wrapped(self, text: Text) -> list[Text]:
        return rich_output.wrapped(text, min(self._console.width, _WIDEST))

    def _put(self, lines: "Sequence[Line]") -> None:
        """Print a speaker's lines, with time to read them."""
        for line in lines:
            self._print(Text.assemble(*line))
        self._read(len(lines))

    def _labelled(self, label: Text, body: Text) -> None:
        """Print a text next to a label, on as many lines as it takes."""
        indent = label.cell_len
        for line in rich_output.wrapped(body, max(20, self._console.width - indent)):
            self._print(label.append_text(line))
            label = Text(" " * indent)

    def _print_commands(self, rows: "Sequence[tuple[str, str]]") -> None:
        """Print each command with its meaning, next to it or below it on a narrow screen."""
        wide = max(cell_len(what) for what, _ in rows) + 3 * _INDENT
        beside = all(wide + cell_len(meaning) <= self._console.width for _, meaning in rows)
        for what, meaning in rows:
            label = Text(" " * _INDENT + what)
            if not beside:
                self._print(label)
                label = Text(" " * _INDENT)
            label.append(" " * ((wide if beside else 3 * _INDENT) - label.cell_len))
            self._labelled(label, Text(meaning))

    def _print(self, text: "Text | str" = "") -> None:
        self._console.print(text, soft_wrap=True)

    def _read(self, lines: int) -> None:
        """Pause to read this many lines, as long as there is time left."""
        pause = min(lines * _A_LINE, self._seconds)
        self._seconds -= pause
        self._sleep(pause)


def _rows(text: str, program: str) -> list[tuple[str, str]]:
    """Return commands and their meaning, with ccc as the user can type it here."""
    parts = [re.split(r" {2,}", line.strip(), maxsplit=1) for line in text.split("\n")]
    return [(re.sub(r"^ccc\b", lambda _: program, what), meaning) for what, meaning in parts]
