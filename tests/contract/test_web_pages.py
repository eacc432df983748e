"""What the pages of `ccc web` show and offer, and what its command prints in a terminal."""

import os
import re
import socket
import time
from pathlib import Path

import pytest
from board import standin
from looking import DONE, QUIET, SENT_BACK, at_work

from ccc.backlog import database, places, store
from ccc.backlog.task import COMPLETED, FAILED, NEEDS_INPUT, RUNNING, QueuedTask
from ccc.storage.paths import Paths
from harness import CccProject
from harness.backlog import store_tasks
from harness.page import Browser, PageServer
from harness.processes import wait_until
from harness.records import Records, init, said, story

RUN = {"task": "Port the importer", "outcome": "needs_user"}
ASKS = {"outcome": "needs_user", "feedback": ["Which of the two?"]}


def queue_of(project: CccProject) -> database.Database:
    """Open the user's queue."""
    where = Paths(project.env | {"CLAUDE_CONFIG_DIR": str(project.claude_dir)})
    return database.connect(where, {})


class TestTurns:
    """The place of a task in the queue."""

    def test_any_place(self, stubbed: CccProject) -> None:
        """A waiting task is moved to the front, to the end, or gets a priority."""
        queue = queue_of(stubbed)
        first, second = store_tasks(
            queue, [QueuedTask(text="A", repo="/r"), QueuedTask(text="B", repo="/r")]
        )

        def priority(task: QueuedTask) -> int:
            with queue.read() as connection:
                return store.find(connection, task.id).priority

        with PageServer(stubbed) as server:
            visitor = server.browser()
            address = f"/queue/{second.id}/move"
            visitor.post(address, to="first")
            assert priority(second) > priority(first)
            visitor.post(address, to="last")
            assert priority(second) < priority(first)
            visitor.post(address, to="42")
            assert priority(second) == 42
            visitor.post(address, to="-7")
            assert priority(second) == -7
            assert 'value="-7"' in visitor.get("/board").text
            for wrong in ("", "up", "1.5", "1000001", "9" * 5_000):
                visitor.post(address, to=wrong)
                assert "expected first, last or a priority" in visitor.get("/board").text
            assert priority(second) == -7
        queue.close()


class TestManyTasks:
    """No state hides the tasks of another."""

    @pytest.mark.parametrize("state", [RUNNING, FAILED, COMPLETED])
    def test_many_of_one(self, stubbed: CccProject, state: str) -> None:
        """The question and the waiting task are shown; what is cut is counted with its command."""
        queue = queue_of(stubbed)
        many = [QueuedTask(text="Many", repo="/r", state=state, ended_at=1.0)] * 230
        asks = QueuedTask(text="Asking", repo="/r", state=NEEDS_INPUT, detail="Old or new?")
        store_tasks(queue, [*many, asks, QueuedTask(text="Waiting", repo="/r")])
        queue.close()
        with PageServer(stubbed) as server:
            visitor = server.browser()
            assert "Old or new?" in visitor.get("/").text
            text = visitor.get("/board").text
        assert "Old or new?" in text
        assert ">Waiting" in text
        more = 230 - text.count("Many")
        assert f"… and {more} more: <code>ccc queue list --state {state}" in text
        assert text.index(">Waiting") < text.index("Many") or state == RUNNING

    def test_many_questions(self, stubbed: CccProject) -> None:
        """Now and the board say how many more wait for an answer."""
        queue = queue_of(stubbed)
        store_tasks(queue, [QueuedTask(text="Asking", repo="/r", state=NEEDS_INPUT)] * 60)
        queue.close()
        with PageServer(stubbed) as server:
            visitor = server.browser()
            for path in ("/", "/board"):
                more = "… and 10 more: <code>ccc queue list --state needs_input</code>"
                assert more in visitor.get(path).text


