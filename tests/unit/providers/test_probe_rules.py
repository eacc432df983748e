"""The requests to a provider, and what its answers mean."""

import json
from typing import Any

import pytest

from ccc.providers import models, probe_rules
from ccc.text.redaction import redact
from harness import catalogue

BASE = {"ANTHROPIC_BASE_URL": "https://h/x/", "ANTHROPIC_AUTH_TOKEN": "t", "ANTHROPIC_MODEL": "m"}
STREAM = "text/event-stream"
JSON = "application/json"


def test_target() -> None:
    """The target is the path that claude uses, with the key as a bearer token."""
    target = probe_rules.target(BASE, "")
    assert target.url == "https://h/x/v1/messages?beta=true"
    assert target.model == "m"
    assert target.headers["authorization"] == "Bearer t"
    assert "x-api-key" not in target.headers
    assert "anthropic-beta" not in target.headers


def test_headers() -> None:
    """API key, betas and the user's headers are sent as claude does; none is in a repr."""
    target = probe_rules.target(
        {
            "ANTHROPIC_API_KEY": "k-secret",
            "ANTHROPIC_MODEL": "m[1m]",
            "ANTHROPIC_BETAS": "b1, b2",
            "ANTHROPIC_CUSTOM_HEADERS": "X-One: 1\ncf-aig-authorization: Bearer zz-secret\nx",
        },
        "",
    )
    assert target.url.startswith("https://api.anthropic.com/v1/messages")
    assert target.model == "m"
    assert target.headers["x-api-key"] == "k-secret"
    assert target.headers["anthropic-beta"] == "context-1m-2025-08-07,b1,b2"
    assert target.headers["x-one"] == "1"
    assert "secret" not in repr(target)
    shown = redact("k-secret Bearer zz-secret zz-secret", probe_rules.secrets_of(target))
    assert "secret" not in shown


@pytest.mark.parametrize(
    ("env", "chosen", "model"),
    [
        ({"ANTHROPIC_MODEL": "m", "ANTHROPIC_DEFAULT_OPUS_MODEL": "o"}, "x", "m"),
        ({"ANTHROPIC_DEFAULT_OPUS_MODEL": "o"}, "", "o[1m]"),
        ({"ANTHROPIC_DEFAULT_OPUS_MODEL": "o"}, "named", "named"),
        ({"ANTHROPIC_MODEL": "haiku", "ANTHROPIC_DEFAULT_HAIKU_MODEL": "h"}, "", "h"),
        ({"ANTHROPIC_MODEL": "opus[1m]", "ANTHROPIC_DEFAULT_OPUS_MODEL": "o[1m]"}, "", "o[1m]"),
        ({"ANTHROPIC_MODEL": "default", "ANTHROPIC_DEFAULT_SONNET_MODEL": "s"}, "", "s"),
        ({}, "", "claude-opus-5-5"),
    ],
)
def test_model(env: dict[str, str], chosen: str, model: str) -> None:
    """The model is the variable, else the setting, else claude's default tier."""
    assert models.requested_model(env, chosen) == model


@pytest.mark.parametrize(
    ("env", "why"),
    [
        (BASE, ""),
        ({"ANTHROPIC_API_KEY": "k"}, ""),
        ({}, "login"),
        ({"CLAUDE_CODE_OAUTH_TOKEN": "o"}, "login"),
        ({"CLAUDE_CODE_USE_BEDROCK": "1", "ANTHROPIC_API_KEY": "k"}, "cloud"),
        ({"CLAUDE_CODE_USE_VERTEX": "true"}, "cloud"),
        ({"ANTHROPIC_BASE_URL": "https://h"}, ""),
    ],
)
def test_what_can_be_tried(env: dict[str, str], why: str) -> None:
    """A login or a cloud can't be tried; an endpoint without a key is a failure."""
    assert probe_rules.obstacle(env) == why


def test_questions_are_small_and_streamed() -> None:
    """A try costs almost nothing, and asks as claude does."""
    plain = json.loads(probe_rules.question("m", False))
    tool = json.loads(probe_rules.question("m", True))
    assert plain["stream"] is tool["stream"] is True
    assert plain["max_tokens"] <= 32
    assert tool["max_tokens"] <= 1024
    assert "tools" not in plain
    assert len(tool["tools"]) == 1


def events(*given: dict[str, Any]) -> bytes:
    """Return a stream of events."""
    return "".join(f"event: {e['type']}\ndata: {json.dumps(e)}\n\n" for e in given).encode()


START, STOP = {"type": "message_start", "message": {}}, {"type": "message_stop"}
CALL = {"type": "content_block_start", "content_block": {"type": "tool_use", "name": "report"}}
TEXT = {"type": "content_block_start", "content_block": {"type": "text", "text": ""}}
WHOLE = {"type": "message", "content": [{"type": "tool_use", "name": "report", "input": {}}]}


def error(message: str) -> bytes:
    """Return an error in Anthropic's format."""
    return json.dumps({"type": "error", "error": {"type": "x", "message": message}}).encode()


