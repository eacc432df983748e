"""The demo's story: read from records in order, printed as lines, and summarized."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from ccc import words
from ccc.claude.formats import stream
from ccc.demo import story
from ccc.demo.follower import Event, Message, follow
from ccc.demo.narrator import Narrator
from ccc.demo.performance import ALLOWED, BY_CHECK, BY_REVIEWER, Summary, summarize
from ccc.model.record import rounds
from ccc.model.round import Round
from ccc.scripted.scratch import Scratch
from ccc.storage.paths import Paths
from ccc.ui.run_lines import AGENT, REVIEWER

SESSION = "11111111-2222-3333-4444-555555555555"
RESULT = {"type": "result"}
TOKENS = {"input": 5, "cache_read": 90, "cache_creation": 5, "output": 7}


@pytest.fixture(autouse=True)
def _in_english() -> None:
    words.use({"CCC_LANG": "en"})


def said(text: str) -> dict[str, Any]:
    """Return a line with a text."""
    return {"type": "assistant", "message": {"content": [{"type": "text", "text": text}]}}


def called(name: str, **given: str) -> dict[str, Any]:
    """Return a line with a tool call."""
    call = {"type": "tool_use", "id": "t1", "name": name, "input": given}
    return {"type": "assistant", "message": {"content": [call]}}


def returned(text: str) -> dict[str, Any]:
    """Return a line with the result of that call."""
    result = {"type": "tool_result", "tool_use_id": "t1", "content": [{"text": text}]}
    return {"type": "user", "message": {"content": [result]}}


def narrating(file: io.StringIO) -> Narrator:
    """Return a narrator on a plain screen of 60 columns, without pauses."""
    console = Console(file=file, width=60, highlight=False, color_system=None)
    return Narrator(console, "/p", True)


def record(outcome: str = "completed", *, checks: int | None = 0, **more: Any) -> dict[str, Any]:
    """Return a line of the verdicts."""
    receipts = [] if checks is None else [{"command": "c", "exit_code": checks, "seconds": 0.1}]
    allowed = outcome != "not_completed"
    base = {"iteration": 1, "outcome": outcome, "allowed": allowed, "receipts": receipts}
    return {**base, **more}


def decided(line: dict[str, Any]) -> Round:
    """Return the round of that line."""
    return rounds([json.dumps(line)])[0]


class Records:
    """The files of a run that a test writes."""

    def __init__(self, directory: Path) -> None:
        self.where = Paths({"CLAUDE_CONFIG_DIR": str(directory)})
        Path(self.where.state_dir).mkdir()
        Path(self.where.state(SESSION)).write_text("{}")

    def agent(self, *lines: object) -> None:
        self._write(self.where.agent_output(SESSION), *lines)

    def review(self, *lines: object) -> None:
        self._write(self.where.review_output(SESSION), *lines)

    def verdict(self, *lines: object) -> None:
        self._write(self.where.verdicts(SESSION), *lines)

    def _write(self, path: str, *lines: object) -> None:
        with open(path, "a") as file:
            file.writelines(json.dumps(line) + "\n" for line in lines)


@pytest.fixture
def records(tmp_path: Path) -> Records:
    """An empty record."""
    return Records(tmp_path)


def course(events: list[Event]) -> list[str]:
    """Return the texts and the decided rounds."""
    return [
        text
        for event in events
        for text in (
            [f"{event.who}: {text}" for text in stream.texts(event.content)]
            if isinstance(event, Message)
            else ["Round"]
        )
    ]


class Follower:
    """What is recorded, as far as it can be known."""

    def __init__(self, where: Paths) -> None:
        self._events = follow(where)
        self.working = AGENT

    def new(self) -> list[Event]:
        """Return the events since the last call, and note who is working."""
        events: list[Event] = []
        for each in self._events:
            if isinstance(each, str):
                self.working = each
                break
            events.append(each)
        return events


class TestFollower:
    def test_before_anything(self, tmp_path: Path) -> None:
        """Without a session there are no events."""
        where = Paths({"CLAUDE_CONFIG_DIR": str(tmp_path)})
        assert Follower(where).new() == []

    def test_as_it_happens(self, records: Records) -> None:
        """Each event appears as soon as it is recorded."""
        follower = Follower(records.where)
        assert follower.new() == []
        records.agent(said("one"))
        assert course(follower.new()) == ["agent: one"]
        assert follower.working == AGENT
        records.agent(RESULT)
        assert course(follower.new()) == []
        assert follower.working == REVIEWER
        records.review(said("look"))
        assert course(follower.new()) == ["reviewer: look"]
        records.review(RESULT)
        records.verdict(record(tokens=TOKENS))
        assert course(follower.new()) == ["Round"]
        assert follower.working == AGENT

    def test_all_at_once(self, records: Records) -> None:
        """A late look finds the same order: a stop without a review takes none."""
        records.agent(said("one"), RESULT, said("two"), RESULT, said("three"), RESULT)
        records.review(said("look"), RESULT, said("look again"), RESULT)
        records.verdict(
            record("not_completed", checks=1, tokens={}),
            record("not_completed", tokens=TOKENS),
            record(tokens=TOKENS),
        )
        assert course(Follower(records.where).new()) == [
            *("agent: one", "Round", "agent: two", "reviewer: look", "Round"),
            *("agent: three", "reviewer: look again", "Round"),
        ]

    def test_lines_after_the_result_of_a_review(self, records: Records) -> None:
        """Lines after a review's result are read before the verdict, which is still shown."""
        follower = Follower(records.where)
        records.agent(RESULT)
        records.review(said("look"), RESULT, {"type": "command_lifecycle"})
        assert course(follower.new()) == ["reviewer: look"]
        records.verdict(record(tokens=TOKENS))
        assert course(follower.new()) == ["Round"]

    def test_a_verdict_waits_for_its_review(self, records: Records) -> None:
        """The review's lines come before the verdict, whichever file is seen first."""
        records.agent(RESULT)
        records.verdict(record(tokens=TOKENS))
        follower = Follower(records.where)
        assert course(follower.new()) == []
        records.review(said("look"), RESULT)
        assert course(follower.new()) == ["reviewer: look", "Round"]

    def test_calls_and_results(self, records: Records) -> None:
        """A tool's result is matched to its tool."""
        records.agent(called("Bash", command="ls"), returned("a.txt"))
        file = io.StringIO()
        narrator = narrating(file)
        for event in Follower(records.where).new():
            narrator.show(event)
        assert [line.split() for line in file.getvalue().splitlines()[-2:]] == [
            ["agent", "●", "Bash", "ls"],
            ["a.txt"],
        ]

    def test_half_a_line(self, records: Records) -> None:
        """An incomplete line is read once it is whole; a broken one is skipped."""
        follower = Follower(records.where)
        line = json.dumps(said("one"))
        path = Path(records.where.agent_output(SESSION))
        path.write_text("broken\n" + line[:20])
        assert follower.new() == []
        path.write_text("broken\n" + line + "\n")
        assert course(follower.new()) == ["agent: one"]


