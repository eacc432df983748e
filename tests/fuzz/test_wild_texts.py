"""Everything that ccc reads, given anything: a value of its kind or an error for people."""

import contextlib
import json
import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import strategies as st
from wild import (
    CONFIG,
    NO,
    NOISE,
    SETTINGS,
    STATE,
    STOP,
    STREAM,
    TRANSCRIPT,
    YES,
    bytes_like,
    chunks,
    places,
    spoiled,
    texts_like,
    tried,
)

from ccc import words
from ccc.claude.formats import (
    arguments,
    event,
    generated_settings,
    settings,
    stream,
    transcript,
    usage,
    usage_limit,
)
from ccc.claude.output import Output, OutputListener
from ccc.commands import completion, run
from ccc.config import schema
from ccc.errors import CccError
from ccc.model import overview, record
from ccc.model import state as model
from ccc.providers import probe_rules
from ccc.run import keyboard
from ccc.run.options import Options
from ccc.sessions import watcher
from ccc.text import jsontext
from ccc.ui import arguments as parsing
from ccc.ui import run_lines
from harness.soak import Tally

Row = Callable[[str], Tally]


# --- what claude says ------------------------------------------------------------------


def test_hook_input(tally: Row) -> None:
    """The Stop hook's input is an event with fields of their types, or no event."""

    def trial(data: bytes) -> None:
        try:
            found = event.parse(data.decode("utf-8", "replace"))
        except CccError:
            return
        for name in ("session_id", "transcript_path", "cwd", "prompt_id", "effort"):
            assert isinstance(getattr(found, name), str)
        assert isinstance(found.stop_hook_active, bool)
        assert all(isinstance(task.name, str) for task in found.background_tasks)

    tried(tally("hook input"), 300, 8_000, bytes_like(STOP), trial)


def lines_of(data: list[bytes]) -> list[str]:
    """The lines in the chunks, as the transport makes them."""
    framer = stream.Framer()
    found = [line for chunk in data for line in framer.feed(chunk)]
    return [*found, *framer.rest()]


LINES = st.lists(
    st.sampled_from(STREAM).map(str.encode)
    | bytes_like(*map(json.loads, STREAM), *STREAM)
    | st.sampled_from([b"", b"\r", b"\x80", b"x" * 100_000, b"[" * 50_000]),
    max_size=5,
).map(b"\n".join)


def test_stream(tally: Row) -> None:
    """Lines in any chunks are the same lines, and each is a message, or malformed and kept."""

    def trial(data: list[bytes]) -> None:
        whole = b"".join(data)
        found = lines_of(data)
        assert found == [text for line in whole.split(b"\n") if (text := _text(line))]
        raw: list[str] = []
        bad: list[str] = []
        output = Output(OutputListener(raw.append, lambda text: None, _used, bad.append))
        for line in found:
            message = stream.message(line)
            assert message is None or isinstance(message, dict)
            output.read(line, message)
        assert raw == found
        assert bad == [line for line in found if stream.message(line) is None]
        for result in output.results:
            assert math.isfinite(usage.estimate(result.used))
            assert all(0 <= count < 10**12 for count in result.tokens.values())
        assert all(isinstance(each.text, str) for each in watcher.message_events(found, True))

    tried(tally("stream-json"), 300, 9_000, chunks(LINES), trial)


def _text(line: bytes) -> str:
    return line.decode(errors="replace").strip()


def _used(message: dict[str, Any]) -> None:
    """A message, as those who listen use it."""
    if (again := usage_limit.parse_retry(message)) is not None:
        assert 0 <= again.seconds < 1e7
        f"{again.seconds:.0f}"
    assert 0 <= usage_limit.limit_end(message) < 1e11
    assert isinstance(stream.piece(message), str)
    assert isinstance(stream.begins(message), bool)
    for name, given in stream.calls(message):
        lines = run_lines.Renderer("/project", lambda: 80).call("agent", name, given)
        assert "\n" not in "".join(line.plain for line in lines)


def test_transcript(tally: Row) -> None:
    """Any lines of a session's file are passed over or read, with what was typed as text."""
    lines = st.lists(
        st.sampled_from(TRANSCRIPT) | texts_like(*map(json.loads, TRANSCRIPT), *TRANSCRIPT),
        max_size=4,
    )

    def trial(given: list[str]) -> None:
        found = transcript.read(given)
        assert all(isinstance(text, str) for text in (*found.requests, *found.last_texts))
        assert all(isinstance(text, str) for text in (*found.prompts.values(), found.model))
        assert 0 <= usage.estimate(found.used) < 1e12
        assert found.last_switch in ("", "on", "off")
        assert isinstance(found.holds("Done."), bool)

    tried(tally("transcript"), 300, 6_000, lines, trial)


