"""Which rule answers which request."""

import threading
from collections.abc import Callable
from typing import Any

import pytest

from harness.scripted import (
    Condition,
    Failure,
    Reply,
    Request,
    Rule,
    Scenario,
    agent_turn,
    answer,
    anything,
    either,
    every,
    has_tool,
    isnt,
    model_is,
    said,
    said_last,
    tool,
    tool_result,
)


def request(*texts: str, tools: tuple[str, ...] = (), number: int = 1, **body: Any) -> Request:
    """Return a message request in which the user said these texts."""
    messages = [{"role": "user", "content": text} for text in texts]
    offered = [{"name": name} for name in tools]
    whole = {"model": "m", "messages": messages, "tools": offered, **body}
    return Request(number, 0.0, "POST", "/v1/messages", {}, whole)


def came_back(text: str) -> Request:
    """Return a message request with a tool result."""
    content = [{"type": "tool_result", "tool_use_id": "t", "content": text}]
    return request(messages=[{"role": "user", "content": content}])


def words(reply: Reply) -> str:
    """Return the text of a reply."""
    return "".join(block.get("text", "") for block in reply.blocks)


CONDITIONS: list[tuple[Condition, Request, bool]] = [
    (anything(), request(), True),
    (said("o.e"), request("one", "two"), True),
    (said("three"), request("one", "two"), False),
    (said_last("two"), request("one", "two"), True),
    (said_last("one"), request("one", "two"), False),
    (tool_result("pass"), came_back("2 passed"), True),
    (tool_result("fail"), came_back("2 passed"), False),
    (tool_result(), came_back(""), True),
    (tool_result(), request("passed"), False),
    (has_tool("Bash"), request(tools=("Bash",)), True),
    (has_tool("Bash"), request(tools=("BashOutput",)), False),
    (model_is("m"), request(), True),
    (model_is("n"), request(), False),
    (agent_turn(), request(tools=("Bash", "Edit", "Read")), True),
    (agent_turn(), request("title?"), False),
    (every(said("x"), isnt(has_tool("Bash"))), request("x"), True),
    (every(said("x"), has_tool("Bash")), request("x"), False),
    (either(said("x"), has_tool("Bash")), request("x"), True),
    (either(said("y"), has_tool("Bash")), request("x"), False),
    (isnt(said("x")), request("x"), False),
]


@pytest.mark.parametrize(("condition", "asked", "holds"), CONDITIONS)
def test_conditions(condition: Condition, asked: Request, holds: bool) -> None:
    """Each built-in condition holds when its name says."""
    assert condition(asked) is holds


def replies(scenario: Scenario, count: int) -> list[str]:
    """Return the scenario's replies to this many requests."""
    return [words(scenario.choose(request(f"hi {i}", number=i)).reply) for i in range(count)]


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ([], ["-", "-", "-"]),
        ([Rule(anything(), answer("a"))], ["a", "a", "a"]),
        ([Rule(anything(), answer("a"), times=1)], ["a", "-", "-"]),
        ([Rule(anything(), answer("a"), times=1), Rule(anything(), answer("b"))], ["a", "b", "b"]),
        ([Rule(said("2"), answer("b")), Rule(anything(), answer("a"))], ["a", "a", "b"]),
        ([Rule(anything(), [answer("a"), answer("b")])], ["a", "b", "-"]),
        ([Rule(anything(), [answer("a"), answer("b")], times=3)], ["a", "b", "b"]),
        ([Rule(anything(), [answer("a"), answer("b")], times=1)], ["a", "-", "-"]),
        ([Rule(anything(), [])], ["-", "-", "-"]),
        ([Rule(anything(), lambda r: answer(r.last_text))], ["hi 0", "hi 1", "hi 2"]),
    ],
)
def test_rule_choice(rules: list[Rule], expected: list[str]) -> None:
    """The first rule that holds and is not used up answers, then `otherwise` does."""
    assert replies(Scenario(rules, otherwise=answer("-")), 3) == expected


def test_the_record_says_who_answered() -> None:
    """The report has named and unnamed rules, unmatched requests and unused rules."""
    scenario = Scenario(
        [
            Rule(said("one"), answer("a"), name="greeting"),
            Rule(said("two"), answer("b")),
            Rule(said("never"), [answer("c"), answer("d")], name="late"),
        ]
    )
    for number, text in enumerate(("one", "two", "three")):
        scenario.choose(request(text, number=number))
    assert [choice.rule for choice in scenario.choices] == ["greeting", "rule 1", None]
    assert [asked.last_text for asked in scenario.unmatched] == ["three"]
    report = repr(scenario)
    assert "'one' -> greeting" in report
    assert "'three' -> no rule" in report
    assert "late: used 0 times of 2" in report


def fails(_: Request) -> Any:
    """Return a condition or a reply that raises."""
    raise KeyError("gone")


@pytest.mark.parametrize("rule", [Rule(fails, answer("a")), Rule(anything(), fails)])
def test_a_rule_that_raises_is_an_answer_and_a_note(rule: Rule) -> None:
    """A mistake in the scenario reaches the client and the report instead of ending a thread."""
    scenario = Scenario([rule])
    reply = scenario.choose(request("hi")).reply
    assert isinstance(reply, Failure)
    assert reply.status == 418
    assert "KeyError('gone')" in repr(scenario)


def test_a_tool_call_must_be_json() -> None:
    """A call that can't be sent fails where the scenario is written."""
    with pytest.raises(TypeError):
        tool("Bash", command=object())


def test_threads_share_one_script() -> None:
    """Each reply of a sequence is given once, however many requests come at once."""
    scenario = Scenario([Rule(anything(), [answer(str(i)) for i in range(100)])])
    got: list[str] = []

    def ask() -> None:
        for _ in range(20):
            got.append(words(scenario.choose(request("hi")).reply))

    run_at_once(ask, 5)
    assert sorted(got, key=int) == [str(i) for i in range(100)]


def run_at_once(work: Callable[[], None], count: int) -> None:
    """Run the work in this many threads and wait for them."""
    threads = [threading.Thread(target=work) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
