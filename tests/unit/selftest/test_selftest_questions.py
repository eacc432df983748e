"""What an observation of the self-test answers, and what it leaves open."""

from collections.abc import Mapping
from typing import Any

import pytest

from ccc import words
from ccc.claude.capabilities import CAPABILITIES
from ccc.scripted.scratch import KEY, MODEL
from ccc.selftest import questions, script
from ccc.selftest.questions import INTERACTIVE, PRINT, STREAMED, Observation
from ccc.selftest.selftest import Report
from harness.scripted import Request

TOOLS = [{"name": "Bash"}, {"name": "Read"}]
SAID = {"role": "assistant", "content": [{"type": "text", "text": script.AGENT_SAID}]}
VERDICT = '{"code": "ab12", "completed": true, "feedback": ""}'


def request(*messages: Mapping[str, Any], path: str = "/v1/messages", key: str = KEY) -> Request:
    """Return a request of the agent or the reviewer."""
    body = {"model": MODEL, "tools": TOOLS, "messages": list(messages)}
    return Request(1, 0.0, "POST", path, {"x-api-key": key}, body)


def user(text: str) -> dict[str, Any]:
    """Return a message of the user."""
    return {"role": "user", "content": text}


def test_every_capability_has_one_question() -> None:
    """Each capability is asked in one kind of session."""
    asked = [*PRINT, *STREAMED, *INTERACTIVE]
    assert sorted(asked) == sorted(CAPABILITIES)


@pytest.mark.parametrize("name", PRINT)
def test_nothing_is_known_before_the_first_request(name: str) -> None:
    """A session that never reached the model says nothing about claude."""
    assert PRINT[name](Observation()) is None
    assert PRINT[name](Observation(is_over=True)) is None


@pytest.mark.parametrize(
    ("sent", "answer"),
    [
        (request(user("hi")), True),
        (request(user("hi"), path="/decoy/v1/messages"), False),
        (request(user("hi"), key="decoy-key"), False),
    ],
)
def test_provider_wins(sent: Request, answer: bool) -> None:
    """The endpoint and the key must be the provider's."""
    assert PRINT["provider_wins"](Observation([sent])) is answer


def test_the_slash_command() -> None:
    """The prompt has the output of its command."""
    text = f"{words.say('mode.on')}\n\n{script.TASK}"
    assert PRINT["slash_command"](Observation([request(user(text))])) is True
    text = f"/supervisor {script.TASK}"
    assert PRINT["slash_command"](Observation([request(user(text))])) is False


def test_a_stop_without_a_hook() -> None:
    """What needs a stop stays unknown without one; a session that goes on answers nothing yet."""
    sent = request(user(script.TASK))
    assert PRINT["stop_hook"](Observation([sent])) is None
    seen = Observation([sent], is_over=True)
    assert PRINT["stop_hook"](seen) is False
    for name in ("fork", "read_only", "reviewer_bash", "private_fork", "print_cache", "prompt_id"):
        assert PRINT[name](seen) is None, name


def test_a_review_without_the_conversation() -> None:
    """A reviewer that doesn't have the agent's conversation is no fork."""
    agent = request(user(script.TASK), SAID, user(f"{script.CHECK} fails"))
    for conversation, answer in (((user(script.TASK), SAID), True), ((), False)):
        review = request(*conversation, user(VERDICT))
        seen = Observation([agent, review], is_over=True, outcome="completed", conversations=2)
        assert PRINT["fork"](seen) is answer
        assert PRINT["private_fork"](seen) is (False if answer else None)


def test_the_reviewers_command() -> None:
    """Without the sandbox, a command that works says nothing about the sandbox."""
    answers = {(True, "666\nprobe"): True, (False, "666\nprobe"): None, (False, "bwrap: no"): False}
    for (is_sandboxed, output), answer in answers.items():
        result = {"type": "tool_result", "content": output}
        review = request(user(VERDICT), SAID, {"role": "user", "content": [result]})
        seen = Observation([review], is_over=True, is_sandboxed=is_sandboxed)
        assert PRINT["reviewer_bash"](seen) is answer


def test_a_written_file() -> None:
    """Any file of the reviewer in the project is one too many; blind commands show nothing."""
    assert PRINT["read_only"](Observation(files=[script.BY_BASH])) is False
    for output, answer in ((script.REVIEWER_SAW, True), ("bwrap: no", None)):
        result = {"type": "tool_result", "content": output}
        review = request(user(VERDICT), SAID, {"role": "user", "content": [result]})
        seen = Observation([review], is_over=True, files=["probe.txt"], outcome="completed")
        assert PRINT["read_only"](seen) is answer


def test_the_message_of_a_hook() -> None:
    """Only a message of the system counts, not the conversation."""
    for kind, answer in (("system", True), ("user", False)):
        line = f'{{"type": "{kind}", "content": "[SUPERVISOR] completed"}}'
        seen = Observation(is_over=True, outcome="completed", output=[line])
        assert PRINT["message_in_stream"](seen) is answer


def test_the_key() -> None:
    """It must not be in a hook's variables."""
    sent = [request(user(script.TASK))]
    for variables, answer in (("A=1", True), (f"A={KEY}", False), (None, None)):
        seen = Observation(sent, is_over=True, hook_environment=variables)
        assert PRINT["key_hidden"](seen) is answer


def test_the_report() -> None:
    """What was not answered is unknown, not missing."""
    report = Report("2.1.325", {"fork": True, "read_only": False})
    assert report.missing == ("read_only",)
    assert {"fork", "read_only"}.isdisjoint(report.unknown)
    assert len(report.unknown) == len(CAPABILITIES) - 2
    assert questions.PRINT.keys() - report.answers.keys() <= set(report.unknown)
