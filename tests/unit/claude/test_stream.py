"""stream-json: framed for any chunks, parsed for any lines."""

import itertools
import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccc.claude.formats import stream, usage, usage_limit
from ccc.claude.formats.stream import Framer, Result
from ccc.claude.formats.usage import Used

WILD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
FIELDS = ["type", "message", "content", "text", "result", "is_error", "subtype", "usage"]
MESSAGES = st.dictionaries(
    st.sampled_from([*FIELDS, "total_cost_usd", "input_tokens", "parent_tool_use_id"]),
    WILD | st.sampled_from(["assistant", "result", "text"]),
)


def framed(chunks: list[bytes]) -> list[str]:
    """Return all lines of the chunks."""
    framer = Framer()
    lines = [line for chunk in chunks for line in framer.feed(chunk)]
    return [*lines, *framer.rest()]


class TestFramer:
    @given(st.binary(max_size=300), st.lists(st.integers(0, 300), max_size=20))
    def test_any_chunking_gives_the_same_lines(self, data: bytes, cuts: list[int]) -> None:
        """Chunk boundaries don't matter, not even inside a character."""
        data = data.replace(b"\x01", b"\n").replace(b"\x02", "中".encode())
        edges = [0, *sorted(min(cut, len(data)) for cut in cuts), len(data)]
        chunks = [data[a:b] for a, b in itertools.pairwise(edges)]
        assert framed(chunks) == framed([data])

    @given(st.lists(st.text(st.characters(exclude_categories=["Z", "C"]), min_size=1)))
    def test_lines_come_out_as_they_went_in(self, lines: list[str]) -> None:
        """Each non-blank line comes once, in order."""
        data = "\n".join(lines).encode()
        assert framed([bytes([byte]) for byte in data]) == lines

    def test_blank_lines(self) -> None:
        """Blank lines and other systems' line endings are removed."""
        assert framed([b"\n\n a \r\n\t\n", b"b"]) == ["a", "b"]

    def test_lines_of_many_megabytes(self) -> None:
        """000/解析 stream-json: a line of 16 MB in small chunks is one line, in linear time."""
        line = json.dumps({"text": "中x" * 4_000_000}, ensure_ascii=False).encode()
        data = line + b"\n{}\n"
        chunks = [data[i : i + 65536] for i in range(0, len(data), 65536)]
        first, second = framed(chunks)
        assert (len(first.encode()), second) == (len(line), "{}")

    def test_not_utf8(self) -> None:
        """Invalid UTF-8 does not stop the stream."""
        assert framed([b'\xff{"a"\n{}\n']) == ['\ufffd{"a"', "{}"]


class TestMessage:
    @pytest.mark.parametrize(
        "line", ["", "nonsense", "{", "[]", "7", "null", '"x"', "[" * 100_000, "1" * 5000]
    )
    def test_malformed(self, line: str) -> None:
        """000/解析错误处理: a malformed line is None, not an error."""
        assert stream.message(line) is None

    def test_unknown_types_are_messages(self) -> None:
        """000/解析消息类型: messages of unknown types are returned, too."""
        assert stream.message('{"type": "brand_new", "x": 1}') == {"type": "brand_new", "x": 1}

    @given(st.text())
    def test_any_line(self, line: str) -> None:
        """Any line is an object or None."""
        found = stream.message(line)
        assert found is None or isinstance(found, dict)


class TestTexts:
    def test_text_blocks_of_the_assistant(self) -> None:
        """001/原始输出到 stderr: what the assistant says, without its tool calls."""
        content = [
            {"type": "text", "text": "a"},
            {"type": "tool_use"},
            {"type": "text", "text": "b"},
        ]
        said = {"type": "assistant", "message": {"content": content}}
        assert stream.texts(said) == ["a", "b"]
        assert stream.texts({**said, "type": "user"}) == []
        assert stream.texts({**said, "parent_tool_use_id": "t"}) == []

    @pytest.mark.parametrize("name", ["text", "content"])
    def test_a_text_of_its_own(self, name: str) -> None:
        """Seeds 001 and 003: a message of type `text` is shown, under either name."""
        assert stream.texts({"type": "text", name: "I look."}) == ["I look."]
        assert stream.texts({"type": "text", name: "x", "parent_tool_use_id": "t"}) == []
        assert stream.texts({"type": "text", name: ["x"]}) == []


@pytest.mark.parametrize(
    ("line", "always", "partial"),
    [
        ('{"type": "assistant"}', True, True),
        ('{"type": "brand_new"}', True, True),
        ("no JSON", True, True),
        ('{"type": "stream_event"}', False, True),
        ('{"type": "control_response"}', False, False),
    ],
)
def test_what_claude_prints(line: str, always: bool, partial: bool) -> None:
    """Control responses are not printed as in `claude -p`, and partial messages only on request."""
    assert stream.is_printed(line, partial=False) is always
    assert stream.is_printed(line, partial=True) is partial


