"""Tokens as a provider with a prompt cache would bill them."""

import time
from typing import Any

import pytest

from ccc.scripted.usage import PromptCache, Usage, output_tokens, prompt_tokens, units
from harness.scripted import Request, shared_prefix

MARK: dict[str, Any] = {"cache_control": {"type": "ephemeral"}}
BASH = {"name": "Bash", "description": "runs a command " * 20}
READ = {"name": "Read", "description": "reads a file " * 20}


def text(words: str, **more: Any) -> dict[str, Any]:
    """Return a text block."""
    return {"type": "text", "text": words, **more}


def body(
    *messages: Any, model: str = "m", system: Any = "Be brief.", **more: Any
) -> dict[str, Any]:
    """Return a message request; a text is a user message."""
    said = [{"role": "user", "content": m} if not isinstance(m, dict) else m for m in messages]
    return {"model": model, "tools": [BASH, READ], "system": system, "messages": said, **more}


def shared(first: dict[str, Any], second: dict[str, Any]) -> float:
    """Return the share of the first prompt that the second repeats."""
    requests = [Request(1, 0.0, "POST", "/v1/messages", {}, each) for each in (first, second)]
    return shared_prefix(*requests)


def marked(words: str) -> dict[str, Any]:
    """Return a user message with a breakpoint."""
    return {"role": "user", "content": [text(words, **MARK)]}


def test_first_request_is_written_up_to_the_last_breakpoint() -> None:
    """Tokens before the last breakpoint are creation, those after it input, and none are read."""
    asked = body(marked("one"), "two")
    usage = PromptCache().bill(asked)
    behind = units(asked)[-1].tokens
    assert usage == Usage(behind, prompt_tokens(asked) - behind, 0)


def test_without_a_breakpoint_nothing_is_written() -> None:
    """A request without caching pays plain input."""
    asked = body("one")
    assert PromptCache().bill(asked) == Usage(prompt_tokens(asked), 0, 0)


def test_a_breakpoint_of_the_whole_request_stands_at_its_end() -> None:
    """`cache_control` next to the messages marks the last block."""
    asked = body("one", **MARK)
    assert PromptCache().bill(asked) == Usage(0, prompt_tokens(asked), 0)


def test_a_breakpoint_may_stand_inside_a_tool_result() -> None:
    """A breakpoint on a part of a result marks the result."""
    result = {"type": "tool_result", "content": [text("x", **MARK)]}
    asked = body({"role": "user", "content": [result]})
    assert PromptCache().bill(asked) == Usage(0, prompt_tokens(asked), 0)


def test_a_longer_conversation_reads_the_shorter_one() -> None:
    """The second turn pays only for what was added."""
    cache = PromptCache()
    first = body(marked("one"))
    second = body("one", {"role": "assistant", "content": "ok"}, marked("two"))
    cache.bill(first)
    usage = cache.bill(second)
    assert usage.cache_read_input_tokens == prompt_tokens(first)
    assert usage.cache_creation_input_tokens == prompt_tokens(second) - prompt_tokens(first)
    assert usage.input_tokens == 0


def test_a_change_in_front_invalidates_everything_behind() -> None:
    """With a tool inserted in the middle, only the tools before it are read from the cache."""
    cache = PromptCache()
    cache.bill(body(marked("one")))
    changed = body(marked("one")) | {"tools": [BASH, {"name": "New"}, READ]}
    assert cache.bill(changed).cache_read_input_tokens == units(changed)[0].tokens


def test_the_longest_of_several_conversations_counts() -> None:
    """An unrelated request in between does not evict the prefix."""
    cache = PromptCache()
    first = body(marked("one"))
    cache.bill(first)
    cache.bill(body(marked("something else")))
    assert cache.bill(first).cache_read_input_tokens == prompt_tokens(first)


def test_models_share_nothing() -> None:
    """Another model has its own cache, whatever the text."""
    cache = PromptCache()
    cache.bill(body(marked("one"), model="a"))
    assert cache.bill(body(marked("one"), model="b")).cache_read_input_tokens == 0
    assert cache.bill(body(marked("one"), model="a")).cache_creation_input_tokens == 0


SAME = [
    (body("one"), body(marked("one"))),
    (body("one"), body({"role": "user", "content": [text("one")]})),
    (body("one"), body("one", system=[text("Be brief.", **MARK)])),
    (body("one"), body("one") | {"tools": [BASH, READ | MARK]}),
    (
        body({"role": "user", "content": [{"type": "tool_result", "content": "x"}]}),
        body(
            {"role": "user", "content": [{"type": "tool_result", "content": [text("x", **MARK)]}]}
        ),
    ),
]


@pytest.mark.parametrize(("a", "b"), SAME)
def test_the_same_prompt_written_otherwise(a: dict[str, Any], b: dict[str, Any]) -> None:
    """cache_control, and a string in place of a block, change nothing."""
    assert shared(a, b) == 1.0
    assert shared(b, a) == 1.0
    assert prompt_tokens(a) == prompt_tokens(b)


OTHER = [
    (body("one"), body("one", model="n")),
    (body("one"), body("one") | {"tools": [READ, BASH]}),
]


@pytest.mark.parametrize(("a", "b"), OTHER)
def test_nothing_shared(a: dict[str, Any], b: dict[str, Any]) -> None:
    """Another model or another first tool shares nothing."""
    assert shared(a, b) == 0.0


def test_role_matters() -> None:
    """The same words in the other role are another prompt."""
    share = shared(body("one"), body({"role": "assistant", "content": "one"}))
    assert 0.0 < share < 1.0


def test_a_breakpoint_inside_a_tools_input_is_data() -> None:
    """`cache_control` is removed where the API accepts it and nowhere else."""
    call = {"type": "tool_use", "id": "t", "name": "Write", "input": {}}
    plain = body({"role": "assistant", "content": [call]})
    data = body({"role": "assistant", "content": [call | {"input": MARK}]})
    assert shared(plain, data) < 1.0


def test_share_is_of_the_first() -> None:
    """A message appended to b doesn't lower a's share; one appended to a does."""
    short, long = body("one"), body("one", "two")
    assert shared(short, long) == 1.0
    assert 0.5 < shared(long, short) < 1.0


@pytest.mark.parametrize(
    ("block", "tokens"),
    [({}, 1), (text(""), 6), (text("x" * 400), 106), (text("ü" * 200), 106), (text("\ud800"), 7)],
)
def test_tokens_are_about_four_bytes(block: dict[str, Any], tokens: int) -> None:
    """Four bytes of JSON count as a token, at least one per block, whatever the characters."""
    assert output_tokens([block]) == tokens


def test_hundreds_of_large_requests_stay_cheap() -> None:
    """200 requests that grow to 500k tokens are billed within seconds."""
    cache = PromptCache()
    messages = [
        {"role": ("user", "assistant")[i % 2], "content": [text(f"{i} " + "x" * 9_900)]}
        for i in range(200)
    ]
    started = time.monotonic()
    for count in range(1, 201):
        usage = cache.bill({"model": "m", "messages": messages[:count], **MARK})
    assert usage.prompt > 490_000
    assert usage.cache_read_input_tokens / usage.prompt > 0.99
    assert time.monotonic() - started < 45
