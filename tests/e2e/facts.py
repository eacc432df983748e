"""Shared by the tests of claude's own behaviour: claude itself, a Stop hook, a conversation."""

import contextlib
import json
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from harness import KEY, MODEL, CccProject, Outcome, claude_binary
from harness.scripted import Rule, Scenario, ScriptedModel, agent_turn, answer

SECONDS = 60
"""The maximum time to wait for claude."""

MANAGED = {"CLAUDE_CODE_PROVIDER_MANAGED_BY_HOST": "1"}
PLAIN = Rule(agent_turn(), answer("Hello from the script."), name="agent")
HOOK_SAYS = r"Stop hook (?:error: |reported a problem\s+|failed)"
"""What claude's screen has before what a hook sends back; 2.1.326 changed it."""
STREAM = ("-p", "--output-format", "stream-json", "--verbose")

Environment = Mapping[str, str | None]


@contextlib.contextmanager
def scripted_project(root: Path, *rules: Rule) -> Iterator[CccProject]:
    """Yield a project with its model, for a fixture that several tests share."""
    scenario = Scenario(rules or (PLAIN,))
    with ScriptedModel(scenario, max_seconds=2 * SECONDS, max_requests=100) as model:
        yield CccProject(root / "bench", model)


def provider(project: CccProject, name: str = "") -> dict[str, str]:
    """Return the variables of the scripted provider; a name selects another path, key and model."""
    assert project.model is not None
    return {
        "ANTHROPIC_BASE_URL": f"{project.model.url}/{name}" if name else project.model.url,
        "ANTHROPIC_AUTH_TOKEN": f"{name}-token" if name else KEY,
        "ANTHROPIC_MODEL": f"{name}-model" if name else MODEL,
    }


def claude(
    project: CccProject, *arguments: str, env: Environment | None = None, stdin: str = ""
) -> Outcome:
    """Run the real claude with the project's provider, managed by the host as in ccc."""
    return project.run(
        *arguments,
        env={**provider(project), **MANAGED, **(env or {})},
        stdin=stdin,
        timeout=SECONDS,
        program=str(claude_binary()),
    )


def system_text(request: Any) -> str:
    """Return the text of the request's system prompt."""
    return "\n".join(block["text"] for block in request.body["system"])


def only_request(project: CccProject) -> Any:
    """Return the only request of a run."""
    assert project.model is not None
    (request,) = project.model.requests
    return request


def lines(outcome: Outcome) -> list[dict[str, Any]]:
    """Return the lines of `--output-format stream-json`."""
    outcome.succeeded()
    return [json.loads(line) for line in outcome.stdout.splitlines()]


_HOOK = """#!{python} -I
import json, os, sys, time
event = json.load(sys.stdin)
own = {{"pid": os.getpid(), "session": os.getsid(0), "cwd": os.getcwd()}}
try:
    os.close(os.open("/dev/tty", os.O_RDWR))
    own["tty"] = True
except OSError:
    own["tty"] = False
with open({record!r}, "a") as file:
    file.write(json.dumps({{"event": event, "env": dict(os.environ), "process": own}}) + "\\n")
with open({record!r}) as file:
    number = sum(1 for _ in file)

def say(**output):
    print(json.dumps(output), flush=True)

{body}
"""

BLOCK_ONCE = "if not event['stop_hook_active']: say(decision='block', reason='Go on.')"
BLOCK_ALWAYS = "say(decision='block', reason='Go on.')"


@dataclass(frozen=True)
class Call:
    """A hook's input, environment and process."""

    event: dict[str, Any]
    env: dict[str, str]
    process: dict[str, Any]


class Hook:
    """A Stop hook that records its calls; its body is Python.

    The body can use `event`, the `number` of the call (from 1) and `say(**output)`.
    """

    def __init__(self, project: CccProject, body: str = "", name: str = "hook") -> None:
        self._record = project.root / f"{name}.jsonl"
        program = project.root / f"{name}.py"
        text = _HOOK.format(python=sys.executable, record=str(self._record), body=body)
        program.write_text(text)
        program.chmod(0o755)
        self.command = str(program)

    def settings(self, **entry: object) -> dict[str, Any]:
        """Return settings with the hook; `entry` adds to its entry."""
        hook = {"type": "command", "command": self.command, **entry}
        return {"hooks": {"Stop": [{"hooks": [hook]}]}}

    @property
    def calls(self) -> list[Call]:
        """Return the calls so far."""
        if not self._record.exists():
            return []
        return [Call(**json.loads(line)) for line in self._record.read_text().splitlines()]


class Conversation:
    """A claude that receives prompts over a pipe, one JSON line per prompt."""

    def __init__(
        self,
        project: CccProject,
        *arguments: str,
        env: Environment | None = None,
        program: Sequence[str] = (),
    ) -> None:
        merged = {**project.env, **provider(project), **MANAGED, **(env or {})}
        self._process = subprocess.Popen(
            [*(program or [claude_binary()]), *STREAM, "--input-format", "stream-json", *arguments],
            cwd=project.directory,
            env={name: value for name, value in merged.items() if value is not None},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self._lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    @property
    def pid(self) -> int:
        """Return the pid of claude."""
        return self._process.pid

    def ask(self, prompt: str) -> list[dict[str, Any]]:
        """Send a prompt and return the lines up to its result."""
        self.send(prompt)
        return self.until("result")

    def send(self, prompt: str, **more: str) -> None:
        """Send a prompt; `more` adds fields to its line."""
        assert self._process.stdin is not None
        message = {"type": "user", "message": {"role": "user", "content": prompt}, **more}
        self._process.stdin.write(json.dumps(message) + "\n")
        self._process.stdin.flush()

    def until(self, kind: str) -> list[dict[str, Any]]:
        """Return the lines up to the next one of that type."""
        lines: list[dict[str, Any]] = []
        while not lines or lines[-1].get("type") != kind:
            line = self._lines.get(timeout=SECONDS)
            assert line, f"claude ended after {lines}"
            lines.append(json.loads(line))
        return lines

    def end(self) -> int:
        """Close the pipe and return the exit code."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        return self._process.wait(SECONDS)

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line)
        self._lines.put("")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait(SECONDS)