class TestQuestions:
    """The questions of sessions."""

    def test_what_to_type(self, stubbed: CccProject, records: Records) -> None:
        """A waiting session shows question, commands and id, quoted for a shell."""
        project = stubbed.root / "a b"
        project.mkdir()
        more = {**ASKS, "cwd": str(project), "provider": "a;b"}
        records.add(DONE, [], run={**RUN, "cwd": str(project)}, **more)
        records.add(SENT_BACK, [], **more)
        records.add(QUIET, [], **more, pid=os.getpid(), claude="/x/py", enabled=True)
        with PageServer(stubbed) as server:
            visitor = server.browser()
            of_run, ended, open_ = (
                codes(visitor.get(f"/session/{each}").text) for each in (DONE, SENT_BACK, QUIET)
            )
            assert "in its terminal" in visitor.get(f"/session/{QUIET}").text
        cd = f"cd '{project}' && "
        resume = f"{cd}ccc 'a;b' --resume "
        assert of_run == [f"{cd}ccc run --continue 'your answer'", resume + DONE, DONE]
        assert ended == [resume + SENT_BACK, SENT_BACK]
        assert open_ == [QUIET]

    def test_where_there_is_a_form(self, stubbed: CccProject, records: Records) -> None:
        """Only a run that `ccc run --continue` would continue has a form."""
        here = {"cwd": str(stubbed.directory)}
        records.add(DONE, [], time.time() - 60, run={**RUN, **here}, **ASKS, **here)
        with PageServer(stubbed) as server:
            visitor = server.browser()
            address = f"/session/{DONE}/answer"
            assert address in visitor.get("/").text
            # a plan needs another permission mode, too
            plan = {**RUN, **here, "outcome": "plan", "saved_at": time.time()}
            records.add(SENT_BACK, [], run=plan, **{**ASKS, **here, "outcome": "plan"})
            assert f"/session/{SENT_BACK}/answer" not in visitor.get("/").text
            page = visitor.get(f"/session/{SENT_BACK}").text
            assert "--permission-mode acceptEdits" in page
            # now there is a later run
            wait_until(lambda: address not in visitor.get("/").text)
            assert "A later run" in visitor.get(f"/session/{DONE}").text
            refused = visitor.post(address, text="This one.").text
            assert "would continue another run" in refused
            # what changes a session's file isn't a later run
            os.utime(records.directory / f"supervisor-{DONE}.json")
            assert "A later run" in visitor.get(f"/session/{DONE}").text
            assert address not in visitor.get("/").text
        assert stubbed.launches == []

    def test_what_is_refused(self, stubbed: CccProject, records: Records) -> None:
        """No run starts without an answer, a question or a directory, nor besides the queue."""
        here, gone = str(stubbed.directory), str(stubbed.root / "gone")
        worktree = Path(places.directory(stubbed.env)) / "1-task"
        worktree.mkdir(parents=True)
        records.add(DONE, [], run={**RUN, "cwd": here}, **ASKS, cwd=here)
        records.add(SENT_BACK, [], run={**RUN, "cwd": gone}, **ASKS, cwd=gone)
        records.add(QUIET, [], run={**RUN, "cwd": str(worktree)}, **ASKS, cwd=str(worktree))
        records.add("other-1", [], **ASKS, cwd=here)
        with PageServer(stubbed) as server:
            visitor = server.browser()

            def told(session: str, text: str) -> str:
                answer = visitor.post(f"/session/{session}/answer", text=text)
                page = answer.text or visitor.get("/").text
                found = re.search(r'role="alert">([^<]*)', page)
                return found.group(1) if found else ""

            assert "there is no answer" in told(DONE, "  \r\n ")
            assert "no directory" in told(SENT_BACK, "Yes.")
            assert "belongs to a task" in told(QUIET, "Yes.")
            assert f"/session/{QUIET}/answer" not in visitor.get(f"/session/{QUIET}").text
            assert "wait for an answer any more" in told("other-1", "Yes.")
            assert "wait for an answer any more" in told("unknown-1", "Yes.")
        assert stubbed.launches == []

    def test_many_newer_sessions(self, stubbed: CccProject, records: Records) -> None:
        """A question that was shown stays on the page, however many sessions change later."""
        records.add(DONE, [], time.time() - 60, **ASKS)
        with PageServer(stubbed) as server:
            visitor = server.browser()
            assert "Waiting for you" in visitor.get("/").text
            for number in range(70):
                records.add(f"other-{number}", [])
            wait_until(lambda: 'key="other-69"' in visitor.get("/").text)
            assert "Waiting for you" in visitor.get("/").text
            records.change(DONE, outcome="completed")
            wait_until(lambda: "Waiting for you" not in visitor.get("/").text)

    def test_a_task(self, stubbed: CccProject, records: Records) -> None:
        """The question of a task is answered on the session's page, too."""
        queue = queue_of(stubbed)
        asked = QueuedTask(
            text="A", repo="/r", state=NEEDS_INPUT, detail="Old or new?", session=DONE
        )
        done = QueuedTask(text="B", repo="/r", state=COMPLETED, session=SENT_BACK)
        store_tasks(queue, [asked, done])
        queue.close()
        for session in (DONE, SENT_BACK):
            records.add(session, [], run={**RUN, "cwd": "/r"}, **ASKS)
        with PageServer(stubbed) as server:
            visitor = server.browser()
            page = visitor.get(f"/session/{DONE}").text
            assert 'action="/queue/1/answer"' in page
            assert f"/session/{DONE}/answer" not in page
            visitor.post("/queue/1/answer", text="New.", back=f"/session/{DONE}")
            assert "Waiting for you" not in visitor.get(f"/session/{DONE}").text
            assert "Waiting for you" not in visitor.get(f"/session/{SENT_BACK}").text