@pytest.mark.parametrize(
    ("status", "kind", "body", "with_tool", "expected"),
    [
        (200, STREAM, events(START, TEXT, STOP), False, None),
        (200, STREAM, events(START, CALL, STOP), True, None),
        (200, "", events(START, CALL, STOP), True, None),
        (200, JSON, json.dumps(WHOLE).encode(), True, None),
        (200, STREAM, events(START, TEXT, STOP), True, "no_tool"),
        (200, STREAM, events(START, TEXT), False, "cut"),
        (200, STREAM, events(START) + b"data: " + error("overloaded"), False, "error"),
        (200, JSON, error("no money"), False, "error"),
        (200, "text/html", b"<html>Welcome</html>", False, "form"),
        (200, JSON, b'{"object": "chat.completion", "choices": []}', False, "form"),
        (200, JSON, b"", False, "form"),
        (200, JSON, b"[[[", False, "form"),
        (401, JSON, error("bad key"), False, "key"),
        (402, JSON, error("pay"), False, "balance"),
        (403, JSON, error("not here"), False, "forbidden"),
        (404, JSON, error("model: foo"), False, "model"),
        (404, JSON, error("模型不存在"), False, "model"),
        (404, "text/html", b"<h1>model page not found</h1>", False, "path"),
        (404, JSON, error("POST /v1/v1/messages"), False, "path"),
        (405, "", b"", False, "path"),
        (400, JSON, error("The model `x` does not exist"), False, "model"),
        (400, JSON, error("max_tokens: bad"), False, "request"),
        (400, JSON, error("m does not support tools"), True, "no_tool"),
        (400, JSON, b'{"error": "model not found"}', False, "model"),
        (407, "", b"", False, "proxy"),
        (429, JSON, error("slow down"), False, "rate"),
        (500, JSON, error("oops"), False, "server"),
        (529, JSON, error("overloaded"), False, "server"),
        (301, "", b"https://elsewhere/", False, "redirect"),
        (418, "", b"", False, "form"),
    ],
)
def test_what_an_answer_means(
    status: int, kind: str, body: bytes, with_tool: bool, expected: str | None
) -> None:
    """Each kind of failure is distinguished."""
    found = probe_rules.find_failure(status, kind, body, with_tool)
    assert (found.kind if found else None) == expected


def test_a_detail_is_one_short_line() -> None:
    """An HTML page does not flood the terminal."""
    found = probe_rules.find_failure(200, "text/html", b"<html>\n" + b"x " * 5000, False)
    assert found is not None
    assert "\n" not in found.detail
    assert len(probe_rules.safe_excerpt(found.detail, [])) <= 160


def test_each_finding_has_a_remedy() -> None:
    """Both languages explain and fix the same kinds of findings."""
    words = catalogue("en")
    bad = {key.removeprefix("validate.bad_") for key in words if key.startswith("validate.bad_")}
    assert all("\n→ " in words[f"validate.bad_{name}"] for name in bad)
    assert bad >= {"resolve", "refused", "unreachable", "proxy", "tls", "timeout", "no_key", "bug"}
    assert bad >= {"key", "forbidden", "path", "model", "rate", "server", "form", "no_tool", "cut"}
    assert bad >= {"balance", "request", "redirect", "error"}


@pytest.mark.parametrize("before", range(100, 200, 7))
def test_no_half_of_a_key_is_shown(before: int) -> None:
    """Before a text is cut, keys in it are redacted."""
    key = "sk-0123456789abcdefghijklmnopqrstuvwxyz"
    told = probe_rules.safe_excerpt("x" * before + " " + key + " tail", [key])
    assert "sk-0" not in told
    assert len(told) <= 160


def test_the_whole_question() -> None:
    """The complete requests, without and with the tool."""
    plain = {
        "model": "m",
        "max_tokens": 32,
        "messages": [{"role": "user", "content": "Reply with the word ok."}],
        "stream": True,
    }
    assert json.loads(probe_rules.question("m", False)) == plain
    asked = json.loads(probe_rules.question("m", True))
    (tool,) = asked.pop("tools")
    assert tool["name"] == "report"
    words = "Call the tool `report` with the word ok."
    assert asked == {
        **plain,
        "max_tokens": 1024,
        "messages": [{"role": "user", "content": words}],
    }


def test_the_whole_target() -> None:
    """The target has claude's fixed headers, and the setting's model if no variable has one."""
    env = {"ANTHROPIC_BASE_URL": "https://h", "ANTHROPIC_CUSTOM_HEADERS": "a: b:c\n: d\nno mark"}
    found = probe_rules.target(env, "chosen")
    assert (found.url, found.model) == ("https://h/v1/messages?beta=true", "chosen")
    assert found.headers == {
        "anthropic-version": "2023-06-01",
        "content-type": "application/json",
        "a": "b:c",
    }


