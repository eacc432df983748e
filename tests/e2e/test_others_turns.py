"""Turns that the user didn't start: a result belongs to the message that it answers."""

import json
import threading
import time
import uuid
from pathlib import Path

import pytest
from facts import Conversation, claude, lines
from supervised import (
    ASKED,
    DONE,
    FEEDBACK,
    FREELY,
    WORKING,
    YES,
    acting,
    bash,
    no,
    requests,
    results,
    section,
)

from harness import Bench
from harness.scripted import (
    Block,
    Reply,
    Request,
    Rule,
    agent_turn,
    answer,
    every,
    said,
    said_last,
    slow,
    tool,
    tool_result,
)

pytestmark = pytest.mark.real

ENDED = "The server has ended."


def serve_until(until: Path) -> Block:
    """Return a background command that ends once the file exists."""
    command = f"until test -e {until}; do sleep 0.1; done"
    return tool("Bash", command=command, description="serve", run_in_background=True)


def test_a_turn_between_feedback_and_answer(bench: Bench, tmp_path: Path) -> None:
    """A turn started by a command that ends during the review is not the answer to the feedback.

    The project's settings win over the environment, so such a turn can't be ruled out.
    """
    end, results_exist = tmp_path / "end", list[bool]()

    def reviewer(request: Request) -> Reply:
        if end.exists():
            results_exist.append((project.directory / "b.txt").exists())
            return answer(YES)
        end.touch()
        return slow(answer(no(FEEDBACK)), 3)

    project = bench(
        Rule(ASKED, reviewer),
        Rule(every(WORKING, said_last("^do it")), answer(serve_until(end))),
        Rule(every(WORKING, said_last(FEEDBACK)), answer(bash("sleep 5; echo b > b.txt"))),
        Rule(every(WORKING, tool_result()), answer(DONE)),
        Rule(WORKING, slow(answer(ENDED), 8), name="nobody's turn"),
    )
    settings = project.directory / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_text(json.dumps({"env": {"CLAUDE_CODE_DISABLE_BACKGROUND_TASKS": "0"}}))
    outcome = project.run("run", "--json", "do it", "--", *FREELY)
    assert outcome.code == 0, outcome
    first, second = requests(project, ASKED)
    working = requests(project, WORKING)
    other_turn = next(r.number for r in working if not (r.last_tool_result or r.last_text.strip()))
    assert first.number < other_turn < second.number
    # the review is of the answer to the feedback, after the work was done
    assert DONE in section(second, "What the agent said last")
    assert results_exist == [True]
    report = json.loads(outcome.stdout)
    assert [verdict["completed"] for verdict in report["verdicts"]] == [False, True]


@pytest.mark.thorough
def test_a_scheduled_job_during_a_review(bench: Bench) -> None:
    """A scheduled job's turn during a review is not the answer to the feedback.

    cron's resolution is a minute, so this can take longer than that.
    """
    results_exist, fired = list[bool](), threading.Event()

    def reviewer(request: Request) -> Reply:
        if fired.is_set():
            results_exist.append((project.directory / "b.txt").exists())
            return answer(YES)
        assert fired.wait(140)
        return slow(answer(no(FEEDBACK)), 2)

    def scheduler(request: Request) -> Reply:
        turns = sum(message.get("role") == "assistant" for message in request.messages)
        find = tool("ToolSearch", query="select:CronCreate", max_results=3)
        job = tool("CronCreate", cron="* * * * *", prompt="JOB", recurring=False)
        # the review has started when the next minute begins
        second = time.time() % 60
        late = 61 - second if second > 45 else 0
        return [slow(answer(find), late), answer(job), answer(DONE)][min(turns, 2)]

    def job(request: Request) -> Reply:
        fired.set()
        return slow(answer(ENDED), 8)

    project = bench(
        Rule(ASKED, reviewer),
        Rule(every(WORKING, said_last("^JOB")), job),
        Rule(every(WORKING, said_last(FEEDBACK)), answer(bash("sleep 4; echo b > b.txt"))),
        Rule(every(WORKING, said(FEEDBACK)), answer(DONE)),
        Rule(WORKING, scheduler),
    )
    settings = project.directory / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_text(json.dumps({"env": {"CLAUDE_CODE_DISABLE_CRON": "0"}}))
    outcome = project.run("run", "--json", "do it", "--", *FREELY, timeout=200)
    assert outcome.code == 0, outcome
    first, second = requests(project, ASKED)
    (job_turn,) = requests(project, every(WORKING, said_last("^JOB")))
    assert first.number < job_turn.number < second.number
    # the review is of the answer to the feedback, after the work was done
    assert DONE in section(second, "What the agent said last")
    assert "JOB" not in section(second, "What the user asked for")
    assert results_exist == [True]


def test_nothing_is_scheduled_in_a_run(bench: Bench) -> None:
    """The agent of a run can't schedule jobs, and its reviewer has the same tools."""
    job = tool("CronCreate", cron="* * * * *", prompt="JOB", recurring=False)

    def agent(request: Request) -> Reply:
        turns = sum(message.get("role") == "assistant" for message in request.messages)
        return [answer(job), answer(DONE)][min(turns, 1)]

    reviewer, _ = acting(lambda request: [job])
    project = bench(reviewer, Rule(WORKING, agent))
    project.run("run", "do it", "--", *FREELY).succeeded()
    attempts = [r.last_tool_result for r in requests(project, WORKING) if r.last_tool_result]
    assert "CronCreate is disabled" in str(attempts)
    assert not (project.directory / ".claude" / "scheduled_tasks.json").exists()
    assert requests(project, ASKED)[0].tools == requests(project, WORKING)[-1].tools
    assert "CronCreate is disabled" in results(project)[0]


@pytest.mark.parametrize("value", [None, "1"])
def test_fact_cron_off(bench: Bench, value: str | None) -> None:
    """CLAUDE_CODE_DISABLE_CRON removes the tools that schedule jobs."""
    outcome = claude(
        bench(),
        *("-p", "hi", "--output-format", "stream-json", "--verbose"),
        env={"CLAUDE_CODE_DISABLE_CRON": value},
    )
    assert ("CronCreate" in lines(outcome)[0]["tools"]) is (value is None)


def test_fact_a_result_names_what_it_answers(bench: Bench) -> None:
    """A result lists the uuid of its message, and those of messages sent during the turn."""
    working = Rule(every(agent_turn(), said_last("go")), answer(bash("sleep 2")))
    project = bench(working, Rule(agent_turn(), answer(DONE)))
    names = [str(uuid.uuid4()), str(uuid.uuid4())]
    with Conversation(project, *FREELY) as conversation:
        conversation.send("go", uuid=names[0])
        conversation.until("assistant")
        conversation.send("and this", uuid=names[1])
        last = conversation.until("result")[-1]
    assert last["user_message_uuids"] == names


def test_fact_a_background_turn_names_no_message(bench: Bench, tmp_path: Path) -> None:
    """The result of a turn that a background command started names no message."""
    project = bench(
        Rule(every(agent_turn(), said_last("go")), answer(serve_until(tmp_path / "end"))),
        Rule(agent_turn(), answer(DONE)),
    )
    name = str(uuid.uuid4())
    with Conversation(project, *FREELY) as conversation:
        conversation.send("go", uuid=name)
        first = conversation.until("result")[-1]
        (tmp_path / "end").touch()
        second = conversation.until("result")[-1]
    assert first["user_message_uuids"] == [name]
    assert "user_message_uuid" not in second
    assert not second.get("user_message_uuids")