class TestSummary:
    @pytest.mark.parametrize(
        ("line", "kind"),
        [
            (record("not_completed", checks=1, tokens={}), BY_CHECK),
            (record("not_completed", checks=None, tokens={}), "not_completed"),
            (record("not_completed", tokens=TOKENS), BY_REVIEWER),
            (record("completed", tokens=TOKENS), ALLOWED),
            (record("completed", tokens={}), "completed"),
            (record("stuck", checks=1, tokens={}), "stuck"),
            (record("stuck", tokens=TOKENS), "stuck"),
            (record("not_judged", tokens={}, failure="no claude"), "not_judged no claude"),
        ],
    )
    def test_kinds(self, line: dict[str, Any], kind: str) -> None:
        """The outcome of a stop comes from its record; an unexpected one keeps its own words."""
        assert Summary((decided(line),)).course == (kind,)

    @pytest.mark.parametrize("shares", [True, False])
    def test_whose_cache(self, shares: bool) -> None:
        """It claims that a fork shares the agent's cache only if it does."""
        cached = dict(Summary().rows("", shares_cache=shares))[words.say("demo.sum_cached")]
        assert ("a fork shares the agent's cache" in cached) is shares

    def test_no_session(self, tmp_path: Path) -> None:
        """Without a session, the summary is empty."""
        where = Paths({"CLAUDE_CONFIG_DIR": str(tmp_path)})
        assert summarize(where) == Summary()


