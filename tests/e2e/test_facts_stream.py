"""Facts of claude: the lines of stream-json, and a process that serves many turns."""

import json
import os
import uuid
from collections.abc import Mapping
from typing import Any

import pytest
from facts import STREAM, Conversation, claude, lines, scripted_project

from ccc.claude import transcript_files
from ccc.claude.formats import usage_limit
from ccc.claude.formats.environment import NO_BACKGROUND, PATIENT
from harness import MODEL, Bench, CccProject
from harness.processes import wait_until
from harness.scripted import (
    Rule,
    agent_turn,
    answer,
    every,
    rate_limited,
    said_last,
    tool,
    tool_result,
)

pytestmark = pytest.mark.real

SESSION = str(uuid.uuid4())


@pytest.fixture(scope="module")
def stream(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """Run an agent that calls an allowed and a denied tool, and return the lines."""
    first = tool("Bash", command="echo looked", description="Look")
    second = tool("Bash", command="touch made", description="Make")
    rules = (
        Rule(every(agent_turn(), said_last("^look")), answer("I look.", first)),
        Rule(every(agent_turn(), tool_result("looked")), answer(second)),
        Rule(every(agent_turn(), tool_result()), answer("I am done.")),
    )
    with scripted_project(tmp_path_factory.mktemp("stream"), *rules) as project:
        mode = ("--permission-mode", "dontAsk", "--allowedTools", "Bash(echo:*)")
        return lines(claude(project, *STREAM, "--session-id", SESSION, "look", *mode))


def test_fact_stream_begins_with_init(stream: list[dict[str, Any]]) -> None:
    """The first line names the session, the model, the tools, the directory and the mode."""
    first = stream[0]
    assert (first["type"], first["subtype"]) == ("system", "init")
    assert first["session_id"] == SESSION
    assert first["model"] == MODEL
    assert first["permissionMode"] == "dontAsk"
    assert {"Bash", "Read"} <= set(first["tools"])
    assert os.path.basename(first["cwd"]) == "project"


def test_fact_stream_has_the_agents_messages(stream: list[dict[str, Any]]) -> None:
    """Each text and tool call of the agent is a line with Anthropic's message."""
    messages = [line["message"] for line in stream if line["type"] == "assistant"]
    blocks = [block for message in messages for block in message["content"]]
    assert [block["text"] for block in blocks if block["type"] == "text"] == [
        "I look.",
        "I am done.",
    ]
    assert [block["name"] for block in blocks if block["type"] == "tool_use"] == ["Bash", "Bash"]
    assert {message["model"] for message in messages} == {MODEL}


def test_fact_stream_has_the_tools_results(stream: list[dict[str, Any]]) -> None:
    """A tool's result is a line of type user."""
    results = [
        block
        for line in stream
        if line["type"] == "user"
        for block in line["message"]["content"]
        if block["type"] == "tool_result"
    ]
    assert [result.get("is_error", False) for result in results] == [False, True]
    assert results[0]["content"] == "looked"


def test_fact_stream_ends_with_a_result(stream: list[dict[str, Any]]) -> None:
    """The last line has the result in these fields."""
    last = stream[-1]
    assert [line["type"] for line in stream].count("result") == 1
    assert (last["type"], last["subtype"]) == ("result", "success")
    assert last["is_error"] is False
    assert last["result"] == "I am done."
    assert last["session_id"] == SESSION
    assert last["num_turns"] == 3
    assert last["duration_ms"] > 0


def test_fact_stream_result_says_what_it_cost(stream: list[dict[str, Any]]) -> None:
    """The result has the tokens, in total and by model, and the cost in dollars."""
    last = stream[-1]
    assert last["total_cost_usd"] > 0
    assert last["usage"]["output_tokens"] > 0
    assert {"input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"} <= set(
        last["usage"]
    )
    assert list(last["modelUsage"]) == [MODEL]


def test_fact_stream_result_lists_what_was_denied(stream: list[dict[str, Any]]) -> None:
    """The result lists the calls that the permissions denied."""
    (denied,) = stream[-1]["permission_denials"]
    assert denied["tool_name"] == "Bash"
    assert denied["tool_input"]["command"] == "touch made"


def test_fact_every_stream_line_names_the_session(stream: list[dict[str, Any]]) -> None:
    """Every line has the field session_id."""
    assert {line["session_id"] for line in stream} == {SESSION}


def test_fact_stream_json_needs_verbose(bench: Bench) -> None:
    """With -p, stream-json without --verbose is an error."""
    project = bench()
    outcome = claude(project, "-p", "hi", "--output-format", "stream-json")
    assert outcome.code == 1
    assert "requires --verbose" in outcome.stderr
    assert project.model.requests == []


def test_fact_one_process_serves_many_turns(bench: Bench) -> None:
    """Over a pipe, each prompt gets its result, in one session with the earlier turns."""
    project = bench()
    with Conversation(project) as conversation:
        results = [conversation.ask(f"turn {number}")[-1] for number in (1, 2, 3)]
        assert conversation.end() == 0
    assert [result["subtype"] for result in results] == ["success"] * 3
    assert len({result["session_id"] for result in results}) == 1
    last = project.model.requests[-1]
    assert [text for text in last.user_texts if text.startswith("turn ")] == [
        "turn 1",
        "turn 2",
        "turn 3",
    ]


def test_fact_partial_messages(bench: Bench) -> None:
    """With partial messages, the text arrives in pieces before the complete message."""
    text = "A sentence that is long enough to come in pieces, one after the other."
    project = bench(Rule(agent_turn(), answer(text)))
    stream = lines(claude(project, *STREAM, "--include-partial-messages", "hi"))
    kinds = [line["type"] for line in stream]
    deltas = [
        line["event"]["delta"]["text"]
        for line in stream
        if line["type"] == "stream_event" and line["event"]["type"] == "content_block_delta"
    ]
    assert len(deltas) > 1
    assert "".join(deltas) == text
    last = max(
        i for i, line in enumerate(stream) if "delta" in line.get("event", {}).get("type", "")
    )
    assert kinds.index("stream_event") < kinds.index("assistant") < last


def test_fact_the_budget_is_of_the_process(bench: Bench) -> None:
    """--max-budget-usd counts the cost of the process, not the earlier cost of the session."""
    project = bench(Rule(agent_turn(), answer("Hello.")))
    first = lines(claude(project, *STREAM, "hi"))[-1]
    spent = first["total_cost_usd"]
    resume = ("--resume", first["session_id"])
    budget = ("--max-budget-usd", f"{spent / 2:.6f}")
    again = lines(claude(project, *STREAM, *resume, *budget, "hi"))[-1]
    assert again["subtype"] == "success"
    assert again["total_cost_usd"] > spent
    tiny = claude(project, *STREAM, *resume, "--max-budget-usd", "0.000001", "hi")
    assert json.loads(tiny.stdout.splitlines()[-1])["subtype"] == "error_max_budget_usd"


def test_fact_a_long_retry_after(bench: Bench) -> None:
    """With a retry-after of an hour, claude gives up silently, unless it is told to be patient.

    From 2.1.326 on it adds up to a quarter to the provider's time. The error is in the transcript.
    """
    project = bench(Rule(agent_turn(), rate_limited(3600)))
    with Conversation(project) as conversation:
        stream = conversation.ask("hi")
    assert stream[-1]["api_error_status"] == 429
    assert "3600" not in json.dumps(stream)
    with Conversation(project, env=PATIENT) as conversation:
        conversation.send("hi")
        raw: dict[str, Any] = {}
        while not (announced := usage_limit.parse_retry(raw)):
            raw = conversation.until("system")[-1]
        wait_until(lambda: api_error(project, raw), "the error in the transcript")
    assert announced.cause == "429"
    assert 3600 <= announced.seconds <= 1.25 * 3600
    assert "This request would exceed your rate limit." in api_error(project, raw)


def api_error(project: CccProject, raw: Mapping[str, Any]) -> str:
    """Return the error in the transcript, whose file claude may not have created yet."""
    file = transcript_files.find(str(project.claude_dir), raw["session_id"])
    return transcript_files.read(file).api_error


def test_fact_a_long_retry_after_of_a_sub_agent(bench: Bench) -> None:
    """A patient claude announces it in the progress of the tool, if the sub-agent is awaited."""
    look = tool("Agent", description="look", prompt="go look", subagent_type="general-purpose")
    limited = Rule(every(agent_turn(), said_last("go look")), rate_limited(3600))
    project = bench(limited, Rule(agent_turn(), answer(look)))
    env = {**PATIENT, NO_BACKGROUND: "1"}
    with Conversation(project, "--allowedTools", "Agent", env=env) as conversation:
        conversation.send("hi")
        raw: dict[str, Any] = {}
        while not (announced := usage_limit.parse_retry(raw)):
            raw = conversation.until("tool_progress")[-1]
    assert announced.cause == "429"
    assert 3600 <= announced.seconds <= 1.25 * 3600
