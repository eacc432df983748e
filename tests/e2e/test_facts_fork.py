"""Facts of claude: what a fork of a session sees, stores and shares with the cache."""

import json
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from facts import MANAGED, SECONDS, Hook, claude, provider, scripted_project, system_text

from harness import KEY, Bench, CccProject, Outcome, claude_binary
from harness.scripted import (
    Request,
    Rule,
    agent_turn,
    answer,
    every,
    has_tool,
    said_last,
    shared_prefix,
    tool,
)

pytestmark = [pytest.mark.real, pytest.mark.key_in("hook.py")]

DONE = "The work is done."
RULES = (
    Rule(
        every(agent_turn(), has_tool("StructuredOutput"), said_last("^Review")),
        answer(tool("StructuredOutput", ok=True)),
    ),
    Rule(every(agent_turn(), said_last("^Review")), answer("Fine.")),
    Rule(
        every(agent_turn(), said_last("^work")),
        answer("I look.", tool("Bash", command="echo looked", description="Look")),
    ),
    Rule(agent_turn(), answer(DONE)),
)
PLAIN_HEADER = {"CLAUDE_CODE_ATTRIBUTION_HEADER": "0"}
UNSAVED = "--no-session-persistence"
SCHEMA = json.dumps({"type": "object", "properties": {"ok": {"type": "boolean"}}})
SCOPED = {
    "allow": ["Bash"],
    "deny": ["Edit(./**)", "Bash(git commit:*)", "Bash(git push:*)"],
}


@dataclass(frozen=True)
class Agent:
    """A finished session and its last request."""

    project: CccProject
    session: str
    last: Request

    def fork(self, *arguments: str, **env: str) -> tuple[Outcome, Request]:
        """Review the session with a fork; return the outcome and the fork's first request."""
        assert self.project.model is not None
        before = len(self.project.model.requests)
        begin = ("-p", "Review it.", "--fork-session", "--resume", self.session)
        outcome = claude(self.project, *begin, *arguments, env={**PLAIN_HEADER, **env})
        return outcome, self.project.model.requests[before]

    def share(self, *arguments: str) -> float:
        """Return the share of the agent's last request that such a fork repeats."""
        outcome, request = self.fork(UNSAVED, *arguments)
        outcome.succeeded()
        return shared_prefix(self.last, request)


@pytest.fixture(scope="module")
def agent(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Agent]:
    """Yield a session with a tool call."""
    with scripted_project(tmp_path_factory.mktemp("agent"), *RULES) as project:
        session = str(uuid.uuid4())
        mode = ("--permission-mode", "bypassPermissions")
        run = ("-p", "work", "--session-id", session, *mode)
        assert claude(project, *run, env=PLAIN_HEADER).succeeded().stdout == f"{DONE}\n"
        assert project.model is not None
        yield Agent(project, session, project.model.requests[-1])


def sessions(project: CccProject) -> set[str]:
    """Return the ids of the sessions that have a file."""
    return {path.stem for path in (project.claude_dir / "projects").rglob("*.jsonl")}


def test_fact_fork_without_persistence_leaves_no_file(agent: Agent) -> None:
    """--no-session-persistence works with --fork-session --resume."""
    before = sessions(agent.project)
    agent.fork(UNSAVED)[0].succeeded()
    assert sessions(agent.project) == before


def test_fact_fork_leaves_a_file_otherwise(agent: Agent) -> None:
    """Without that option, the fork is stored as its own session."""
    before = sessions(agent.project)
    agent.fork()[0].succeeded()
    assert len(sessions(agent.project) - before) == 1


@pytest.mark.parametrize("option", ["--append-system-prompt", "--system-prompt"])
def test_fact_system_prompt_is_ignored_on_a_resumed_session(agent: Agent, option: str) -> None:
    """The text is absent from the fork's request, and the system prompt is the agent's."""
    outcome, request = agent.fork(UNSAVED, option, "Be a pirate.")
    outcome.succeeded()
    assert "pirate" not in json.dumps(request.body)
    assert system_text(request) == system_text(agent.last)


def test_fact_system_prompt_counts_with_the_snapshot_off(agent: Agent) -> None:
    """With --system-prompt-snapshot off, the text applies."""
    off = ("--system-prompt-snapshot", "off")
    _, request = agent.fork(UNSAVED, "--append-system-prompt", "Be a pirate.", *off)
    assert "pirate" in system_text(request)


def test_fact_plain_fork_shares_the_whole_prompt(agent: Agent) -> None:
    """A fork with only a user message repeats the agent's last request entirely."""
    assert agent.share() == 1.0


@pytest.mark.parametrize("mode", ["dontAsk", "plan", "bypassPermissions"])
def test_fact_permission_mode_keeps_the_shared_prompt(agent: Agent, mode: str) -> None:
    """The fork's permission mode isn't part of the prompt."""
    assert agent.share("--permission-mode", mode) == 1.0


@pytest.mark.parametrize("sandbox", [False, True])
def test_fact_scoped_denies_keep_the_shared_prompt(agent: Agent, sandbox: bool) -> None:
    """Deny rules with a path or a command don't change the tools, nor does the sandbox."""
    settings = {
        "disableAllHooks": True,
        "permissions": SCOPED,
        "sandbox": {"enabled": sandbox, "allowUnsandboxedCommands": False},
    }
    # Use a file: claude stores settings text at one path, which all claudes with that text mount.
    file = agent.project.root / f"settings-{sandbox}.json"
    file.write_text(json.dumps(settings))
    mode = ("--permission-mode", "dontAsk")
    assert agent.share(*mode, "--settings", str(file)) == 1.0


