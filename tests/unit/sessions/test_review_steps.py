"""A reviewer's steps, from the lines of its stream."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ccc.model.round import Step
from ccc.sessions import review_steps

WILD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


def assistant(*blocks: dict[str, Any], **more: Any) -> str:
    """Return a line of the reviewer's stream."""
    return json.dumps({"type": "assistant", "message": {"content": list(blocks)}, **more})


def call(name: str, id_: str = "t1", **given_: Any) -> dict[str, Any]:
    """Return a tool call."""
    return {"type": "tool_use", "id": id_, "name": name, "input": given_}


def result(content: Any, id_: str = "t1", **more: Any) -> str:
    """Return the result of a tool call."""
    block = {"type": "tool_result", "tool_use_id": id_, "content": content, **more}
    return json.dumps({"type": "user", "message": {"content": [block]}})


def said(text: str) -> dict[str, Any]:
    """Return a text that the reviewer says."""
    return {"type": "text", "text": text}


def test_a_review() -> None:
    """It returns the calls in order with their results, and the closing text without verdict."""
    steps, closing = review_steps.read(
        [
            assistant(said("I look."), call("Bash", "t1", command="make test", description="x")),
            result("3 passed\n", "t1"),
            "spoilt",
            assistant(call("Read", "t2", file_path="/p/a.py"), call("Grep", "t3", pattern="x")),
            result([{"type": "text", "text": "no such file"}], "t2", is_error=True),
            assistant(said("a sub-agent"), parent_tool_use_id="t9"),
            assistant(said('All there.\n```json\n{"completed": true, "feedback": ""}\n```')),
        ]
    )
    assert steps == (
        Step("Bash", "make test", "3 passed"),
        Step("Read", "/p/a.py", "no such file", failed=True),
        Step("Grep", "x"),
    )
    assert closing == "All there."


def test_an_answer_that_is_a_tool_call() -> None:
    """claude's own tool for structured answers is no step."""
    steps, closing = review_steps.read([assistant(call("StructuredOutput", completed=True))])
    assert (steps, closing) == ((), "")


def test_a_long_output() -> None:
    """The end of a long output is kept."""
    steps, _ = review_steps.read(
        [assistant(call("Bash", command="x" * 9_000)), result("y" * 9_000 + "the end")]
    )
    (step,) = steps
    assert (len(step.call), len(step.seen)) == (1_000, 2_000)
    assert step.seen.endswith("the end")


@given(st.lists(WILD), WILD)
def test_whatever_the_lines_hold(blocks: list[Any], other: Any) -> None:
    """No line is an error."""
    for kind in ("assistant", "user"):
        for content in (blocks, other):
            review_steps.read([json.dumps({"type": kind, "message": {"content": content}})])
