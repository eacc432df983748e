"""An agent that waits is left in peace; one that merely has a server running is judged."""

import json
import re
import time

import pytest
from facts import Conversation, Hook
from supervised import ASKED, DONE, REVIEWING, WORKING, YES, Record, bash, requests, told

from ccc.claude.formats.event import next_time
from harness import Bench
from harness.scripted import Block, Reply, Request, Rule, answer, every, said_last, tool

pytestmark = pytest.mark.real

CRON = tool("CronCreate", cron="*/7 * * * *", prompt="look at CI", recurring=True)
WAKEUP = tool("ScheduleWakeup", delaySeconds=3000, prompt="look at CI", reason="CI is slow")


def scheduling(call: Block, name: str) -> Rule:
    """Return an agent that schedules a prompt, and then stops."""

    def reply(request: Request) -> Reply:
        find = tool("ToolSearch", query=f"select:{name}", max_results=3)
        turns = sum(message.get("role") == "assistant" for message in request.messages)
        return [answer(find), answer(call), answer(DONE)][min(turns, 2)]

    return Rule(WORKING, reply, name="agent")


@pytest.mark.parametrize(
    ("call", "name", "recurring"),
    [(CRON, "CronCreate", True), (WAKEUP, "ScheduleWakeup", False)],
    ids=["CronCreate", "ScheduleWakeup"],
)
def test_fact_scheduled_prompts_are_in_the_event(
    bench: Bench, call: Block, name: str, recurring: bool
) -> None:
    """The Stop event lists each scheduled prompt with an id."""
    project = bench(scheduling(call, name))
    hook = Hook(project)
    project.write(".claude/settings.json", json.dumps(hook.settings()))
    with Conversation(project) as conversation:
        conversation.ask("hi")
        (job,) = hook.calls[0].event["session_crons"]
    assert (job["prompt"], job["recurring"]) == ("look at CI", recurring)
    assert job["id"]
    assert next_time(job["schedule"], time.time())


def test_a_wakeup(bench: Bench) -> None:
    """An agent that waits for CI is neither reviewed nor sent back; its next task is."""
    project = bench(Rule(REVIEWING, answer(YES)), scheduling(WAKEUP, "ScheduleWakeup"))
    with Conversation(project, program=(project.ccc, "kimi")) as conversation:
        (message,) = told(conversation.ask("/supervisor do it"))
        when = r"scheduled for \d{4}-\d\d-\d\d \d\d:\d\d: look at CI"
        assert re.search(rf"still active \({when}\): stop allowed without a review", message)
        assert requests(project, ASKED) == []
        assert Record(project).state["outcome"] == "background"
        # the wakeup is the same one, so nobody waits for it any more
        messages = told(conversation.ask("and now this"))
    assert len(requests(project, ASKED)) == 1
    assert "judged although this is still active" in messages[-1]
    assert Record(project).state["outcome"] == "completed"


@pytest.mark.tmux
def test_a_server_that_the_user_sent_to_the_background(bench: Bench, tmux: None) -> None:
    """Ctrl-B postpones the review once. At the next prompt the server is no reason to wait."""
    serve = every(WORKING, said_last("serve it"))
    project = bench(
        Rule(REVIEWING, answer(YES)),
        Rule(serve, answer(bash("tail -f /dev/null"))),
        Rule(WORKING, answer(DONE)),
    )
    with project.interactive("kimi", "--allowedTools", "Bash") as terminal:
        terminal.wait_for("❯")
        terminal.enter("/supervisor serve it")
        terminal.wait_for("ctrl\\+b")
        terminal.press("C-b")
        terminal.wait_for("still active \\(")
        assert requests(project, ASKED) == []
        terminal.enter("now change the page")
        terminal.wait_for("judged although this is still active")
        terminal.wait_for("completed, stop allowed")
    assert len(requests(project, ASKED)) == 1
