"""A run as lines: speakers, calls, edits, outputs and verdicts, within the given width."""

import io
import os
import pty
import termios
from collections.abc import Iterator

import pytest
from rich.text import Text

from ccc import words
from ccc.claude.formats.usage_limit import Retry
from ccc.model.evidence import Evidence, receipt
from ccc.run.feed import describe_retry
from ccc.run.screen import Screen
from ccc.signals.signal import signal
from ccc.system import terminal
from ccc.ui import run_lines
from ccc.ui.run_lines import AGENT, CCC, REVIEWER, Renderer


@pytest.fixture(autouse=True)
def _in_english() -> Iterator[None]:
    words.use({"CCC_LANG": "en"})
    yield
    words.use(os.environ)


def lines(*pieces: list[Text]) -> list[str]:
    """Return the pieces as printed without colours."""
    return [line.plain for piece in pieces for line in piece]


def at(width: int | None) -> Renderer:
    """Return a renderer for a terminal of that width."""
    return Renderer("/p", lambda: width)


def test_who_speaks() -> None:
    """A name is shown when the speaker changes, and again after a heading."""
    made = at(60)
    said = [made.say(AGENT, "one\n\ntwo"), made.say(AGENT, "three"), made.say(REVIEWER, "four")]
    assert lines(*said) == [
        "  agent     one",
        "",
        "            two",
        "            three",
        "  reviewer  four",
    ]
    assert made.heading("round 2/10").plain == "── round 2/10 " + "─" * 46
    assert lines(made.say(REVIEWER, "five")) == ["  reviewer  five"]


@pytest.mark.parametrize("width", [32, 50, 80, 120])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_lines_fit(width: int, language: str) -> None:
    """Words are whole and lines fit, in both languages; in a pipe a paragraph is one line."""
    words.use({"CCC_LANG": language})
    text = "The greeting has no name 问候语里没有名字，请加上 and so it is not complete. " * 3
    told = lines(at(width).say(AGENT, text))
    assert all(terminal.width(line) <= width for line in told)
    assert not any(line.endswith(" ") for line in told)
    assert "".join("".join(told).split()).endswith("".join(text.split()))
    assert len(lines(at(None).say(AGENT, text))) == 1


@pytest.mark.parametrize(
    ("name", "given", "line"),
    [
        ("Bash", {"command": "echo a;\n echo b"}, "● Bash echo a; echo b"),
        ("Bash", {}, "● Bash"),
        ("Bash", {"command": "x" * 200}, "● Bash " + "x" * 40 + "…"),
        ("Read", {"file_path": "/p/src/a.py"}, "● Read src/a.py"),
        ("Read", {"file_path": "/q/a.py"}, "● Read /q/a.py"),
        ("Bash", {"command": "\x1b[31mred"}, "● Bash red"),
    ],
)
def test_calls(name: str, given: dict[str, str], line: str) -> None:
    """A tool call is one line, however long its input, with paths relative to the project."""
    assert lines(at(60).call(AGENT, name, given)) == [f"  agent     {line}"]


def test_edits() -> None:
    """The lines that an edit removes and adds are shown, up to a readable number."""
    edit = {"file_path": "/p/a", "old_string": "same\nold", "new_string": "same\nnew\n\tmore"}
    assert lines(at(60).call(AGENT, "Edit", edit))[1:] == [
        "              - old",
        "              + new",
        "              +     more",
    ]
    long = {"edits": [{"old_string": "", "new_string": "\n".join(map(str, range(50)))}]}
    told = lines(at(60).call(AGENT, "MultiEdit", long))
    assert (len(told), told[-1].strip()) == (14, "…")


def test_results() -> None:
    """The end of a command's output is shown, more if it failed; for other tools only errors."""
    output = "\n".join(f"line {number}" for number in range(9))
    assert len(lines(at(60).result(AGENT, "Bash", output, False))) == 4
    failed = lines(at(60).result(AGENT, "Bash", output, True))
    assert (len(failed), failed[-1].strip()) == (8, "line 8")
    assert lines(at(60).result(AGENT, "Read", output, False)) == []
    denied = at(60).result(AGENT, "Edit", "<tool_use_error>no</tool_use_error>", True)
    assert lines(denied) == ["  agent       no"]


