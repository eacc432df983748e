"""Shared by the tests of supervision: a scripted agent and reviewer, and the session's records."""

import json
import re
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from facts import STREAM

from harness import CccProject, Outcome
from harness.scripted import (
    CODE,
    Block,
    Reply,
    Request,
    Rule,
    agent_turn,
    answer,
    every,
    said,
    said_last,
    tool,
    tool_result,
)

MARK = "ccc, which supervises this session"
"""Part of every review request, in every language."""

ASKED = every(agent_turn(), said_last(MARK))
REVIEWING = every(agent_turn(), said(MARK))
WORKING = every(agent_turn(), lambda request: not REVIEWING(request))

YES = f'{{"code": "{CODE}", "completed": true, "feedback": ""}}'
FEEDBACK = "write b.txt too"
DONE = "All of it is done."
FREELY = ("--permission-mode", "bypassPermissions")
SDK_PROGRAM = """
import asyncio, json, sys
from claude_agent_sdk import ClaudeAgentOptions, query
given = json.loads(sys.argv[1])
options = ClaudeAgentOptions(permission_mode="bypassPermissions", **given["options"])
async def main():
    async for message in query(prompt=given["prompt"], options=options):
        print(type(message).__name__, getattr(message, "result", ""), flush=True)
asyncio.run(main())
"""
"""A program that asks claude by the Agent SDK; its argument has the prompt and the options."""


def no(feedback: str) -> str:
    """Return a verdict that sends the agent back."""
    return json.dumps({"completed": False, "feedback": feedback}, ensure_ascii=False)


def bash(command: str) -> Block:
    """Return a call of the Bash tool."""
    return tool("Bash", command=command, description="Work")


def journey() -> tuple[Rule, ...]:
    """Return rules of an agent that forgets b.txt at first, and of a reviewer that notices."""
    return (
        Rule(ASKED, [answer(f"I looked.\n{no(FEEDBACK)}"), answer(f"Fine now.\n{YES}")]),
        Rule(every(WORKING, said_last(FEEDBACK)), answer(bash("echo b > b.txt"))),
        Rule(every(WORKING, tool_result()), answer(DONE)),
        Rule(every(WORKING, said_last("a.txt")), answer(bash("echo a > a.txt"))),
        Rule(WORKING, answer("Hello from the agent.")),
    )


def judged(*verdicts: str) -> tuple[Rule, ...]:
    """Return rules of an agent that claims to be done, and of a reviewer with these answers."""
    return (
        Rule(REVIEWING, [answer(verdict) for verdict in verdicts], name="reviewer"),
        Rule(WORKING, answer(DONE), name="agent"),
    )


def acting(calls: Callable[[Request], Sequence[Block]], verdict: str = YES) -> tuple[Rule, ...]:
    """Return rules of an agent that claims to be done, and of a reviewer that makes calls first."""

    def reply(request: Request) -> Reply:
        turn = len(replies(request))
        blocks = calls(request)
        return answer(blocks[turn]) if turn < len(blocks) else answer(verdict)

    return Rule(REVIEWING, reply, name="reviewer"), Rule(WORKING, answer(DONE), name="agent")


def replies(request: Request) -> list[Mapping[str, Any]]:
    """Return the reviewer's messages so far."""
    messages = list(request.messages)
    start = next(i for i, message in enumerate(messages) if MARK in json.dumps(message))
    return [message for message in messages[start:] if message.get("role") == "assistant"]


def results(project: CccProject) -> list[str]:
    """Return the results of the reviewer's tool calls, in order."""
    assert project.model is not None
    reviews = [request for request in project.model.requests if REVIEWING(request)]
    return [r.last_tool_result for r in reviews if r.last_tool_result is not None]


def requests(project: CccProject, matches: Callable[[Request], bool]) -> list[Request]:
    """Return the matching requests, in order."""
    assert project.model is not None
    return [request for request in project.model.requests if matches(request)]


def supervise(project: CccProject, task: str, *arguments: str, **env: str) -> "Run":
    """Send `/supervisor task` to claude as a program does, with hook events in the output."""
    options = ("--include-hook-events", *(arguments or FREELY))
    return hooked(project, f"/supervisor {task}", *options, **env)


def hooked(
    project: CccProject, prompt: str, *arguments: str, program: str = "", **env: str
) -> "Run":
    """Send a prompt to claude as a program does, so that its hook judges and not a run."""
    streams = (*STREAM, "--input-format", "stream-json")
    message = {"type": "user", "message": {"role": "user", "content": prompt}}
    line = ("kimi", *streams, *arguments)
    outcome = project.run(*line, env=env, stdin=json.dumps(message), program=program)
    return Run(project, outcome)