class TestSession:
    @pytest.mark.parametrize("name", ["session_id", "sessionId"])
    @pytest.mark.parametrize("kind", ["system", "assistant", "text", "result", "brand_new"])
    def test_either_name_on_any_message(self, name: str, kind: str) -> None:
        """000/解析 session_id: on any message."""
        assert stream.session({"type": kind, name: "abc-1"}) == "abc-1"

    @pytest.mark.parametrize("wild", [None, 7, "", "../x", "--print", "a b", ["x"], "x" * 200])
    def test_no_id(self, wild: object) -> None:
        """A number, or a text that could be an option or leave its directory, is no id."""
        assert stream.session({"type": "system", "session_id": wild}) == ""
        assert stream.session({"sessionId": "good", "session_id": wild}) == "good"

    def test_of_a_sub_agent(self) -> None:
        """The session is the agent's own, not a sub-agent's."""
        raw = {"type": "assistant", "session_id": "x", "parent_tool_use_id": "t"}
        assert stream.session(raw) == ""


class TestResult:
    def test_an_object(self) -> None:
        """003/解析 stream-json: a result that is an object is the structured value."""
        found = stream.result({"type": "result", "result": {"completed": True}})
        assert found is not None
        assert (found.text, found.structured) == ("", {"completed": True})

    def test_success(self) -> None:
        """003/解析 stream-json: a result has the text, the structured value, cost and tokens."""
        usage = {
            "input_tokens": 1,
            "cache_read_input_tokens": 2,
            "cache_creation_input_tokens": 3,
            "output_tokens": 4,
        }
        raw = {
            "type": "result",
            "subtype": "success",
            "is_error": False,
            "result": "said",
            "structured_output": {"completed": True},
            "total_cost_usd": 0.5,
            "usage": usage,
        }
        tokens = {"input": 1, "cache_read": 2, "cache_creation": 3, "output": 4}
        used = {"": Used(claude_usd=0.5)}
        assert stream.result(raw) == Result("said", {"completed": True}, "", tokens, used)

    @pytest.mark.parametrize(
        ("fields", "error"),
        [
            (
                {"subtype": "success", "is_error": True, "result": "API Error: 500"},
                "API Error: 500",
            ),
            ({"subtype": "success", "is_error": True}, "success"),
            ({"subtype": "error_max_turns", "is_error": False}, "error_max_turns"),
            ({"subtype": "error_during_execution", "result": "x"}, "x"),
            ({"is_error": True}, "error"),
        ],
    )
    def test_errors(self, fields: dict[str, object], error: str) -> None:
        """An error result says so, whatever its text."""
        found = stream.result({"type": "result", **fields})
        assert found is not None
        assert found.error == error

    @pytest.mark.parametrize("cost", [None, "1", -1, math.nan, math.inf, 10**400, [1]])
    def test_wild_cost(self, cost: object) -> None:
        """An invalid cost counts as zero, because it is added up in the state."""
        found = stream.result({"type": "result", "total_cost_usd": cost})
        assert found is not None
        assert usage.estimate(found.used) == 0

    @given(MESSAGES)
    def test_any_message(self, raw: dict[str, object]) -> None:
        """Any message has only strings as texts, and is a result only if it says so."""
        assert all(isinstance(text, str) for text in stream.texts(raw))
        found = stream.result(raw)
        assert (found is not None) is (raw.get("type") == "result")
        if found is not None:
            assert math.isfinite(usage.estimate(found.used))

    @pytest.mark.parametrize("wild", [10**400, -1, math.nan, math.inf, True, "1", None, [1]])
    def test_wild_numbers(self, wild: object) -> None:
        """An implausible number counts as zero, wherever it is."""
        again = usage_limit.parse_retry(
            {"type": "system", "subtype": "api_retry", "retry_delay_ms": wild}
        )
        assert again is not None
        assert again.seconds in (0.0, 0.001)
        found = stream.result({"type": "result", "usage": {"input_tokens": wild}})
        assert found is not None
        assert found.tokens["input"] in (0, 1, 10**12)


@pytest.mark.parametrize(
    ("seconds", "attempt", "most", "cause", "is_last", "is_providers"),
    [
        (0.6, 1, 10, "429", False, False),
        (1.0, 1, 10, "429", False, True),
        (60.0, 1, 10, "429", False, True),
        (75.0, 1, 10, "429", True, True),
        (75.0, 1, 10, "500", False, True),
        (40.0, 7, 10, "529", False, False),
        # claude's own pauses pass a minute
        (80.0, 8, 10, "529", True, False),
        (3600.0, 8, 10, "429", True, True),
        (5.0, 2, 1, "429", True, True),
        (0.6, 1, 0, "529", True, False),
    ],
)
def test_who_waits(
    seconds: float, attempt: int, most: int, cause: str, is_last: bool, is_providers: bool
) -> None:
    """ccc waits where claude would give up. A longer pause than its own is the provider's."""
    retry = usage_limit.Retry(seconds, attempt, most, cause)
    assert (retry.is_last, retry.is_providers) == (is_last, is_providers)