class Terminal(io.StringIO):
    """A terminal that remembers its output."""

    def isatty(self) -> bool:
        return True


class TestNarrator:
    def told(self, file: io.StringIO, fast: bool, lines: int) -> tuple[str, list[float]]:
        """Tell a story of this many lines and return the output and the pauses."""
        pauses: list[float] = []
        console = Console(file=file, width=60, highlight=False, color_system=None)
        narrator = Narrator(console, "/p", fast, pauses.append)
        narrator.open("1.0", "ccc run x", ["a note"])
        for number in range(lines):
            narrator.show(Message(AGENT, said(f"line {number}")))
        return file.getvalue(), pauses

    def test_pauses_are_bounded(self) -> None:
        """On a terminal there is time to read, but never more than 45 s."""
        _, pauses = self.told(Terminal(), False, 10)
        assert 8 < sum(pauses) < 15
        _, pauses = self.told(Terminal(), False, 1_000)
        assert sum(pauses) == pytest.approx(45)

    @pytest.mark.parametrize(("file", "fast"), [(io.StringIO, False), (Terminal, True)])
    def test_no_pauses(self, file: type[io.StringIO], fast: bool) -> None:
        """There are no pauses in a pipe or with --fast."""
        assert sum(self.told(file(), fast, 10)[1]) == 0

    def test_what_anybody_says_is_plain(self) -> None:
        """No text from a model or a program controls the terminal."""
        file = io.StringIO()
        narrator = narrating(file)
        bad = "\x1b[31mred[bold]"
        narrator.show(Message(AGENT, said(bad)))
        narrator.show(Message(AGENT, called("Bash", command=bad)))
        narrator.show(Message(AGENT, returned(bad)))
        narrator.show(Message(REVIEWER, called("Edit", old_string="", new_string=bad)))
        narrator.show(decided(record("not_completed", tokens=TOKENS, feedback=bad)))
        assert "\x1b" not in file.getvalue()
        assert file.getvalue().count("red[bold]") == 5

    def test_the_verdict_is_shown_once(self) -> None:
        """The reviewer's text comes without the JSON, which the verdict replaces."""
        file = io.StringIO()
        text = 'Not yet.\n\n{"completed": false, "feedback": "more"}'
        narrating(file).show(Message(REVIEWER, said(text)))
        assert "Not yet." in file.getvalue()
        assert "completed" not in file.getvalue()


class TestScratch:
    def test_the_environment(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Only what a terminal needs gets in, and the home is the demo's."""
        users = {
            "PATH": "/bin",
            "HOME": "/home/me",
            "TERM": "xterm",
            "LANG": "fr_FR",
            "ANTHROPIC_API_KEY": "k",
            "CCC_WORK_DIR": "/w",
            "CLAUDECODE": "1",
            "MY_KEY": "k",
            "https_proxy": "http://proxy",
            "ALL_PROXY": "http://proxy",
            "CCC_LANG": "zh",
        }
        place = Scratch(users, "slug")
        try:
            env = place.env
            assert env["HOME"].startswith(place.root)
            assert env["PATH"] == f"{place.root}/bin:/bin"
            assert (env["TERM"], env["LANG"], env["CCC_LANG"]) == ("xterm", "fr_FR", "en")
            assert not {"ANTHROPIC_API_KEY", "CCC_WORK_DIR", "CLAUDECODE", "MY_KEY"} & env.keys()
            assert not {"https_proxy", "ALL_PROXY"} & env.keys()
        finally:
            place.leave()
        assert not Path(place.root).exists()


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_the_story_fits_its_project(language: str) -> None:
    """Each edit of the script finds what it replaces, and the README ends up right."""
    words.use({"CCC_LANG": language})
    content = dict(story.files())
    for steps in reversed(story.turns("/p").values()):
        blocks = [block for step in steps for block in step if not isinstance(block, str)]
        for given in (block["input"] for block in blocks if block["name"] == "Edit"):
            name, old = given["file_path"].removeprefix("/p/"), given["old_string"]
            assert content[name].count(old) == 1
            content[name] = content[name].replace(old, given["new_string"])
    assert story.RIGHT in content["README.md"]
    assert story.WRONG not in content["README.md"]
    assert words.say("demo.feedback").count('"') == 0  # it is embedded in JSON
