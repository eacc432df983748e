"""The real claude with the scripted model."""

import importlib.util
import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from harness.scripted import (
    Reply,
    Rule,
    Scenario,
    ScriptedModel,
    agent_turn,
    answer,
    broken,
    cut,
    endless,
    every,
    overloaded,
    rate_limited,
    said_last,
    server_error,
    shared_prefix,
    slow,
    tool,
    tool_result,
    unauthorized,
)

pytestmark = pytest.mark.real

SECONDS = 60
LONG = answer("One sentence after the other, so that there are several events to lose. " * 4)


@pytest.fixture(scope="session")
def claude_binary() -> Path:
    """Return the claude in the SDK's wheel; importing the SDK would take a second."""
    spec = importlib.util.find_spec("claude_agent_sdk")
    if spec is None or not spec.submodule_search_locations:
        pytest.skip("claude-agent-sdk is not installed")
    return Path(spec.submodule_search_locations[0]) / "_bundled" / "claude"


@dataclass(frozen=True)
class Client:
    """Runs claude in its own home and project."""

    binary: Path
    home: Path

    def start(self, model: ScriptedModel, *arguments: str) -> subprocess.Popen[str]:
        """Start `claude -p` with these arguments; its stdout is one JSON object."""
        project = self.home / "project"
        project.mkdir(exist_ok=True)
        return subprocess.Popen(
            [self.binary, "-p", "--output-format", "json", *arguments],
            env=self._environment(model),
            cwd=project,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def ask(self, model: ScriptedModel, *arguments: str) -> dict[str, Any]:
        """Run claude to its end and return the result."""
        return result_of(self.start(model, *arguments), model)

    def _environment(self, model: ScriptedModel) -> dict[str, str]:
        own = {
            name: value
            for name, value in os.environ.items()
            # a proxy could lead out of loopback
            if not name.startswith(("ANTHROPIC_", "CLAUDE")) and "PROXY" not in name.upper()
        }
        return own | {
            "HOME": str(self.home),
            "ANTHROPIC_BASE_URL": model.url,
            "ANTHROPIC_AUTH_TOKEN": "tok-scripted",
            "DISABLE_TELEMETRY": "1",
            "DISABLE_AUTOUPDATER": "1",
            "DISABLE_ERROR_REPORTING": "1",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "CLAUDE_CODE_MAX_RETRIES": "1",
            "IS_SANDBOX": "1",
        }


@pytest.fixture
def client(claude_binary: Path, tmp_path: Path) -> Client:
    """Return a claude with an empty home."""
    return Client(claude_binary, tmp_path)


def result_of(process: subprocess.Popen[str], model: ScriptedModel) -> dict[str, Any]:
    """Return claude's result; kill claude if it doesn't end in time."""
    with process:
        try:
            out, err = process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
    try:
        result = json.loads(out)
    except ValueError:
        pytest.fail(f"exit {process.returncode}\n{out}\n{err}\n{model!r}")
    assert isinstance(result, dict)
    return result


def scripted(*rules: Rule) -> ScriptedModel:
    """Return a model with these rules and a time limit."""
    return ScriptedModel(Scenario(rules), max_seconds=2 * SECONDS)


def always(*replies: Reply) -> ScriptedModel:
    """Return a model with these replies to agent turns; the last one repeats."""
    return scripted(Rule(agent_turn(), replies, times=100))


def text_of(reply: Reply) -> str:
    """Return the text of a reply."""
    return "".join(block.get("text", "") for block in reply.blocks).strip()


def test_text(client: Client) -> None:
    """The reply's text is claude's result, and the model gets the key and the prompt."""
    with always(answer("Grüße ☕")) as model:
        result = client.ask(model, "hi")
        assert result["result"] == "Grüße ☕", model
        assert result["is_error"] is False
        (request,) = model.requests
    assert request.last_text == "hi"
    assert request.key == "tok-scripted"
    assert request.path == "/v1/messages"
    assert request.streams
    assert {"Bash", "Read"} <= set(request.tools)


def test_nothing_but_messages_is_asked(client: Client) -> None:
    """With telemetry off, `claude -p` makes exactly one request per turn."""
    with always(answer("ok")) as model:
        client.ask(model, "Write a program that prints the first ten primes, step by step.")
        assert model.everything == model.requests
        assert len(model.requests) == 1
        assert model.scenario.unmatched == ()


def test_tool_call(client: Client) -> None:
    """Claude runs the call and returns its output as a tool result."""
    rules = [
        Rule(
            every(agent_turn(), said_last("go")), [answer(tool("Bash", command="echo a$((1+1))"))]
        ),
        Rule(every(agent_turn(), tool_result("a2")), [answer("Done.")]),
    ]
    with scripted(*rules) as model:
        result = client.ask(model, "go", "--permission-mode", "bypassPermissions")
        assert result["result"] == "Done.", model
        assert result["num_turns"] == 2
        assert [choice.rule for choice in model.scenario.choices] == ["rule 0", "rule 1"]


def test_a_second_turn_is_read_from_the_cache(client: Client) -> None:
    """The second turn repeats the first, and costs a fraction of an uncached one.

    total_cost_usd includes the session's earlier runs, so a run's own cost is a difference.
    """
    with always(answer("ok")) as model:
        first = client.ask(model, "word " * 4000)
        again = ("--resume", first["session_id"])
        second = client.ask(model, *again, "second")
        assert shared_prefix(*model.requests) == 1.0, model
    with always(answer("ok")) as cold:
        third = client.ask(cold, *again, "third")
    usage = second["usage"]
    paid = usage["input_tokens"] + usage["cache_creation_input_tokens"]
    assert paid < 0.01 * usage["cache_read_input_tokens"]
    assert third["usage"]["cache_read_input_tokens"] == 0
    cached = second["total_cost_usd"] - first["total_cost_usd"]
    uncached = third["total_cost_usd"] - second["total_cost_usd"]
    assert 0 < cached < 0.1 * uncached


FATAL = [
    (unauthorized(), 401, "Not logged in"),
    (rate_limited(0), 429, "rate limit"),
    (server_error(), 500, "Internal server error"),
    (overloaded(), 529, "Overloaded"),
    (cut(LONG, after=3), None, "Connection"),
    (broken(LONG), None, "JSON"),
]


@pytest.mark.parametrize(("fault", "status", "words"), FATAL)
def test_a_fault_that_stays(client: Client, fault: Reply, status: int | None, words: str) -> None:
    """Claude gives up with an error result that names the cause."""
    with always(fault) as model:
        result = client.ask(model, "hi")
        assert result["is_error"] is True, model
        assert result["api_error_status"] == status
        assert words in result["result"]


PASSING = [rate_limited(0), server_error(), overloaded(), cut(LONG, after=3), broken(LONG)]


@pytest.mark.parametrize("fault", PASSING)
def test_a_fault_that_passes(client: Client, fault: Reply) -> None:
    """Claude retries and continues normally."""
    with always(fault, answer("ok")) as model:
        result = client.ask(model, "hi")
        assert (result["is_error"], result["result"]) == (False, "ok"), model
        assert len(model.requests) == 2


def test_slow_stream(client: Client) -> None:
    """A slow reply arrives completely at the first try."""
    with always(slow(LONG, 1.5)) as model:
        result = client.ask(model, "hi")
        assert result["is_error"] is False, model
        assert result["result"].strip() == text_of(LONG)
        assert result["duration_api_ms"] >= 1200
        assert len(model.requests) == 1


def test_endless_reply(client: Client) -> None:
    """Claude reads as long as the reply continues; when the model stops, that is an error."""
    with always(endless()) as model:
        process = client.start(model, "hi")
        try:
            model.wait_for(agent_turn(), SECONDS)
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(1.5)
        finally:
            model.stop()
            result = result_of(process, model)
        assert result["is_error"] is True


def test_a_mistake_in_the_scenario_is_final(client: Client) -> None:
    """Claude shows the mistake and doesn't retry."""
    nothing: list[Reply] = []
    with scripted(Rule(agent_turn(), lambda request: nothing[0])) as model:
        result = client.ask(model, "hi")
        assert "IndexError" in result["result"], model
        assert len(model.requests) == 1