def test_stops() -> None:
    """A check and a verdict say who decided, and what it cost."""
    made = at(80)
    facts = run_lines.facts(1.25, {"cache_read": 9, "input": 1}, "$0.0100")
    told = lines(
        made.check(receipt("make test", 2, 0.5, output="boom")),
        made.sent_back_by_check(),
        made.check(Evidence("make test", True, summary="exit code 0")),
        made.verdict("not_completed", "more", facts),
        made.verdict("completed", "", facts),
        made.verdict("completed", "more tests than needed", facts),
        made.verdict("needs_user", "which colour?", facts),
        made.check(receipt("sleep 9", None, 3.0)),
    )
    assert told == [
        "  check     ✗ make test · exit code 2 · 0.5 s",
        "              boom",
        "  ccc       ✗ sent back with this output; no model was asked",
        "  check     ✓ make test · exit code 0",
        "  reviewer  ✗ not completed: more",
        "  ccc       ✗ sent back with this feedback (1.2 s · $0.0100, 90% cached)",
        "            ✓ done, the stop is allowed (1.2 s · $0.0100, 90% cached)",
        "  reviewer  ✓ completed: more tests than needed",
        "  ccc       ✓ done, the stop is allowed (1.2 s · $0.0100, 90% cached)",
        "  reviewer  ? needs your input: which colour?",
        "  ccc       ? needs your input",
        "  check     ? sleep 9 · did not finish · 3.0 s",
    ]


def test_a_check_without_output() -> None:
    """There is no output to send back."""
    made = at(80)
    told = lines(made.check(receipt("false", 1, 0.5)), made.sent_back_by_check())
    assert told[1:] == ["  ccc       ✗ sent back; no model was asked"]


def test_colours_only_where_they_are_wanted() -> None:
    """A mark gives a line its colour, and without colours only text is left."""
    (line,) = at(80).say(CCC, "✓ done")
    assert run_lines.paint(line, True) == "  \x1b[1mccc\x1b[0m       \x1b[32m✓ done\x1b[0m"
    assert run_lines.paint(line, False) == "  ccc       ✓ done"


def test_retries() -> None:
    """The wait for a retry is shown second by second."""
    limited = Retry(41, 3, 10, "429")
    assert describe_retry(None, 0) == ""
    assert describe_retry(limited, 41) == "rate limited (429): next try in 41 s (attempt 3 of 10)"
    assert describe_retry(limited, 1.5) == "rate limited (429): next try in 2 s (attempt 3 of 10)"
    assert describe_retry(limited, -0.5) == "rate limited (429): trying again (attempt 3 of 10)"
    overloaded = describe_retry(Retry(4, 1, 10, "529"), 4)
    assert overloaded.startswith("overloaded (529): next try in 4 s")


class Stream:
    """A message that is printed in pieces, on a terminal of that width."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, width: int) -> None:
        self.ends = pty.openpty()
        termios.tcsetwinsize(self.ends[1], (24, width))
        self.file = io.StringIO()
        monkeypatch.setattr("sys.stderr", self.file)
        self.screen = Screen(False, lambda: "", fd=self.ends[1])
        self.screen.is_live = True

    def rows(self, *pieces: str) -> list[str]:
        """Return the rows that the pieces leave on the screen."""
        for piece in pieces:
            self.screen.add_piece(piece)
        self.screen.end_message("".join(pieces))
        for each in self.ends:
            os.close(each)
        return self.file.getvalue().split("\n")[:-1]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_words_as_they_come(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    """However a message is split, it ends up as if it had come in one piece."""
    monkeypatch.setenv("NO_COLOR", "1")
    text = "Some words 和一些中文，它们也换行 and then\n\n    more  of them in a line."
    pieces = [text[start : start + size] for start in range(0, len(text), size)]
    whole = lines(Renderer("", lambda: 39).say(AGENT, text))
    assert Stream(monkeypatch, 40).rows(*pieces) == whole


def test_signals() -> None:
    """A signal has its own label, a name in the user's language and its place."""
    found = signal("stub", "high", "a stub", "a.py", 3)
    assert lines(at(60).check(found)) == ["  signal    ! stub or TODO left · a.py:3"]
