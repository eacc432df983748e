"""The card of a session on `ccc web`: who speaks, what it cost, what a switch leaves in view."""

import json
import os
import re
import time

import pytest
from board import put
from looking import DONE, LANGUAGES, SENT_BACK, at_work, read_status

from ccc.backlog.database import Database
from ccc.backlog.task import CANCELLED, FAILED
from harness import CccProject
from harness.page import Browser, PageServer
from harness.processes import wait_until
from harness.records import PRICED, TASK, Records, called, init, receipt, said, story, verdict

LINE = re.compile(r'<li class="(\w+) \w*"><time>[^<]*</time> <span>(?:<b>(\w+)</b> )?([^<]*)')
OPEN = {"pid": os.getpid(), "claude": "/x/py"}
RUN = {"task": TASK, "phase": "agent", "agent_cost_usd": 0.412, "agent_cost_source": PRICED}
COSTS = {
    "en": {
        "label": "Cost",
        "task": "{} reviews of this task",
        "reviews": "{} reviews",
        "run": "{} total",
        "limit": "of",
    },
    "zh": {
        "label": "费用",
        "task": "本任务审查 {}",
        "reviews": "审查 {}",
        "run": "合计 {}",
        "limit": "上限",
    },
}
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


@LANGUAGES
@pytest.mark.parametrize(
    ("limit", "more", "shown"),
    [
        (0, {}, ("reviews", "$0.0773", "")),
        (5, {}, ("task", "$0.0100", "$5")),
        (5, {"enabled": False}, ("reviews", "$0.0773", "")),
        (0, {"run": {**RUN, "limits": {"max_cost_usd": 2}}}, ("run", "$0.4893", "$2")),
        (0, {"run": RUN}, ("run", "$0.4893", "")),
    ],
)
def test_whose_cost(
    stubbed: CccProject,
    records: Records,
    language: str,
    limit: float,
    more: dict[str, object],
    shown: tuple[str, str, str],
) -> None:
    """A card has the cost of the task if that has a limit; else that of the session, as others."""
    stubbed.configure(supervisor={"max_cost_usd": limit})
    lines = [*story(), verdict(1, 2_000, "completed", prompt_id="p2", cost_usd=0.0001)]
    records.add(DONE, lines, **{"cost_usd": 0.01, **OPEN, **more})
    kind, cost, most = shown
    texts = COSTS[language]
    label, cost, of_limit = texts["label"], texts[kind].format(cost), texts["limit"]
    whole = "$0.4893" if "run" in more else "$0.0773"
    with PageServer(stubbed) as server:
        visitor = server.browser()
        visitor.headers["Accept-Language"] = language
        limited = f"<small>{of_limit} {most}</small>" if most else ""
        assert f"<dt>{label}</dt><dd>{cost}{limited}</dd>" in visitor.get("/").text
        page = visitor.get(f"/session/{DONE}").text
        counts = "run" if "run" in more else "reviews"
        assert f"<dt>{label}</dt><dd>{texts[counts].format(whole)}<" in page
        assert f">{texts[counts].format(whole)}</td>" in visitor.get("/history").text


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


FAILURES = {
    ("no_request", "en"): "failed: no pull request",
    ("no_request", "zh"): "失败：未创建拉取请求",
    ("not_set_up", "en"): "failed: setup failed",
    ("not_set_up", "zh"): "失败：准备失败",
}


@pytest.mark.parametrize(("outcome", "language"), FAILURES)
def test_a_failed_task(
    stubbed: CccProject, records: Records, queue: Database, outcome: str, language: str
) -> None:
    """Every page says that it failed and why, although its agent's work was completed."""
    records.add(DONE, story(), run={"task": TASK, "outcome": "completed"}, outcome="completed")
    session = DONE if outcome == "no_request" else ""
    failed = {"state": FAILED, "outcome": outcome, "detail": "gh: <not> there"}
    put(queue, session=session, ended_at=time.time(), **failed)
    put(queue, text="An old failure", **failed)
    pages = ["/", "/board", *([f"/session/{DONE}"] if session else [])]
    with PageServer(stubbed) as server:
        visitor = server.browser()
        visitor.headers["Accept-Language"] = language
        wait_until(lambda: "gh: " in visitor.get("/").text)
        for path in pages:
            text = visitor.get(path).text
            assert FAILURES[outcome, language] in text, path
            assert '<p class="cause">gh: &lt;not&gt; there</p>' in text, path
            assert "An old failure" not in text or path == "/board"
            pills = re.findall(r'<span class="pill (\w*)">', text)
            assert pills == (["bad"] if session else ["bad", "good"]) or path == "/board"
        row = visitor.get("/history").text.partition("<tbody>")[2]
        assert (FAILURES[outcome, language] in row) is bool(session)


def test_an_earlier_session_of_a_task(
    stubbed: CccProject, records: Records, queue: Database
) -> None:
    """Its last session stands as the task does; an earlier one says how it ended itself."""
    records.add(DONE, [], cwd="/w/1", outcome="iterations")
    records.add(SENT_BACK, [], cwd="/w/1", outcome="interrupted")
    put(queue, session=SENT_BACK, worktree="/w/1", state=CANCELLED)
    with PageServer(stubbed) as server:
        visitor = server.browser()
        own = '<span class="pill ">cancelled</span>'
        wait_until(lambda: own in visitor.get(f"/session/{SENT_BACK}").text)
        page = visitor.get(f"/session/{DONE}").text
        assert '<span class="pill warn">round limit</span>' in page


def test_a_warning(stubbed: CccProject, records: Records) -> None:
    """A signal isn't shown in the colour of a check that passed."""
    records.add(DONE, [], outcome="", **at_work())
    with PageServer(stubbed) as server, server.browser().events("now") as events:
        events.wait_for(DONE)
        signal = {"name": "test_removed", "severity": "high", "passed": True, "file": "a.py"}
        checks = [receipt("make lint", 1, 1.0), receipt("make test", 0, 1.0), signal]
        records.change(DONE, **at_work(receipts=checks))
        text, _ = events.wait_for("a.py")
    found = re.findall(r'<li class="checked (\w*)"><time>[^<]*</time> <span>(.)', text)
    assert found == [("bad", "✗"), ("good", "✓"), ("warn", "!")]
