"""What the tests of supervision share: a scripted agent and reviewer, and what is on record."""

import json
import re
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from facts import STREAM

from ccc.scripted import (
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
from harness import CccProject, Outcome

MARK = "ccc, which supervises this session"
"""Stands in every review request, in whatever language the instructions are."""

ASKED = every(agent_turn(), said_last(MARK))
REVIEWING = every(agent_turn(), said(MARK))
WORKING = every(agent_turn(), lambda request: not REVIEWING(request))

YES = f'{{"code": "{CODE}", "completed": true, "feedback": ""}}'
FEEDBACK = "write b.txt too"
DONE = "All of it is done."
FREELY = ("--permission-mode", "bypassPermissions")


def no(feedback: str) -> str:
    """A verdict that sends the agent back."""
    return json.dumps({"completed": False, "feedback": feedback}, ensure_ascii=False)


def bash(command: str) -> Block:
    """A call of the Bash tool."""
    return tool("Bash", command=command, description="Work")


def journey() -> tuple[Rule, ...]:
    """An agent that forgets b.txt until it is told, and a reviewer that notices."""
    return (
        Rule(ASKED, [answer(f"I looked.\n{no(FEEDBACK)}"), answer(f"Fine now.\n{YES}")]),
        Rule(every(WORKING, said_last(FEEDBACK)), answer(bash("echo b > b.txt"))),
        Rule(every(WORKING, tool_result()), answer(DONE)),
        Rule(every(WORKING, said_last("a.txt")), answer(bash("echo a > a.txt"))),
        Rule(WORKING, answer("Hello from the agent.")),
    )


def judged(*verdicts: str) -> tuple[Rule, ...]:
    """An agent that always says that it is done, and a reviewer with these answers."""
    return (
        Rule(REVIEWING, [answer(verdict) for verdict in verdicts], name="reviewer"),
        Rule(WORKING, answer(DONE), name="agent"),
    )


def acting(calls: Callable[[Request], Sequence[Block]], verdict: str = YES) -> tuple[Rule, ...]:
    """An agent that says it is done, and a reviewer that makes the calls before its verdict."""

    def reply(request: Request) -> Reply:
        turn = len(replies(request))
        chosen = calls(request)
        return answer(chosen[turn]) if turn < len(chosen) else answer(verdict)

    return Rule(REVIEWING, reply, name="reviewer"), Rule(WORKING, answer(DONE), name="agent")


def replies(request: Request) -> list[Mapping[str, Any]]:
    """What the reviewer has said so far."""
    messages = list(request.messages)
    asked = next(i for i, message in enumerate(messages) if MARK in json.dumps(message))
    return [message for message in messages[asked:] if message.get("role") == "assistant"]


def results(project: CccProject) -> list[str]:
    """What came of the reviewer's calls, in order."""
    assert project.model is not None
    found = [request for request in project.model.requests if REVIEWING(request)]
    return [r.last_tool_result for r in found if r.last_tool_result is not None]


def requests(project: CccProject, wanted: Callable[[Request], bool]) -> list[Request]:
    """The wanted requests, in order."""
    assert project.model is not None
    return [request for request in project.model.requests if wanted(request)]


def supervise(project: CccProject, task: str, *arguments: str, **env: str) -> "Run":
    """`/supervisor task` without a terminal, with what the hook said."""
    options = ("--include-hook-events", *(arguments or FREELY))
    return Run(project, project.run("kimi", *STREAM, *options, f"/supervisor {task}", env=env))


@dataclass(frozen=True)
class Run:
    """A finished session on the real client, and what ccc wrote down of it."""

    project: CccProject
    outcome: Outcome

    @cached_property
    def lines(self) -> list[dict[str, Any]]:
        """What claude printed."""
        self.outcome.succeeded()
        return [json.loads(line) for line in self.outcome.stdout.splitlines()]

    @property
    def result(self) -> str:
        """The agent's last words."""
        return str(self.lines[-1]["result"])

    @property
    def told(self) -> list[str]:
        """What the person was told at the stops."""
        return told(self.lines)

    @property
    def hooks(self) -> list[dict[str, Any]]:
        """The answers of the Stop hook, with stdout, stderr and exit code."""
        answers = (line for line in self.lines if line.get("subtype") == "hook_response")
        return [line for line in answers if line["hook_event"] == "Stop"]

    @property
    def record(self) -> "Record":
        """What is on record of the session."""
        return Record(self.project)


def told(lines: Sequence[Mapping[str, Any]]) -> list[str]:
    """What the lines tell the person, in claude's words without its `Stop says: `."""
    found = [str(line["content"]) for line in lines if line.get("subtype") == "informational"]
    return [text.removeprefix("Stop says: ") for text in found if text.startswith("Stop says: ")]


class Record:
    """The files of the one session that was started by ccc."""

    def __init__(self, project: CccProject) -> None:
        self.directory = project.claude_dir / "ccc"
        found = [p for p in self.directory.glob("supervisor-*.json") if ".corrupt" not in p.name]
        # a state that follows another says nothing of its own
        (self.state_file,) = (p for p in found if not json.loads(p.read_text()).get("follows"))
        self.session = self.state_file.stem.removeprefix("supervisor-")

    @property
    def state(self) -> dict[str, Any]:
        """The session's state."""
        found: dict[str, Any] = json.loads(self.state_file.read_text())
        return found

    @property
    def log(self) -> list[str]:
        """The lines of hook-invocation.log."""
        path = self.directory / "hook-invocation.log"
        return path.read_text().splitlines() if path.exists() else []

    @property
    def output(self) -> list[dict[str, Any]]:
        """The reviewer's raw lines."""
        return list(self._lines("output"))

    @property
    def verdicts(self) -> list[dict[str, Any]]:
        """The verdicts."""
        return list(self._lines("verdicts"))

    def file(self, name: str) -> Path:
        """A file of the session."""
        return self.directory / f"supervisor-{self.session}-{name}"

    def _lines(self, name: str) -> Iterator[dict[str, Any]]:
        path = self.file(f"{name}.jsonl")
        for line in path.read_text().splitlines() if path.exists() else []:
            value = json.loads(line)
            assert isinstance(value, dict)
            yield value


def workspace(request: Request) -> Path:
    """The place that the review request names for what must be written."""
    asked = next(text for text in request.said if MARK in text)
    named = re.search(r"You may write below (\S+),", asked)
    assert named is not None, asked
    return Path(named.group(1))


def section(request: Request, title: str) -> str:
    """A section of the review request, by the beginning of its title."""
    asked = next(text for text in request.said if MARK in text)
    behind = asked.partition(MARK)[2].partition(f"\n## {title}")[2]
    return behind.partition("\n## ")[0]


def sessions(project: CccProject) -> set[str]:
    """The ids of the sessions that claude has kept."""
    return {path.stem for path in (project.claude_dir / "projects").rglob("*.jsonl")}


def repository(project: CccProject) -> str:
    """Make the project a git repository with one commit; its id."""
    (project.directory / "there.txt").write_text("before\n")
    git(project, "init", "--quiet", "--initial-branch=main")
    git(project, "add", ".")
    git(project, "commit", "--quiet", "--message", "start")
    return git(project, "rev-parse", "HEAD").strip()


def git(project: CccProject, *arguments: str) -> str:
    """Run git in the project, as somebody."""
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