STREAMED = "\n".join(
    f"event: x\ndata: {json.dumps(each)}"
    for each in (
        {"type": "message_start", "message": {"content": []}},
        {"type": "content_block_start", "content_block": {"type": "tool_use", "name": "report"}},
        {"type": "message_stop"},
    )
)
REFUSED = {"type": "error", "error": {"type": "not_found_error", "message": "model: unknown"}}


def test_providers_answer(tally: Row) -> None:
    """What a provider answers is good, or a finding that has words and a remedy."""
    cases = st.tuples(
        st.sampled_from([200, 200, 301, 400, 401, 404, 429, 500, 999]),
        st.sampled_from(["", "text/event-stream", "application/json", "text/html; é"]),
        bytes_like(STREAMED, REFUSED, {"type": "message", "content": [{"type": "tool_use"}]}),
        st.booleans(),
    )

    def trial(case: tuple[int, str, bytes, bool]) -> None:
        found = probe_rules.find_failure(*case)
        if found is None:
            assert case[0] == 200
            return
        shown = probe_rules.safe_excerpt(found.detail, ["unknown"])
        assert "unknown" not in shown
        for part in (words.say, words.remedy):
            assert part(f"validate.bad_{found.kind}", detail=shown, name="n", model="m").strip()

    tried(tally("provider's answer"), 200, 3_000, cases, trial)


LIMITS = [
    "You've hit your limit · resets 3:45pm (Asia/Shanghai)",
    "Claude usage limit reached|1763200000",
    "rate limit: try again in 2 hours 5 minutes",
    "quota exceeded, resets Nov 20, 3pm",
    "已达到额度上限，将在 2026-11-16 08:00:00 重置",
    "达到上限，请在 3 小时 20 分钟后重试",
    "limit resets at 2026-11-16T08:00:00.123Z",
]


def test_reset_times(tally: Row) -> None:
    """An error that speaks of a limit names a moment that can be waited for, or none."""
    now = 1_794_750_000.0
    digits = st.text("0123456789:.-| apm()/TZ+天小时分钟秒后", max_size=40)

    def trial(text: str) -> None:
        end = usage_limit.stated_end(text, now)
        assert end is None or (math.isfinite(end) and end < now + 3 * 366 * 86_400)

    cases = spoiled(st.sampled_from(LIMITS)) | st.tuples(
        st.sampled_from(LIMITS), digits, st.integers(0, 60)
    ).map(lambda t: t[0][: t[2]] + t[1] + t[0][t[2] :])
    tried(tally("reset times"), 200, 3_000, cases, trial)


# --- what people write -----------------------------------------------------------------


OPTIONS = sorted(
    arguments.ONE_VALUE | arguments.MANY_VALUES | arguments.MAYBE_VALUE | {"--supervisor", "--"}
)
WORDS = (
    st.sampled_from(OPTIONS)
    | st.sampled_from(["-p", "-pc", "-", "--settings={}", "mcp", "hi", "{", "--x=", "=", "-\0", ""])
    | st.sampled_from(
        ["--json", "--check", "--max-cost-usd", "nan", "1e999", "-1", "--file", "9" * 99]
    )
    | st.text(max_size=6)
    | spoiled(st.sampled_from(["--max-minutes=5", '{"env": {"A": "1"}}', "--output-format=json"]))
)


def test_command_lines(tally: Row) -> None:
    """claude's arguments go through as they are; ours are options, or an error for people."""

    def trial(line: list[str]) -> None:
        found = arguments.read(line)
        left = list(line)
        for word in found.rest:
            assert word in left
            left.remove(word)
        assert {*found.for_agent, *found.for_user, *found.storable} <= set(line)
        assert not any("{" in word for word in found.storable)
        with contextlib.redirect_stdout(None), contextlib.suppress(CccError):
            assert isinstance(run.read(line), Options | None)

    tried(tally("command lines"), 300, 7_000, st.lists(WORDS, max_size=6), trial)


def test_words_after_a_switch(tally: Row) -> None:
    """What is typed behind /supervisor is a request, and the switch is seen, whatever it is."""
    typed_words = NOISE | st.sampled_from(
        ["on", "off", "; rm -rf /", "$(x)", "</command-args>", YES]
    )

    def trial(text: str) -> None:
        said = (
            "<command-message>supervisor</command-message>\n<command-name>/supervisor"
            f"</command-name>\n<command-args>{text}</command-args>"
        )
        line = {"type": "user", "message": {"content": said}, "promptId": "p"}
        found = transcript.read([json.dumps(line)])
        assert found.last_switch == "on"
        expected = text.partition("</command-args>")[0].strip()
        assert found.requests == ((expected,) if expected else ())

    tried(tally("words behind /supervisor"), 200, 3_000, typed_words, trial)


