"""Render a supervised run as lines: who speaks, the tools they call, how stops are decided."""

import difflib
import os
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from rich.console import Console
from rich.text import Text

from ccc import words
from ccc.model.evidence import Evidence, Receipt, Signal
from ccc.model.outcome import OUTCOMES
from ccc.model.round import cached_share
from ccc.system import terminal
from ccc.ui import formatting, rich_output, table

AGENT, REVIEWER, CHECK, SIGNAL, CCC = "agent", "reviewer", "check", "signal", "ccc"
_NAMES = {
    AGENT: "run.who_agent",
    REVIEWER: "run.who_reviewer",
    CHECK: "run.who_check",
    SIGNAL: "run.who_signal",
    CCC: "run.who_ccc",
}
_DECIDED = {"completed": "run.allowed", "not_completed": "run.sent_back"}
_STYLES = {AGENT: "cyan", REVIEWER: "magenta", CHECK: "yellow", SIGNAL: "yellow", CCC: "bold"}
_NO_OUTPUT = "(Bash completed with no output)"
_TAGS = re.compile("</?tool_use_error>")
_INDENT = 2
_NARROWEST = 20
_WIDEST_RULE = 100
_MOST_OF_A_FAILURE, _MOST_OF_A_SUCCESS, _MOST_OF_AN_EDIT = 7, 3, 12


class Renderer:
    """Renders the lines of a run, naming the speaker when it changes."""

    def __init__(self, project: str, width: Callable[[], int | None]) -> None:
        self._project = project
        self._width = width
        """The width of the terminal, or None if lines aren't wrapped."""
        self._last = ""
        self._has_output = False
        """Whether the last check printed anything."""

    @property
    def indent(self) -> int:
        """The column where the text starts."""
        return _INDENT * 2 + max(terminal.width(words.say(name)) for name in _NAMES.values())

    def room(self, deeper: bool = False) -> int | None:
        """Return the width available for text, or None if lines aren't wrapped."""
        wide = self._width()
        return max(_NARROWEST, wide - self.indent - _INDENT * deeper) if wide else None

    def start(self) -> None:
        """Name the next speaker even if it hasn't changed."""
        self._last = ""

    def heading(self, title: str) -> Text:
        """Render a rule with a title."""
        self.start()
        wide = self._width()
        rest = min(wide, _WIDEST_RULE) - terminal.width(title) - 4 if wide else _INDENT
        rule = "─" * max(_INDENT, rest)
        return Text.assemble(("── ", "dim"), (f"{title} ", "bold"), (rule, "dim"))

    def label(self, who: str) -> Text:
        """Render the speaker's name, or spaces if the speaker hasn't changed."""
        name = words.say(_NAMES[who]) if who != self._last else ""
        self._last = who
        gap = " " * (self.indent - _INDENT - terminal.width(name))
        return Text.assemble(" " * _INDENT, (name, _STYLES[who]), gap)

    def say(self, who: str, text: str, style: str = "", deeper: bool = False) -> list[Text]:
        """Render a text; a mark at its start sets the colour."""
        text = terminal.plain(text).strip("\n")
        return self._with_label(who, Text(text, style or table.MARKS.get(text[:1], "")), deeper)

    def call(self, who: str, name: str, given: Mapping[str, Any]) -> list[Text]:
        """Render a tool call on one line, followed by the lines that an edit changes."""
        room = self.room() or formatting.WIDEST_CALL
        text = formatting.call_text(name, given, room - 2, self._project)
        line = Text.assemble(("● ", _STYLES[who]), (text[: len(name)], "bold"), text[len(name) :])
        changes = Text("\n").join(_changes(given))
        return self._with_label(who, line) + self._with_label(who, changes, deeper=True)

    def result(self, who: str, name: str, text: str, failed: bool) -> list[Text]:
        """Render the end of a command's output, or of another tool's error."""
        if (name != "Bash" and not failed) or text == _NO_OUTPUT:
            return []
        text = _TAGS.sub("", text)
        most = _MOST_OF_A_FAILURE if failed else _MOST_OF_A_SUCCESS
        return self.say(who, _end_of(text, most), "dim", deeper=True)

    def check(self, evidence: Evidence) -> list[Text]:
        """Render a check or signal and its result, with the end of its output if it failed."""
        self._has_output = bool(evidence.output.strip())
        mark, who = evidence.mark, SIGNAL if isinstance(evidence, Signal) else CHECK
        parts = [formatting.evidence_name(evidence), formatting.evidence_end(evidence)]
        if isinstance(evidence, Receipt) and evidence.exit_code is None:
            mark = "?"
        lines = self.say(who, f"{mark} {' · '.join(filter(None, parts))}")
        if not evidence.is_failure:
            return lines
        output = _end_of(evidence.output, _MOST_OF_A_FAILURE)
        return [*lines, *self.say(who, output, "dim", deeper=True)]

    def sent_back_by_check(self) -> list[Text]:
        """Render a stop that was decided by a check."""
        name = "run.sent_back_by_check" if self._has_output else "run.sent_back_silent"
        return self.say(CCC, f"✗ {words.say(name)}")

    def verdict(self, outcome: str, feedback: str, facts: str) -> list[Text]:
        """Render a stop that was decided by a review, with the reviewer's words if there are any.

        The outcome decides how: some models give their reasons for a yes, too.
        """
        mark, label = OUTCOMES[outcome].mark, formatting.outcome(outcome)
        said = words.say("usage.about", what=label, value=feedback)
        decided = words.say(_DECIDED[outcome], facts=facts) if outcome in _DECIDED else label
        speech = self.say(REVIEWER, f"{mark} {said}") if feedback else []
        return [*speech, *self.say(CCC, f"{mark} {decided}")]

    def _with_label(self, who: str, body: Text, deeper: bool = False) -> list[Text]:
        if not body.plain.strip():
            return []
        indent = " " * _INDENT * deeper
        lines = rich_output.wrap(body, self.room(deeper))
        return [Text.assemble(self.label(who), indent, line) if line else line for line in lines]


def facts(seconds: float, tokens: Mapping[str, int], cost: str = "") -> str:
    """Return the time, cost and cached share of a review."""
    share = f"{cached_share(tokens) or 0.0:.0%}"
    took = words.say("time.seconds", n=f"{seconds:.1f}")
    return words.say("run.facts", took=f"{took} · {cost}" if cost else took, share=share)


def paint(line: Text, colours: bool) -> str:
    """Return the line for a stream, with or without colours."""
    if not colours or os.environ.get("NO_COLOR"):
        return line.plain
    parts = line.render(Console(), end="")
    return "".join(each.style.render(each.text) if each.style else each.text for each in parts)


def _end_of(output: str, most: int) -> str:
    # blank lines and rulers carry no information
    lines = [line for line in output.splitlines() if line.strip(" -=")]
    return "\n".join(["…", *lines[-most:]] if len(lines) > most else lines)


def _changes(given: Mapping[str, Any]) -> Iterable[Text]:
    edits = given.get("edits") if isinstance(given.get("edits"), list) else [given]
    lines = [
        line
        for edit in edits or ()
        if isinstance(edit, dict) and "old_string" in edit
        for line in difflib.ndiff(
            str(edit["old_string"]).splitlines(), str(edit.get("new_string", "")).splitlines()
        )
        if line.startswith(("+ ", "- "))
    ]
    for line in lines[:_MOST_OF_AN_EDIT]:
        style = "green" if line[0] == "+" else "red"
        yield Text(terminal.plain(line).replace("\t", "    "), style)
    if len(lines) > _MOST_OF_AN_EDIT:
        yield Text("…", "dim")
