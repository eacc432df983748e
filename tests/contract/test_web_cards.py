"""The card of a session on `ccc web`: who speaks in its log."""

import re

import pytest
from looking import DONE, LANGUAGES, at_work

from harness import CccProject
from harness.page import PageServer
from harness.records import Records, called, init, said

LINE = re.compile(r'<li class="(\w+) \w*"><time>[^<]*</time> <span>(?:<b>(\w+)</b> )?([^<]*)')
SPEAKERS = {"en": ("agent", "reviewer"), "zh": ("Agent", "审查者")}


@pytest.fixture
def at_review(records: Records) -> Records:
    """A run whose agent has spoken, and whose reviewer speaks."""
    run = {"task": "Port the importer", "phase": "agent"}
    records.add(DONE, [], run=run, outcome="", **at_work())
    work = (init(), said("I port it."), called("Bash", command="make test"))
    records.append(DONE, "agent.jsonl", *work)
    records.append(DONE, "output.jsonl", init(), called("Bash", command="git diff"), said("I see."))
    return records


@LANGUAGES
@pytest.mark.usefixtures("at_review")
def test_who_speaks(stubbed: CccProject, language: str) -> None:
    """Agent and reviewer are named where the speaker changes, on the card and on the page."""
    agent, reviewer = SPEAKERS[language]
    with PageServer(stubbed) as server:
        visitor = server.browser()
        for path in ("/", f"/session/{DONE}"):
            text = visitor.get(path, Accept_Language=language).text
            assert [line for line in LINE.findall(text) if line[0] not in ("stop", "review")] == [
                ("agent", agent, "I port it."),
                ("tool", "", "Bash make test"),
                ("looks", reviewer, "Bash git diff"),
                ("says", "", "I see."),
            ]