def test_keys(tally: Row) -> None:
    """Keys in any pieces make the same lines, without control characters."""
    keys = spoiled(st.sampled_from(["hello\r", "a\x1b[A\x1b[1;5Cb\x7f\r", "写\x15测\x17\n\x1bOP"]))
    data = keys.map(lambda text: text.encode("utf-8", "surrogatepass"))

    def trial(pieces: list[bytes]) -> None:
        line, single = keyboard.TypedLine(), keyboard.TypedLine()
        found = [text for piece in pieces for text in line.feed(piece)]
        again = [
            text
            for piece in pieces
            for at in range(len(piece))
            for text in single.feed(piece[at : at + 1])
        ]
        assert all(c == "\t" or c.isprintable() for text in [*found, line.text] for c in text)
        assert (
            len(found)
            == len(again)
            == b"".join(pieces).count(b"\r") + b"".join(pieces).count(b"\n")
        )

    tried(tally("typed keys"), 200, 3_000, chunks(data), trial)


def test_completion(tally: Row) -> None:
    """Completing any line is a list of words."""

    def trial(line: list[str]) -> None:
        with contextlib.redirect_stdout(None):
            assert completion.main(["--words", *line]) == 0

    tried(tally("completion"), 50, 500, st.lists(WORDS, max_size=4), trial)


# --- what ccc itself has written -------------------------------------------------------


def test_state(tally: Row) -> None:
    """A state file is a state that loses nothing, or corrupt; it always has an overview."""

    def trial(text: str) -> None:
        try:
            found = model.parse(text, "abc123")
        except model.Corrupt:
            return
        seen = overview.Overview("s", found, 0.0, lambda pid: pid == 1)
        json.dumps(seen.values())
        again = model.dump(found, {})
        assert model.dump(model.parse(again, "abc123"), {}) == again

    tried(tally("session state"), 300, 8_000, texts_like(STATE), trial)


VERDICT = {
    "time": "2026-11-15T08:09:56+0800",
    "session_id": "abc123",
    "prompt_id": "p",
    "iteration": 1,
    "completed": False,
    "feedback": "add a test",
    "needs_user": False,
    "allowed": False,
    "outcome": "not_completed",
    "seconds": 1.5,
    "cost_usd": 0.01,
    "tokens": {"input": 1, "cache_read": 2, "cache_creation": 3, "output": 4},
    "receipts": [{"command": "make", "code": 0, "seconds": 0.1, "output": "ok"}],
    "diff": {"files": 1, "added": 2, "removed": 3},
}


def test_records(tally: Row) -> None:
    """Lines of the verdicts' file are rounds, or passed over."""
    lines = st.lists(texts_like(VERDICT), max_size=4)

    def trial(given: list[str]) -> None:
        for each in record.rounds(given):
            assert isinstance(each.feedback, str)
            assert math.isfinite(each.seconds)

    tried(tally("verdicts on record"), 200, 3_000, lines, trial)


def test_the_examples_are_good() -> None:
    """What is spoiled above is good as it is: the trials are about more than refusals."""
    assert event.parse(json.dumps(STOP)).effort == "high"
    assert len(transcript.read(TRANSCRIPT).requests) == 3
    assert all(stream.message(line) for line in STREAM)
    assert sum(stream.result(json.loads(line)) is not None for line in STREAM) == 1
    assert schema.parse(json.dumps(CONFIG), "f").supervisor.max_iterations == 5
    assert settings.has_hook(SETTINGS)
    assert model.parse(json.dumps(STATE), "s").task.count == 3
    assert model.parse(json.dumps(STATE), "s").run is not None
    assert len(list(record.rounds([json.dumps(VERDICT)]))) == 1
    assert all(usage_limit.stated_end(text, 1_763_190_000.0) for text in LIMITS)
    assert len(places(CONFIG)) > 30
    assert parsing.number(1, 10)("5") == 5
    assert NO != YES


@pytest.mark.parametrize("depth", range(80, 1000, 20))
def test_nested_to_the_edge(depth: int) -> None:
    """However deep a good value is nested, there is a result or an error of ours."""
    for left, right in (("[", "]"), ('{"a": ', "}")):
        deep = left * depth + "1" + right * depth
        text = f'{{"providers": {{"kimi": {{"x": {deep}}}}}, "hooks": {{}}, "y": {deep}}}'
        with contextlib.suppress(CccError):
            found = schema.parse(text, "f")
            settings.merge(found.providers["kimi"].settings, found.providers["kimi"].settings)
            generated_settings.for_agent(
                found.providers["kimi"].settings, {}, "ccc supervisor-hook", "status", "/r"
            )
            jsontext.parse(jsontext.replace(text, ("language",), "en"))
        with contextlib.suppress(jsontext.JsonError):
            settings.with_hook(text, "ccc supervisor-hook", "status")
        with contextlib.suppress(model.Corrupt):
            model.dump(model.parse(text, "s"), {})