@dataclass(frozen=True)
class Run:
    """A finished session of the real client, with ccc's records."""

    project: CccProject
    outcome: Outcome

    @cached_property
    def lines(self) -> list[dict[str, Any]]:
        """Return the lines that claude printed."""
        assert self.outcome.code == 0, self.outcome
        return [json.loads(line) for line in self.outcome.stdout.splitlines()]

    @property
    def result(self) -> str:
        """Return the agent's last message."""
        return str(self.lines[-1]["result"])

    @property
    def told(self) -> list[str]:
        """Return ccc's messages to the user at the stops."""
        return told(self.lines)

    @property
    def hooks(self) -> list[dict[str, Any]]:
        """Return the answers of the Stop hook, with stdout, stderr and exit code."""
        answers = (line for line in self.lines if line.get("subtype") == "hook_response")
        return [line for line in answers if line["hook_event"] == "Stop"]

    @property
    def record(self) -> "Record":
        """Return the session's records."""
        return Record(self.project)


def told(lines: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return ccc's messages to the user in the lines, without claude's `Stop says: `."""
    texts = [str(line["content"]) for line in lines if line.get("subtype") == "informational"]
    return [text.removeprefix("Stop says: ") for text in texts if text.startswith("Stop says: ")]


class Record:
    """The files of the only session that ccc started."""

    def __init__(self, project: CccProject) -> None:
        self.directory = project.claude_dir / "ccc"
        paths = [p for p in self.directory.glob("supervisor-*.json") if ".corrupt" not in p.name]
        states = {path: json.loads(path.read_text()) for path in paths}
        # a launch whose claude went on in another conversation is no session, unless it has a name
        (self.state_file,) = (
            path for path, state in states.items() if state["is_named"] or not state["conversation"]
        )
        self.session = self.state_file.stem.removeprefix("supervisor-")

    @property
    def state(self) -> dict[str, Any]:
        """Return the session's state."""
        state: dict[str, Any] = json.loads(self.state_file.read_text())
        return state

    @property
    def log(self) -> list[str]:
        """Return the lines of hook-invocation.log."""
        path = self.directory / "hook-invocation.log"
        return path.read_text().splitlines() if path.exists() else []

    @property
    def output(self) -> list[dict[str, Any]]:
        """Return the reviewer's raw lines."""
        return list(self._lines("output"))

    @property
    def verdicts(self) -> list[dict[str, Any]]:
        """Return the verdicts."""
        return list(self._lines("verdicts"))

    def file(self, name: str) -> Path:
        """Return the path of one of the session's files."""
        return self.directory / f"supervisor-{self.session}-{name}"

    def _lines(self, name: str) -> Iterator[dict[str, Any]]:
        path = self.file(f"{name}.jsonl")
        for line in path.read_text().splitlines() if path.exists() else []:
            value = json.loads(line)
            assert isinstance(value, dict)
            yield value


def workspace(request: Request) -> Path:
    """Return the writable directory that the review request names."""
    text = next(text for text in request.user_texts if MARK in text)
    match = re.search(r"You may write below (\S+),", text)
    assert match is not None, text
    return Path(match.group(1))


def section(request: Request, title: str) -> str:
    """Return a section of the review request, by the start of its title."""
    text = next(text for text in request.user_texts if MARK in text)
    rest = text.partition(MARK)[2].partition(f"\n## {title}")[2]
    return rest.partition("\n## ")[0]


def sessions(project: CccProject) -> set[str]:
    """Return the ids of the sessions in claude's records."""
    return {path.stem for path in (project.claude_dir / "projects").rglob("*.jsonl")}


def repository(project: CccProject) -> str:
    """Make the project a git repository with one commit and return the commit's id."""
    (project.directory / "there.txt").write_text("before\n")
    git(project, "init", "--quiet", "--initial-branch=main")
    git(project, "add", ".")
    git(project, "commit", "--quiet", "--message", "start")
    return git(project, "rev-parse", "HEAD").strip()


def git(project: CccProject, *arguments: str) -> str:
    """Run git in the project with a test identity."""
    somebody = ("-c", "user.name=Somebody", "-c", "user.email=somebody@example.org")
    done = subprocess.run(
        ["git", *somebody, *arguments],
        cwd=project.directory,
        env=project.env,
        capture_output=True,
        text=True,
        timeout=30,
        check=True,
    )
    return done.stdout
