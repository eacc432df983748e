"""Forms of `ccc web` that are out of date: they reach no later question, and no text is lost."""

import time

import pytest
from board import get, put
from looking import DONE, LANGUAGES

from ccc.backlog import store
from ccc.backlog.database import Database
from ccc.backlog.task import CANCELLED, FAILED, NEEDS_INPUT, RUNNING, WAITING
from harness import CccProject
from harness.page import Browser, PageServer
from harness.processes import wait_until
from harness.records import Records

SLOW = "#!/bin/sh\nuntil [ -e '{go}' ]; do sleep 0.05; done\necho key\n"
ANSWER = f"/session/{DONE}/answer"
CHANGED = {"en": "has changed since the page showed it", "zh": "在页面显示之后有了变化"}


def form_of(visitor: Browser, address: str) -> dict[str, str]:
    """Return the hidden fields of a form on the board."""
    wait_until(lambda: visitor.form(address, on="/board"))
    return visitor.form(address, on="/board")


@LANGUAGES
def test_another_question_of_a_task(stubbed: CccProject, queue: Database, language: str) -> None:
    """An answer to the first question isn't one to the second; the person sees what they wrote."""
    task = put(queue, state=NEEDS_INPUT, detail="Rename the option?", run=1)
    with PageServer(stubbed) as server:
        visitor = server.browser()
        visitor.headers["Accept-Language"] = language
        address = f"/queue/{task.id}/answer"
        form = form_of(visitor, address)
        with queue.change() as connection:
            store.update(connection, task.id, run=2, detail="Drop the table?")
        answer = visitor.submit(address, form, text="yes, <all> of it")
        assert CHANGED[language] in answer.text
        assert ">yes, &lt;all&gt; of it</textarea>" in answer.text
        assert (get(queue, task).state, get(queue, task).message) == (NEEDS_INPUT, "")
        visitor.post(address, text="no")
        assert (get(queue, task).state, get(queue, task).message) == (WAITING, "no")
        # answered in the meantime: not a second time
        assert CHANGED[language] in visitor.submit(address, form, text="yes").text
        assert get(queue, task).message == "no"


@pytest.mark.parametrize(
    ("verb", "shown", "later"),
    [
        ("cancel", (RUNNING, 1), (RUNNING, 2)),
        ("cancel", (WAITING, 0), (NEEDS_INPUT, 1)),
        ("retry", (FAILED, 1), (FAILED, 2)),
        ("retry", (CANCELLED, 1), (FAILED, 2)),
    ],
)
def test_another_run_of_a_task(
    stubbed: CccProject, queue: Database, verb: str, shown: tuple[str, int], later: tuple[str, int]
) -> None:
    """A task is cancelled or retried only as the page showed it."""
    task = put(queue, state=shown[0], run=shown[1], worker="gone", started_at=time.time())
    with PageServer(stubbed) as server:
        visitor = server.browser()
        form = form_of(visitor, f"/queue/{task.id}/{verb}")
        with queue.change() as connection:
            store.update(connection, task.id, state=later[0], run=later[1])
        visitor.submit(f"/queue/{task.id}/{verb}", form, sure="yes")
        assert CHANGED["en"] in visitor.get("/board").text
        assert get(queue, task).state == later[0]
        visitor.post(f"/queue/{task.id}/{'retry' if later[0] == FAILED else 'cancel'}", sure="yes")
        assert get(queue, task).state != later[0]


@pytest.mark.parametrize("by", ["the page", "the run"])
def test_another_question_of_a_run(stubbed: CccProject, records: Records, by: str) -> None:
    """Neither the page nor the run that it starts takes an answer to an earlier question."""
    here = {"cwd": str(stubbed.directory), "outcome": "needs_user", "count": 2}
    run = {"task": "Port the importer", "cwd": here["cwd"], "outcome": "needs_user"}
    records.add(DONE, [], time.time() - 60, run=run, **here, decided_at=1_000.25)
    program = stubbed.bin / "key"
    program.write_text(SLOW.format(go=stubbed.root / "go"))
    program.chmod(0o755)
    with PageServer(stubbed) as server:
        visitor = server.browser()
        form = visitor.form(ANSWER)
        if by == "the run":
            key = stubbed.provider(ANTHROPIC_AUTH_TOKEN={"command": [str(program)]})
            stubbed.configure(providers={"kimi": key})
            assert "is starting" in visitor.submit(ANSWER, form, text="yes").text
        records.change(DONE, decided_at=2_000.5, count=3)
        if by == "the page":
            answer = visitor.submit(ANSWER, form, text="yes").text
            assert ">yes</textarea>" in answer
            assert "asks something else now" in answer
        else:
            (stubbed.root / "go").touch()
            log = stubbed.claude_dir / "ccc" / f"supervisor-{DONE}-run.log"
            wait_until(lambda: "asks something else now" in log.read_text())
        # the new question can be answered
        wait_until(lambda: visitor.form(ANSWER) not in ({}, form))
    assert stubbed.launches == []
