"""What was asked, done and said up to a round, from claude's record of the session."""

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from ccc.claude.formats import stream, transcript_entry
from ccc.claude.formats.activity import EDIT, RUN, TOOLS
from ccc.claude.formats.transcript import parse_time
from ccc.evaluation.case import FEEDBACK, SAY, CaseStep
from ccc.model.round import Round
from ccc.text import lenient_json

_SLACK_SECONDS = 5.0
_MOST_STEPS = 400
_LONGEST_OUTPUT, _LONGEST_TEXT = 4_000, 8_000


class RecordedTalk(Struct, frozen=True):
    """The agent's steps, and its last message; empty if it isn't on record."""

    steps: tuple[CaseStep, ...] = ()
    message: str = ""


def read(lines: Iterable[str], rounds: Sequence[Round], projects: Sequence[str]) -> RecordedTalk:
    """Return the work on the task up to the last of its `rounds`."""
    entries = list(_entries_until(lines, rounds[-1]))
    reader = _Reader(projects, list(rounds[:-1]))
    for entry in entries[_begin(entries, rounds[-1]) :]:
        reader.read(entry)
    return reader.talk()


def _entries_until(lines: Iterable[str], last: Round) -> Iterator[dict[str, Any]]:
    """Yield the entries of the main conversation until the stop that the round judged."""
    until = last.stopped_at or last.decided_at + 1
    for line in lines:
        entry = lenient_json.parse_object(line) if '"type"' in line else None
        if entry and not entry.get("isSidechain") and _moment(entry) <= until:
            yield entry


def _begin(entries: Sequence[dict[str, Any]], last: Round) -> int:
    """Return where the task begins: at its first prompt, or when it started."""
    prompts = set(filter(None, (last.task, last.prompt_id)))
    since = last.task_started - _SLACK_SECONDS
    by_prompt = (n for n, entry in enumerate(entries) if entry.get("promptId") in prompts)
    by_time = (n for n, entry in enumerate(entries) if _moment(entry) >= since)
    return next(by_prompt, next(by_time, 0))


def _moment(entry: dict[str, Any]) -> float:
    return parse_time(lenient_json.text(entry, "timestamp"))


class _Reader(Struct):
    projects: Sequence[str]
    earlier: list[Round]  # the rounds whose feedback comes next
    steps: list[CaseStep] = field(default_factory=list)
    calls: dict[str, int] = field(default_factory=dict)
    """The position of each call among the steps, by its id."""

    def read(self, entry: dict[str, Any]) -> None:
        while self.earlier and _moment(entry) > self.earlier[0].stopped_at:
            earlier = self.earlier.pop(0)
            if not earlier.allowed:
                self.steps.append(CaseStep(FEEDBACK, earlier.feedback[:_LONGEST_TEXT]))
        text = transcript_entry.text(entry).strip() if entry.get("type") == "assistant" else ""
        if text:
            self.steps.append(CaseStep(SAY, text[:_LONGEST_TEXT]))
        for block in stream.blocks(entry, "assistant"):
            self._read_call(block)
        for block in stream.blocks(entry, "user"):
            self._read_result(block)

    def _read_call(self, block: dict[str, Any]) -> None:
        kind, key = TOOLS.get(lenient_json.text(block, "name"), ("", ""))
        target = lenient_json.text(block, "input", key) if kind else ""
        if kind == EDIT:
            target = relative(target, self.projects)
        if target:
            self.calls[lenient_json.text(block, "id")] = len(self.steps)
            self.steps.append(CaseStep(kind, target))

    def _read_result(self, block: dict[str, Any]) -> None:
        place = self.calls.get(lenient_json.text(block, "tool_use_id"))
        if place is None:
            return
        step, failed = self.steps[place], block.get("is_error") is True
        output = stream.result_text(block) if step.kind == RUN else ""
        first, _, rest = output.partition("\n")
        # claude adds a line about the exit code
        output = rest if first.startswith("Exit code ") else output
        self.steps[place] = replace(step, output=output[-_LONGEST_OUTPUT:], failed=failed)

    def talk(self) -> RecordedTalk:
        if not self.steps or self.steps[-1].kind != SAY:
            return RecordedTalk(tuple(self.steps[-_MOST_STEPS:]))
        *steps, last = self.steps
        return RecordedTalk(tuple(steps[-_MOST_STEPS:]), last.text)


def relative(path: str, projects: Sequence[str]) -> str:
    """Return the path inside the project; empty if it is outside."""
    for project in projects:
        inside = os.path.relpath(os.path.join(project, path), project)
        if inside != os.curdir and not inside.startswith(os.pardir):
            return inside
    return ""