def test_fact_bare_denies_break_the_shared_prompt(agent: Agent) -> None:
    """permissions.deny with bare names removes the tools, near the start of the prompt."""
    settings = {"permissions": {"deny": ["Edit", "Write"]}}
    assert agent.share("--settings", json.dumps(settings)) < 0.6


def test_fact_disallowed_tools_break_the_shared_prompt(agent: Agent) -> None:
    """--disallowedTools with bare names does the same."""
    assert agent.share("--disallowedTools", "Edit,Write") < 0.6


def test_fact_json_schema_breaks_the_shared_prompt(agent: Agent) -> None:
    """--json-schema adds a tool in the middle of the tools."""
    assert agent.share("--output-format", "json", "--json-schema", SCHEMA) < 0.6


_REVIEW = """
import subprocess
kept = {{k: v for k, v in os.environ.items() if not k.startswith("CLAUDE")}}
kept.pop("CCC_SUPERVISOR_ID", None)
done = subprocess.run(
    [{claude!r}, "-p", "Review it.", "--fork-session", "--resume", event["session_id"]]
    + ["--no-session-persistence", "--settings", '{{"disableAllHooks": true}}'],
    env={{**kept, **{env!r}}},
    stdin=subprocess.DEVNULL,
    capture_output=True,
    text=True,
    timeout={seconds},
)
say(systemMessage=done.stdout + done.stderr)
"""


@pytest.fixture(scope="module")
def reviewed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Hook, list[Request]]]:
    """Run a session that a fork reviews inside the Stop hook."""
    with scripted_project(tmp_path_factory.mktemp("reviewed"), *RULES) as project:
        env = {"ANTHROPIC_AUTH_TOKEN": KEY, **MANAGED, **PLAIN_HEADER}
        body = _REVIEW.format(claude=str(claude_binary()), env=env, seconds=SECONDS)
        hook = Hook(project, body)
        settings = ("--settings", json.dumps(hook.settings()))
        run = ("-p", "work", "--permission-mode", "bypassPermissions", *settings)
        claude(project, *run, env=PLAIN_HEADER).succeeded()
        assert project.model is not None
        yield hook, project.model.requests


def test_fact_fork_inside_the_stop_hook_sees_the_whole_conversation(
    reviewed: tuple[Hook, list[Request]],
) -> None:
    """The fork sees the prompt, the tool call with its result and the agent's last message."""
    fork = reviewed[1][-1]
    conversation = [
        (message["role"], json.dumps(message["content"]))
        for message in fork.messages
        if message["role"] != "system"
    ]
    assert [role for role, _ in conversation] == ["user", "assistant", "user", "assistant", "user"]
    for (_, content), text in zip(
        conversation, ["work", "echo looked", "looked", DONE, "Review it."], strict=True
    ):
        assert text in content


def test_fact_fork_inside_the_stop_hook_shares_the_whole_prompt(
    reviewed: tuple[Hook, list[Request]],
) -> None:
    """The fork repeats the agent's last request entirely."""
    *_, last, fork = reviewed[1]
    assert shared_prefix(last, fork) == 1.0


def test_fact_disable_all_hooks_keeps_a_fork_from_being_reviewed(
    reviewed: tuple[Hook, list[Request]],
) -> None:
    """The fork's own stop runs no hook."""
    assert len(reviewed[0].calls) == 1


def wait_for_transcript(project: CccProject, words: str) -> None:
    """Wait until a transcript contains the words."""
    directory: Path = project.claude_dir / "projects"
    until = time.monotonic() + SECONDS
    while not any(words in path.read_text() for path in directory.rglob("*.jsonl")):
        assert time.monotonic() < until, "the words never appeared in a transcript"
        time.sleep(0.05)


def interactive_and_fork(bench: Bench, header: str) -> tuple[Request, Request]:
    """Return the last request of an interactive agent, and the first of a fork with -p."""
    project = bench(*RULES)
    session = str(uuid.uuid4())
    env = {"CLAUDE_CODE_ATTRIBUTION_HEADER": header}
    with project.interactive(
        *("--session-id", session),
        env={**provider(project), **MANAGED, **env},
        program=str(claude_binary()),
    ) as terminal:
        terminal.wait_for("❯")
        terminal.enter("please do it")
        terminal.wait_for("The work is done")
        wait_for_transcript(project, DONE)
        (last,) = (request for request in project.model.requests if request.tools)
        outcome, fork = Agent(project, session, last).fork(UNSAVED, **env)
        outcome.succeeded()
    return last, fork


@pytest.mark.tmux
def test_fact_attribution_header_breaks_the_prompt_shared_with_the_terminal(
    bench: Bench, tmux: None
) -> None:
    """With the header, an interactive agent and a fork with -p differ in the first system block."""
    last, fork = interactive_and_fork(bench, "1")
    first, forked = (request.body["system"][0]["text"] for request in (last, fork))
    assert "cc_entrypoint=cli;" in first
    assert "cc_entrypoint=sdk-cli;" in forked
    assert last.body["system"][1:] == fork.body["system"][1:]
    assert shared_prefix(last, fork) < 0.9


@pytest.mark.tmux
def test_fact_without_attribution_header_the_terminal_shares_the_whole_prompt(
    bench: Bench, tmux: None
) -> None:
    """Without the header on both sides, the fork repeats the interactive agent's whole request."""
    last, fork = interactive_and_fork(bench, "0")
    assert shared_prefix(last, fork) == 1.0
