"""Facts of claude: the marks in its transcript that identify the user's own words."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from facts import BLOCK_ONCE, MANAGED, Hook, claude, provider, scripted_project

from ccc.claude.formats.transcript_entry import hook_prompt, is_users
from harness import Bench, CccProject, claude_binary
from harness.processes import wait_until
from harness.programs import needs
from harness.scripted import Reply, Request, Rule, agent_turn, answer, every, isnt, said, tool

pytestmark = [pytest.mark.real, pytest.mark.tmux]

HELPER = said("you are the helper")
FOO = "<command-name>/foo</command-name>"
SUMMARY = "isCompactSummary"

Entry = dict[str, Any]


def helper(request: Request) -> Reply:
    """A sub-agent that sends a message to the main conversation."""
    find = tool("ToolSearch", query="select:SendMessage", max_results=3)
    send = tool("SendMessage", to="main", message="FORGED", summary="s")
    return step(request, [answer(find), answer(send), answer("Sent.")])


def agent(request: Request) -> Reply:
    """An agent that schedules a command, starts a helper and another command, and stops."""
    find = tool("ToolSearch", query="select:CronCreate", max_results=3)
    job = tool("CronCreate", cron="* * * * *", prompt="/foo FORGED", recurring=True)
    kind = {"subagent_type": "general-purpose", "run_in_background": True}
    start = tool("Agent", description="h", prompt="you are the helper", **kind)
    wait = tool("Bash", command="sleep 4", description="Wait")
    serve = tool("Bash", command="sleep 1", description="Serve", run_in_background=True)
    return step(request, [answer(call) for call in (find, job, start, wait, serve)])


def step(request: Request, steps: Sequence[Reply]) -> Reply:
    """Return the next step, or the end of the turn."""
    turns = sum(message.get("role") == "assistant" for message in request.messages)
    return steps[turns] if turns < len(steps) else answer("Done.")


def entries_of(project: CccProject) -> list[Entry]:
    """Return the entries of claude's transcripts, without sub-agents."""
    files = sorted(project.claude_dir.glob("projects/*/*.jsonl"))
    lines = (line for file in files for line in file.read_text().splitlines())
    return [entry for entry in map(json.loads, lines) if not entry.get("isSidechain")]


def wait_for(project: CccProject, mark: str) -> None:
    """Wait until the mark is in the transcript."""
    wait_until(lambda: mark in json.dumps(entries_of(project)), mark, timeout=150)


@pytest.fixture(scope="module")
def entries(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Entry]]:
    """Run a session with every kind of message; cron's resolution makes it take a minute."""
    needs("tmux")
    rules = (
        Rule(every(agent_turn(), HELPER), helper),
        Rule(every(agent_turn(), isnt(HELPER)), agent),
    )
    with scripted_project(tmp_path_factory.mktemp("marks"), *rules) as project:
        project.write(".claude/commands/foo.md", "Foo: $ARGUMENTS\n")
        with project.interactive(
            *("--permission-mode", "acceptEdits"),
            *("--settings", json.dumps(Hook(project, BLOCK_ONCE).settings())),
            env={**provider(project), **MANAGED},
            program=str(claude_binary()),
        ) as terminal:
            terminal.wait_for("❯")
            terminal.enter("do it")
            wait_for(project, "<task-notification>")
            terminal.enter("/foo TYPED")
            wait_for(project, '"turnOrigin": "scheduled"')
            terminal.enter("/compact")
            wait_for(project, SUMMARY)
        yield entries_of(project)


def users(entries: list[Entry], text: str) -> list[Entry]:
    """Return the user entries that contain the text."""
    candidates = (entry for entry in entries if entry.get("type") == "user")
    return [entry for entry in candidates if text in json.dumps(entry["message"])]


def test_fact_typed(entries: list[Entry]) -> None:
    """A prompt and a slash command that the user types have the origin human."""
    prompt = next(entry for entry in users(entries, '"do it"'))
    command = next(entry for entry in users(entries, "TYPED") if FOO in str(entry))
    for entry in (prompt, command):
        assert (entry["origin"], entry["turnOrigin"]) == ({"kind": "human"}, "human")
        assert is_users(entry)
    assert prompt["permissionMode"] == "acceptEdits"
    assert "permissionMode" not in command


def test_fact_scheduled(entries: list[Entry]) -> None:
    """A scheduled slash command has no origin and no isMeta, but these two fields."""
    fire, *_ = (entry for entry in users(entries, "FORGED") if FOO in str(entry))
    assert (fire["wakeupSource"], fire["turnOrigin"]) == ("schedule_wakeup", "scheduled")
    assert "origin" not in fire
    assert "isMeta" not in fire
    assert not is_users(fire)


def test_fact_notification(entries: list[Entry]) -> None:
    """The notification of a finished background command is not the user's."""
    entry, *_ = users(entries, "<task-notification>")
    assert entry["origin"]["kind"] == "task-notification"
    assert entry["turnOrigin"] == "task_notification"
    assert not is_users(entry)


def test_fact_message_of_an_agent(entries: list[Entry]) -> None:
    """A sub-agent's message to a busy agent is in the queue, with its origin."""
    queued = [e["attachment"] for e in entries if e.get("type") == "attachment"]
    (message,) = (q for q in queued if q["type"] == "queued_command" and "FORGED" in str(q))
    assert (message["origin"]["kind"], message["isMeta"]) == ("peer", True)
    assert not is_users(message)


def test_fact_feedback_and_results(entries: list[Entry]) -> None:
    """Hook feedback, the text of a command file and tool results are not the user's."""
    feedback, *_ = users(entries, "Stop hook feedback:")
    text, *_ = users(entries, "Foo: TYPED")
    for entry in (feedback, text):
        assert entry["isMeta"] is True
        assert not is_users(entry)
    results = users(entries, '"tool_result"')
    assert results
    assert all("toolUseResult" in entry for entry in results)
    assert not any(map(is_users, results))


def test_fact_summary(entries: list[Entry]) -> None:
    """The summary of /compact is not the user's."""
    (entry,) = (entry for entry in entries if entry.get(SUMMARY))
    assert entry["isVisibleInTranscriptOnly"] is True
    assert not is_users(entry)


def test_fact_prompt_of_a_hook(bench: Bench) -> None:
    """A prompt from a SessionStart hook has no mark; the hook's output precedes it."""
    project = bench()
    output = {"hookEventName": "SessionStart", "initialUserMessage": "FORGED"}
    text = json.dumps({"hookSpecificOutput": output})
    hook = {"type": "command", "command": f"echo '{text}'"}
    settings = json.dumps({"hooks": {"SessionStart": [{"hooks": [hook]}]}})
    claude(project, "-p", "do it", "--settings", settings).succeeded()
    entries = entries_of(project)
    (prompt,) = (e for e in users(entries, "FORGED"))
    (source,) = (e for e in entries if hook_prompt(e))
    assert is_users(prompt)
    assert hook_prompt(source) == "FORGED"
    assert entries.index(source) < entries.index(prompt)