class TestSessionsOfTasks:
    """A session of a task is shown as the task."""

    @pytest.fixture
    def records_of_task(self, stubbed: CccProject, records: Records) -> Records:
        """The records of a session in the worktree of a running task."""
        path = places.directory(stubbed.env) + "/1-limited"
        queue = queue_of(stubbed)
        repo = f"{stubbed.home}/code/app"
        task = QueuedTask(
            text="Limit the rate", repo=repo, state=RUNNING, worker="x", worktree=path
        )
        store_tasks(queue, [task])
        queue.close()
        request = "Limit the rate\n\nSomeone has begun this task in this directory: look."
        run = {"task": request, "cwd": path, "phase": "agent"}
        records.add(DONE, [], outcome="", run=run, **{**at_work(), "cwd": path})
        return records

    @pytest.mark.usefixtures("records_of_task")
    def test_its_name(self, stubbed: CccProject) -> None:
        """Every page shows number, repository and the task's own text, not the worktree."""
        with PageServer(stubbed) as server:
            visitor = server.browser()
            for path in ("/", "/history", f"/session/{DONE}", "/history?q=%231+code%2Fapp"):
                text = visitor.get(path).text
                assert '<a href="/board#task-1">#1</a> · ~/<wbr>code/<wbr>app' in text, path
                assert "Limit the rate" in text
                assert "Someone has begun" not in text
                assert "1-limited" not in text
            assert 'id="task-1"' in visitor.get("/board").text

    def test_its_end(self, stubbed: CccProject, records_of_task: Records) -> None:
        """The task can be cancelled; its run alone can't be stopped."""
        with PageServer(stubbed) as server, standin("ccc", "run") as process:
            records_of_task.change(DONE, pid=process.pid)
            visitor = server.browser()
            for path in ("/", f"/session/{DONE}"):
                text = visitor.get(path).text
                assert 'action="/queue/1/cancel"' in text
                assert "Stop the run" not in text
            visitor.post(f"/session/{DONE}/stop", sure="yes")
            assert "belongs to a task of the queue" in visitor.get("/").text
            assert process.poll() is None
            visitor.post("/queue/1/cancel", sure="yes")
            assert "/queue/1/cancel" not in visitor.get("/").text


def codes(page: str) -> list[str]:
    """Return the texts that can be copied on a page."""
    found = re.findall(r"<code>([^<]*)</code><button", page)
    return [each.replace("&#x27;", "'").replace("&amp;", "&") for each in found]


def last_line(page: str) -> str:
    """Return the last line of the log on a page or card."""
    (log,) = re.findall(r'<div class="log".*?</div>', page, re.DOTALL)
    lines: list[str] = re.findall(r"<span>([^<]*)</span></li>", log)
    return lines[-1]


