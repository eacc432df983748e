"""A turn that ends with an API error: claude runs no Stop hook, and ccc records it all the same."""

import json

import pytest
from facts import STREAM, Conversation, Hook
from supervised import DONE, WORKING, YES, Record, hooked, judged

from harness import Bench, CccProject
from harness.processes import wait_until
from harness.scripted import Rule, answer, every, said, unauthorized

pytestmark = pytest.mark.real

AGENT = Rule(every(WORKING, lambda request: not said("now do it")(request)), unauthorized())


def failed_session(bench: Bench, **supervisor: object) -> CccProject:
    """Run a supervised session whose only turn fails."""
    project = bench(AGENT, *judged(YES))
    project.configure(supervisor=supervisor)
    hooked(project, "/supervisor please fail")
    return project


def wait_for_outcome(project: CccProject, outcome: str) -> None:
    """Wait for the hook, which claude doesn't wait for."""
    wait_until(lambda: Record(project).state["outcome"] == outcome, outcome)


@pytest.mark.parametrize("event", ["Stop", "StopFailure"])
def test_fact_an_api_error_is_no_stop(bench: Bench, event: str) -> None:
    """After an API error claude runs StopFailure instead of Stop, and ignores its message."""
    project = bench(Rule(WORKING, unauthorized()))
    hook = Hook(project, "say(systemMessage='a message of the hook')")
    groups = {event: hook.settings()["hooks"]["Stop"]}
    project.write(".claude/settings.json", json.dumps({"hooks": groups}))
    # without a further prompt, claude would exit before the hook has written its record
    with Conversation(project) as conversation:
        printed = [*conversation.ask("hi"), *conversation.ask("hi again")]
        conversation.end()
    assert "a message of the hook" not in json.dumps(printed)
    if event == "Stop":
        assert hook.calls == []
        return
    call, *_ = hook.calls
    assert call.event["error"] == "authentication_failed"
    assert call.event["prompt_id"]
    assert call.event["last_assistant_message"]


@pytest.mark.journey
def test_the_outcome_is_visible(bench: Bench) -> None:
    """`ccc status` shows that the agent failed; there was no review, and the log says why."""
    project = failed_session(bench)
    wait_for_outcome(project, "agent_failed")
    record = Record(project)
    assert (record.state["count"], record.verdicts) == (0, [])
    assert "the agent failed" in project.run("status").stdout
    (line,) = [line for line in record.log if " turn failed " in line]
    assert "error=authentication_failed" in line


def test_the_next_prompt_is_judged(bench: Bench) -> None:
    """A prompt after the failed turn is reviewed as usual."""
    project = bench(AGENT, *judged(YES))
    with Conversation(project, program=(project.ccc, "kimi")) as conversation:
        conversation.ask("/supervisor please fail")
        wait_for_outcome(project, "agent_failed")
        conversation.ask("now do it")
        conversation.end()
    assert Record(project).state["outcome"] == "completed"


def test_the_user_is_notified(bench: Bench) -> None:
    """The notification's command runs with the outcome and the cause."""
    project = failed_session(bench, notify='echo "$CCC_OUTCOME $CCC_MESSAGE" > message')
    path = project.directory / "message"
    wait_until(lambda: path.exists() and bool(path.read_text()), "the message")
    assert path.read_text().startswith("agent_failed [SUPERVISOR] the turn ended with an API error")


@pytest.mark.tmux
def test_the_bell_in_a_session(bench: Bench, tmux: None) -> None:
    """Claude shows no message of this hook, but rings the bell for it."""
    project = bench(AGENT, *judged(YES))
    project.configure(supervisor={"notify": "bell"})
    with project.interactive("--supervisor", "kimi") as terminal:
        terminal.wait_for("❯")
        assert not terminal.rang
        terminal.enter("please fail")
        wait_until(lambda: terminal.rang, "the bell")
        wait_for_outcome(project, "agent_failed")


def test_silent_without_supervision(bench: Bench) -> None:
    """A session that isn't supervised has no record."""
    project = bench(AGENT, Rule(WORKING, answer(DONE)))
    project.run("kimi", *STREAM, "please fail")
    assert Record(project).state["outcome"] == ""
