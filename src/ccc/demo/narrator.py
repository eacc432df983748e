"""Tell the story on the screen: the real events, with headings and short explanations."""

import re
import time
from collections.abc import Callable, Iterable, Sequence

from rich.cells import cell_len
from rich.console import Console
from rich.status import Status
from rich.text import Text

from ccc import words
from ccc.claude.formats import stream
from ccc.demo import story
from ccc.demo.follower import Event, Message
from ccc.model.evidence import Evidence
from ccc.model.round import Round
from ccc.supervision import verdict
from ccc.ui import rich_output, run_lines
from ccc.ui.run_lines import AGENT, CHECK, REVIEWER, Renderer

_INDENT = 2
_WIDEST = 100
# headings of the agent's turns, by who sent it back
_TURNS = {"": "demo.title_works", CHECK: "demo.title_sent_back", REVIEWER: "demo.title_goes_on"}
# seconds to read a line, and the maximum for all pauses together
_LINE_SECONDS, _MOST_SECONDS = 0.55, 45.0


class Narrator:
    """Prints one event after another, with time to read."""

    def __init__(
        self,
        console: Console,
        project: str,
        fast: bool,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._console = console
        self._lines = Renderer(project, lambda: console.width)
        self._seconds = _MOST_SECONDS if console.file.isatty() and not fast else 0.0
        self._sleep = sleep
        self._chapter = 0
        self._speaker = ""
        self._tools = stream.OpenCalls()
        self._reviews = 0
        self._sent_back_by = ""
        self._status: Status | None = None

    def open(self, version: str, command: str, notes: Iterable[str]) -> None:
        """Print the introduction and the task."""
        self._explain(words.say("demo.intro", version=version))
        for note in notes:
            self._explain(note)
        self._heading(words.say("demo.title_task"))
        self._explain(words.say("demo.about_task"))
        self._print()
        self._print_beside(Text("  $ "), Text(command, style="bold"))
        self._pause(4)

    def show(self, event: Event) -> None:
        """Print an event of the story."""
        if not isinstance(event, Message):
            self._show_verdict(event)
            return
        who, content = event.who, event.content
        for text in stream.texts(content):
            self._begin_turn(who)
            # the verdict is shown separately
            prose = verdict.without(text) if who == REVIEWER else text
            self._print_lines(self._lines.say(who, prose.strip()))
        for call in stream.calls(content):
            self._begin_turn(who)
            self._print_lines(self._lines.call(who, *call))
        for result in self._tools.results(content):
            self._print_lines(self._lines.result(who, *result))

    def wait(self, text: str) -> None:
        """Show that work is in progress."""
        if self._status is None and self._console.is_interactive:
            self._status = self._console.status(rich_output.text(text, "dim"), spinner="dots")
            self._status.start()

    def stop_waiting(self) -> None:
        """Clear the progress line."""
        if self._status is not None:
            self._status.stop()
            self._status = None

    def summarize(self, rows: Sequence[tuple[str, str]], program: str, last: str) -> None:
        """Print the summary and next steps, with ccc spelled the way the user can type it here."""
        self._heading(words.say("demo.title_summary"), numbered=self._chapter > 0)
        widest = max(cell_len(name) for name, _ in rows)
        for name, value in rows:
            label = Text(" " * _INDENT).append(name, style="bold")
            label.append(" " * (widest - cell_len(name) + _INDENT))
            self._print_beside(label, Text(value))
        self._heading(words.say("demo.title_next"), numbered=False)
        self._print_commands(_commands(f"{words.say('demo.next')}\n{words.say(last)}", program))

    def tell(self, text: str) -> None:
        """Print a separate line."""
        for line in self._wrap(rich_output.text(text)):
            self._print(line)

    # chapters

    def _begin_turn(self, who: str) -> None:
        """Print a heading when the speaker changes."""
        if who == self._speaker:
            return
        self._speaker = who
        if who == AGENT:
            self._heading(words.say(_TURNS[self._sent_back_by]))
            return
        self._reviews += 1
        first = self._reviews == 1
        self._heading(words.say("demo.title_review" if first else "demo.title_again"))
        self._explain(words.say("demo.about_review" if first else "demo.about_again"))
        # a review starts only after every check has passed
        check = Evidence(story.CHECK, True, summary=words.say("run.exit", n=0))
        self._print_lines(self._lines.check(check))

    def _show_verdict(self, each: Round) -> None:
        failed = [receipt for receipt in each.receipts if receipt.is_failure]
        if failed:
            self._heading(words.say("demo.title_check"))
            self._explain(words.say("demo.about_check"))
            self._print_lines(self._lines.check(failed[0]))
            self._print_lines(self._lines.sent_back_by_check())
        elif each.tokens:
            facts = run_lines.facts(each.seconds, each.tokens)
            self._print_lines(self._lines.verdict(each.outcome, each.feedback, facts))
        self._sent_back_by = CHECK if failed else REVIEWER
        self._speaker = ""

    # pieces

    def _heading(self, title: str, numbered: bool = True) -> None:
        self._chapter += numbered
        number = f"{self._chapter} · " if numbered else ""
        self._print()
        self._print(self._lines.heading(f"{number}{title}"))
        self._pause(1)

    def _explain(self, text: str) -> None:
        self._print_lines(self._wrap(rich_output.text(text, "italic")))

    def _wrap(self, text: Text) -> list[Text]:
        return rich_output.wrap(text, min(self._console.width, _WIDEST))

    def _print_lines(self, lines: Sequence[Text]) -> None:
        """Print lines, with time to read them."""
        for line in lines:
            self._print(line)
        self._pause(len(lines))

    def _print_beside(self, label: Text, body: Text) -> None:
        """Print a text next to a label, wrapped to as many lines as needed."""
        indent = label.cell_len
        for line in rich_output.wrap(body, max(20, self._console.width - indent)):
            self._print(label.append_text(line))
            label = Text(" " * indent)

    def _print_commands(self, rows: Sequence[tuple[str, str]]) -> None:
        """Print each command with its description, beside it or below it on a narrow screen."""
        wide = max(cell_len(what) for what, _ in rows) + 3 * _INDENT
        beside = all(wide + cell_len(meaning) <= self._console.width for _, meaning in rows)
        for what, meaning in rows:
            label = Text(" " * _INDENT + what)
            if not beside:
                self._print(label)
                label = Text(" " * _INDENT)
            label.append(" " * ((wide if beside else 3 * _INDENT) - label.cell_len))
            self._print_beside(label, Text(meaning))

    def _print(self, text: Text | str = "") -> None:
        self.stop_waiting()
        self._console.print(text, soft_wrap=True)

    def _pause(self, lines: int) -> None:
        """Pause long enough to read this many lines, within the time left."""
        seconds = min(lines * _LINE_SECONDS, self._seconds)
        self._seconds -= seconds
        self._sleep(seconds)


def _commands(text: str, program: str) -> list[tuple[str, str]]:
    """Return commands and descriptions, with ccc spelled the way the user can type it here."""
    parts = [re.split(r" {2,}", line.strip(), maxsplit=1) for line in text.split("\n")]
    return [(re.sub(r"^ccc\b", lambda _: program, what), meaning) for what, meaning in parts]