class TestPages:
    """Sessions at work, pages of the history, and refusals."""

    def test_what_works_now(self, stubbed: CccProject, records: Records) -> None:
        """History and session say what a session does, not how its last round ended."""
        records.add(DONE, story()[:2], outcome="not_completed", **at_work("reviewing"))
        records.add(SENT_BACK, story()[:2], outcome="not_completed")
        with PageServer(stubbed) as server:
            visitor = server.browser()
            rows = visitor.get("/history").text.split("<tr>")
            (busy,) = (row for row in rows if DONE in row)
            (ended,) = (row for row in rows if SENT_BACK in row)
            assert "reviewing" in busy
            assert "not completed" not in busy
            assert "not completed" in ended
            assert ">reviewing</span>" in visitor.get(f"/session/{DONE}").text
            assert ">not completed</span>" in visitor.get(f"/session/{SENT_BACK}").text
            assert visitor.get("/history?q=reviewing").text.count("<tr>") == 2

    def test_the_newest_line(self, stubbed: CccProject, records: Records) -> None:
        """A page opened late ends with the agent's newest line, or the reviewer's in a review."""
        run = {"task": "Port the importer", "phase": "agent"}
        turn = [said("An old turn."), init(), *(said(f"I write part {n}.") for n in range(30))]
        review = [init(), *(said(f"I look at part {n}.") for n in range(30))]
        for session, state in ((DONE, {**at_work(), "stop": {}}), (SENT_BACK, at_work())):
            records.add(session, story()[:1], outcome="not_completed", run=run, **state)
            records.append(session, "agent.jsonl", *turn)
            records.append(session, "output.jsonl", *review)
        with PageServer(stubbed) as server:
            visitor = server.browser()
            first, pages = visitor.get("/").text, {}
            for session in (DONE, SENT_BACK):
                pages[session] = visitor.get(f"/session/{session}").text
                (card,) = (each for each in first.split("<article") if f'key="{session}"' in each)
                assert last_line(card) == last_line(pages[session])
        assert last_line(pages[DONE]) == "I write part 29."
        assert "I look at" not in pages[DONE]
        assert last_line(pages[SENT_BACK]) == "I look at part 29."
        assert "I write" not in pages[SENT_BACK]

    def test_the_order_of_the_cards(self, stubbed: CccProject, records: Records) -> None:
        """The newest is first among those at work, whichever has changed last."""
        for number in (2, 1, 3):
            state = {**at_work(), "created_at": f"2026-01-0{number}T00:00:00Z"}
            records.add(f"s{number}", [], outcome="not_completed", **state)
        with PageServer(stubbed) as server:
            visitor = server.browser()
            for changed in ("s1", "s2"):
                records.change(changed, count=4)
                text = visitor.get("/").text
                assert re.findall(r'data-key="(s\d)"', text) == ["s3", "s2", "s1"]

    def test_a_first_turn(self, stubbed: CccProject, records: Records) -> None:
        """The duration isn't known before the first stop, so there is none."""
        records.add(DONE, [], run={"task": "x", "phase": "agent"}, outcome="", **at_work())
        records.add(SENT_BACK, story()[:2], outcome="not_completed")
        with PageServer(stubbed) as server:
            visitor = server.browser()
            assert "Duration" not in visitor.get(f"/session/{DONE}").text
            assert "Duration" in visitor.get(f"/session/{SENT_BACK}").text

    def test_one_cached_share(self, visitor: Browser) -> None:
        """Card and page of a session show the same figure."""
        found = [
            re.findall(r"<dt>Cached \(reviews\)</dt><dd>(\d+%)", visitor.get(path).text)
            for path in ("/", f"/session/{DONE}")
        ]
        assert found[1][0] in found[0]

    def test_a_page_after_the_last(self, stubbed: CccProject, records: Records) -> None:
        """It is the last one, which says so."""
        for number in range(60):
            records.add(f"s{number}", [], time.time() - number, request=f"Task number {number}.")
        with PageServer(stubbed) as server:
            text = server.browser().get("/history?page=999").text
        assert "Page 2 of 2" in text
        assert "Task number 59." in text
        assert "Newer" in text
        assert "Older" not in text

    def test_refusals(self, server: PageServer, visitor: Browser) -> None:
        """Whoever was let in finds the way back; nobody gets a form's token that way."""
        refused = [visitor.get("/x"), visitor.post(f"/session/{DONE}/stop", "wrong")]
        for answer in refused:
            assert answer.status in (403, 404)
            assert 'href="/history"' in answer.text
            assert 'name="token"' not in answer.text
        for answer in (visitor.get("/x", Host="evil.example"), Browser(server).get("/history")):
            assert answer.status in (400, 401)
            assert "href=" not in answer.text.partition("<body>")[2]

    def test_the_whole_link(self, server: PageServer) -> None:
        """The field for the token also takes the link."""
        visitor, link = Browser(server), server.link.replace("?", "%3F").replace("=", "%3D")
        assert visitor.send("/enter", f"token=+{link}+".encode()).status == 200
        assert visitor.get("/").status == 200


class TestTerminal:
    """What the terminal says."""

    @pytest.mark.tmux
    def test_another_port(self, stubbed: CccProject, tmux: None) -> None:
        """It says that the usual port is in use, and ends the line of ^C."""
        with socket.socket() as taken:
            try:
                taken.bind(("127.0.0.1", 8765))
                taken.listen()
            except OSError:
                pass  # another program has it
            with stubbed.interactive("web") as terminal:
                terminal.wait_for("Port 8765 is in use, so the page is on port 87")
                terminal.press("C-c")
                lines = terminal.wait_for(r"\[exit 0\]").splitlines()
        at = lines.index("[exit 0]")
        assert lines[at - 1].endswith("^C")
