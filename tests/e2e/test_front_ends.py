"""ccc between a front end and claude: VS Code's process wrapper, the Agent SDK."""

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from facts import STREAM, Conversation
from supervised import (
    ASKED,
    DONE,
    FREELY,
    SDK_PROGRAM,
    WORKING,
    Record,
    journey,
    requests,
    told,
)

from harness import KEY, Bench, CccProject, claude_binary
from harness.scripted import shared_prefix

pytestmark = pytest.mark.real

TASK = "please write a.txt and b.txt"


def assert_supervised(project: CccProject) -> None:
    """Check that both stops were reviewed, on the provider, with the agent's prompt cache."""
    agent, reviews = requests(project, WORKING), requests(project, ASKED)
    assert len(reviews) == 2
    for review in reviews:
        before = [request for request in agent if request.number < review.number][-1]
        assert shared_prefix(before, review) >= 0.999
    assert {request.headers["authorization"] for request in (*agent, *reviews)} == {f"Bearer {KEY}"}


@pytest.fixture
def bundled(bench: Bench, tmp_path: Path) -> tuple[CccProject, str]:
    """A project, and the claude that a front end brings along."""
    project = bench(*journey())
    program = tmp_path / "an extension" / "claude"
    program.parent.mkdir()
    shutil.copy(claude_binary(), program)
    return project, str(program)


@pytest.mark.journey
def test_a_process_wrapper(bundled: tuple[CccProject, str]) -> None:
    """`ccc /path/claude …`, as VS Code calls it: that claude runs, and its path is no prompt."""
    project, program = bundled
    with Conversation(project, *FREELY, program=(project.ccc, program)) as conversation:
        lines = conversation.ask(f"/supervisor {TASK}")
        conversation.end()
    assert lines[-1]["result"] == DONE
    assert [text.partition(" (")[0] for text in told(lines)] == [
        "[SUPERVISOR] not completed",
        "[SUPERVISOR] completed, stop allowed",
    ]
    assert Record(project).state["claude"] == program
    assert_supervised(project)
    assert not any(
        program in text for request in requests(project, WORKING) for text in request.user_texts
    )


def test_a_wrapped_claude_with_a_prompt(bundled: tuple[CccProject, str]) -> None:
    """The rest of the line goes to claude unchanged."""
    project, program = bundled
    project.run("kimi", program, *STREAM, "hi there").succeeded()
    (request,) = requests(project, WORKING)
    assert request.last_text == "hi there"


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"setting_sources": ["user"]},
        {"system_prompt": {"type": "preset", "preset": "claude_code"}, "max_turns": 20},
        {"settings": '{"model": "kimi-k2.7-code"}'},
    ],
)
def test_the_agent_sdk(bench: Bench, options: dict[str, Any]) -> None:
    """A program whose `cli_path` is ccc runs on the provider, and is supervised."""
    project = bench(*journey())
    given = {"options": {**options, "cli_path": project.ccc}, "prompt": f"/supervisor {TASK}"}
    run = project.run("-c", SDK_PROGRAM, json.dumps(given), program=sys.executable).succeeded()
    assert f"ResultMessage {DONE}" in run.stdout
    assert_supervised(project)
