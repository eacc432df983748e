"""The properties of a recorded request."""

from typing import Any

import pytest

from harness.scripted import Request

REMINDER = "<system-reminder>\nBe kind.\n</system-reminder>\n"


def request(headers: dict[str, str] | None = None, **body: Any) -> Request:
    """Return a message request with this body."""
    return Request(1, 0.0, "POST", "/v1/messages", headers or {}, body)


def user(*content: Any) -> dict[str, Any]:
    """Return a user message of texts and blocks."""
    blocks = [{"type": "text", "text": c} if isinstance(c, str) else c for c in content]
    return {"role": "user", "content": blocks}


def result(content: Any) -> dict[str, Any]:
    """Return a tool result."""
    return {"type": "tool_result", "tool_use_id": "toolu_1", "content": content}


def test_plain_parts() -> None:
    """Model, tools and streaming are read from the body."""
    asked = request(
        model="m",
        tools=[{"name": "Bash"}, {"name": "Read"}],
        stream=True,
    )
    assert (asked.model, asked.tools, asked.streams) == ("m", ("Bash", "Read"), True)


def test_an_empty_body_has_empty_parts() -> None:
    """A missing part raises nothing."""
    asked = request()
    assert (asked.model, asked.tools, asked.messages) == ("", (), ())
    assert (asked.user_texts, asked.last_text, asked.last_tool_result) == ((), "", None)
    assert (asked.key, asked.streams) == ("", False)


@pytest.mark.parametrize(
    ("messages", "last"),
    [
        ([{"role": "user", "content": "hi"}], "hi"),
        ([user("hi")], "hi"),
        ([user("one", "two")], "one\ntwo"),
        ([user(REMINDER, "hi")], "hi"),
        ([user(REMINDER + REMINDER, "hi")], "hi"),
        ([user(REMINDER + "hi")], REMINDER + "hi"),
        ([user("hi"), {"role": "system", "content": "Environment"}], "hi"),
        ([user("hi"), {"role": "assistant", "content": "ho"}, user(result("x"))], ""),
    ],
)
def test_last_text(messages: list[dict[str, Any]], last: str) -> None:
    """The last text has no reminders, whatever role comes after it."""
    assert request(messages=messages).last_text == last


def test_said_holds_the_whole_user_side() -> None:
    """It has every text of the user's, and none of the model's."""
    messages = [user(REMINDER, "one"), {"role": "assistant", "content": "no"}, user("two")]
    assert request(messages=messages).user_texts == ("one", "two")


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ([result("out")], "out"),
        ([result([{"type": "text", "text": "out"}])], "out"),
        ([result("a"), result("b")], "a\nb"),
        ([result(None)], ""),
        (["hi"], None),
    ],
)
def test_last_tool_result(content: list[Any], text: str | None) -> None:
    """It is the text of the last message's tool results, or None if there are none."""
    earlier = [user(result("old")), {"role": "assistant", "content": "ok"}]
    assert request(messages=[*earlier, user(*content)]).last_tool_result == text


@pytest.mark.parametrize(
    ("headers", "key"),
    [
        ({"authorization": "Bearer tok"}, "tok"),
        ({"authorization": "bearer tok"}, "tok"),
        ({"x-api-key": "key"}, "key"),
        ({"authorization": "Basic abc", "x-api-key": "key"}, "key"),
    ],
)
def test_key(headers: dict[str, str], key: str) -> None:
    """The key is read from either header."""
    assert request(headers).key == key


def test_a_failing_assertion_prints_no_key() -> None:
    """The repr contains neither headers nor the prompt."""
    shown = repr(request({"authorization": "Bearer tok-secret"}, system="long prompt"))
    assert "tok-secret" not in shown
    assert "long prompt" not in shown


AGENT = {"role": "assistant", "content": "a"}


@pytest.mark.parametrize(
    ("messages", "turn"),
    [
        ([], ("", 0)),
        ([user("hi")], ("hi", 0)),
        ([user("hi"), AGENT, user(result("r")), AGENT, user(REMINDER)], ("hi", 2)),
        ([user("hi"), AGENT, user("and?")], ("and?", 0)),
    ],
)
def test_turn(messages: list[dict[str, Any]], turn: tuple[str, int]) -> None:
    """It is the user's last text, without results and reminders, and the replies since."""
    assert request(messages=messages).turn == turn