def test_a_long_secret_goes_before_a_short_one() -> None:
    """If one key is the prefix of another, no rest of the longer one is left."""
    for secrets in (["abcd", "abcd-rest"], ["abcd-rest", "abcd"]):
        assert redact("abcd-rest abcd", secrets) == "•••••••• ••••••••"
    assert redact("zzzz abcd-rest", ["zzzz", "abcd-rest"]) == "•••••••• ••••••••"
    assert redact("abcdez", ["bcde", "abcdez"]) == "••••••••"
    assert redact("abc abcd", ["abc", "abcd"]) == "abc ••••••••"


def test_each_word_behind_the_scheme_is_secret() -> None:
    """The whole value of a header is secret, and everything after `Bearer`."""
    found = probe_rules.target({**BASE, "ANTHROPIC_CUSTOM_HEADERS": "x-auth: Basic one two"}, "")
    assert set(probe_rules.secrets_of(found)) == {"Bearer t", "t", "Basic one two", "one two"}


@pytest.mark.parametrize(
    ("status", "body", "with_tool", "kind", "detail"),
    [
        (200, '{"error": {"message": "no such key"}}', False, "error", "no such key"),
        (200, '{"error": "overloaded"}', False, "error", "overloaded"),
        (200, '{"error": {"type": "quota"}}', False, "error", "quota"),
        (200, '{"error": {}}', False, "error", ""),
        (200, "<html>\n  hello </html>", False, "form", "<html> hello </html>"),
        (401, '{"error": {"message": "bad key"}}', False, "key", "401 bad key"),
        (401, '{"msg": "bad key"}', False, "key", "401 bad key"),
        (403, "Forbidden\nhere", False, "forbidden", "403 Forbidden here"),
        (500, "", False, "server", "500"),
        (400, '{"message": "tools are unknown"}', True, "no_tool", "400 tools are unknown"),
        (404, '{"message": "no function here"}', True, "no_tool", "404 no function here"),
        (422, '{"message": "no tool"}', True, "no_tool", "422 no tool"),
        (400, '{"message": "tools are unknown"}', False, "request", "400 tools are unknown"),
        (401, '{"message": "tool"}', True, "key", "401 tool"),
        (422, '{"message": "odd"}', True, "request", "422 odd"),
        (422, '{"message": "no such model"}', False, "model", "422 no such model"),
        (300, "", False, "redirect", "300"),
        (399, "", False, "redirect", "399"),
        (418, "teapot", False, "form", "418 teapot"),
    ],
)
def test_what_is_told(status: int, body: str, with_tool: bool, kind: str, detail: str) -> None:
    """The finding has the status and the provider's own words."""
    assert probe_rules.find_failure(
        status, JSON, body.encode(), with_tool
    ) == probe_rules.ProbeFailure(kind, detail)


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        (STREAM, ': hello\ndata:{"type":"message_start"}\ndata:{"type":"message_stop"}\n'),
        ("", '\n data: x\ndata:{"type":"message_start"}\ndata: {"type":"message_stop"}'),
        ("", 'event: x\ndata: [1]\ndata: {"type":"message_start"}\ndata: {"type":"message_stop"}'),
    ],
)
def test_a_stream_is_known(kind: str, body: str) -> None:
    """A stream is recognized by its type or beginning; lines that are no objects are skipped."""
    assert probe_rules.find_failure(200, kind, body.encode(), False) is None


def test_bytes_that_are_no_text() -> None:
    """Bytes that are no text are replaced, without an error."""
    assert probe_rules.find_failure(502, "", b"bad \xff gate", False) == probe_rules.ProbeFailure(
        "server", "502 bad \ufffd gate"
    )


def test_long_answers_are_cut() -> None:
    """A detail and its display are limited in length."""
    told = probe_rules.find_failure(500, "", b"x" * 20_000, False)
    assert told is not None
    assert told.detail == "500 " + "x" * 9_999 + "…"
    assert probe_rules.safe_excerpt("y" * 160, ()) == "y" * 160
    assert probe_rules.safe_excerpt("y" * 161, ()) == "y" * 159 + "…"


@pytest.mark.parametrize("word", ["default", "best", "opusplan", "opus", "best[1m]"])
def test_words_for_the_best_model(word: str) -> None:
    """The words for the best model mean the provider's opus."""
    env = {"ANTHROPIC_MODEL": word, "ANTHROPIC_DEFAULT_OPUS_MODEL": "o"}
    assert models.requested_model(env) == "o"


def test_a_login_is_not_tried() -> None:
    """A login token is claude's own business, whatever the address."""
    assert (
        probe_rules.obstacle({"CLAUDE_CODE_OAUTH_TOKEN": "t", "ANTHROPIC_BASE_URL": "u"}) == "login"
    )
    assert probe_rules.obstacle({"ANTHROPIC_BASE_URL": "u"}) == ""
    assert probe_rules.obstacle({}) == "login"


def test_the_end_of_a_stream() -> None:
    """The stream is complete once it says so."""
    assert probe_rules.is_over(b'data: {"type": "message_stop"}')
    assert not probe_rules.is_over(b'data: {"type": "message_start"}')
