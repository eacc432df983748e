"""The card of a session on `ccc web`: who speaks in its log, and what a switch leaves in view."""

import json
import os
import re

import pytest
from looking import DONE, LANGUAGES, at_work, read_status

from harness import CccProject
from harness.page import Browser, PageServer
from harness.records import TASK, Records, called, init, said, story

LINE = re.compile(r'<li class="(\w+) \w*"><time>[^<]*</time> <span>(?:<b>(\w+)</b> )?([^<]*)')
OPEN = {"pid": os.getpid(), "claude": "/x/py"}
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


def switch(visitor: Browser) -> None:
    """Turn the session's supervision off, and on again."""
    for word in ("off", "on"):
        visitor.post(f"/session/{DONE}/supervise", word=word)


def test_off_and_on(stubbed: CccProject, records: Records) -> None:
    """The session stays in every list, under the name of its task; its new task begins at zero."""
    records.add(DONE, story(), **OPEN)
    with PageServer(stubbed) as server:
        visitor = server.browser()
        for _ in range(2):
            switch(visitor)
            page = visitor.get(f"/session/{DONE}").text
            assert f"<title>{TASK} " in page
            assert f"<h1>{TASK}</h1>" in page
            assert f'<a href="/session/{DONE}">{TASK}</a></h2>' in visitor.get("/").text
            for path in ("/history", "/history?q=importer+dry-run"):
                row = visitor.get(path).text.partition("<tbody>")[2]
                assert f'<a href="/session/{DONE}">{TASK}</a>' in row
                assert '<span class="mark good" aria-hidden="true">✓</span> completed' in row
    state = stubbed.json(f".claude/ccc/supervisor-{DONE}.json")
    assert (state["request"], state["requests"], state["count"], state["cost_usd"]) == (
        "",
        [],
        0,
        0,
    )
    records.change(DONE, pid=0)
    listed = json.loads(stubbed.run("history", "--json").succeeded().stdout)["sessions"]
    assert [(each["session_id"], each["request"]) for each in listed] == [(DONE, TASK)]
    assert [each["session_id"] for each in read_status(stubbed)] == [DONE]


def test_off_and_on_before_the_first_stop(stubbed: CccProject, records: Records) -> None:
    """A session that was never judged isn't in the history, and has no task yet."""
    records.add(DONE, [], outcome="", count=0, request="", **OPEN)
    with PageServer(stubbed) as server:
        visitor = server.browser()
        switch(visitor)
        assert "(the task is not on record)" in visitor.get("/").text
        assert DONE not in visitor.get("/history").text


def test_the_next_task(stubbed: CccProject, records: Records) -> None:
    """The new task has its own name as soon as that is on record."""
    records.add(DONE, story(), **OPEN)
    with PageServer(stubbed) as server:
        visitor = server.browser()
        switch(visitor)
        records.change(DONE, request="Port the exporter")
        assert "<h1>Port the exporter</h1>" in visitor.get(f"/session/{DONE}").text
        found = visitor.get("/history?q=exporter").text
        assert f'<a href="/session/{DONE}">Port the exporter</a>' in found
