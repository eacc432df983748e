"""Shared by the Stop hook tests: a supervised session, and a claude that can misbehave."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from harness import CccProject, Outcome
from harness.processes import family

SESSION = "abc123"
YES = '{"code": "%code%", "completed": true, "feedback": ""}'
NO = '{"completed": false, "feedback": "需要补充..."}'
SECONDS = 60
"""The maximum time to wait for the hook."""

# A real program that speaks stream-json and the SDK's control protocol. `turn` counts the
# questions, and `question` is the last one.
_CLAUDE = '''#!{python} -I
import json, os, re, signal, subprocess, sys, time

def note(**values):
    # in one piece: others write and read at the same time
    with open({record!r}, "ab", buffering=0) as file:
        file.write(json.dumps(values).encode() + b"\\n")

def raw(data):
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()

def emit(**message):
    raw(json.dumps(message).encode() + b"\\n")

def say(text):
    content = [{{"type": "text", "text": text}}]
    message = {{"role": "assistant", "model": "m", "content": content}}
    emit(type="assistant", message=message, session_id=session)

def result(text, **more):
    code = re.findall('{{"code": "([0-9a-f]+)"', globals().get("question", ""))
    text = json.loads(json.dumps(text).replace("%code%", code[-1] if code else ""))
    usage = {{"input_tokens": 1, "cache_read_input_tokens": 2, "output_tokens": 3}}
    emit(**{{"type": "result", "subtype": "success", "is_error": False, "result": text,
           "duration_ms": 1, "duration_api_ms": 1, "num_turns": 1, "session_id": session,
           "total_cost_usd": 0.25, "usage": usage, **more}})

def orphan():
    """A grandchild in a session of its own that holds all pipes and ignores SIGTERM."""
    keep = ("import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN);"
            "print('orphan', flush=True); time.sleep(60)")
    once = ("import subprocess, sys;"
            "subprocess.Popen([sys.executable, '-c', sys.argv[1]], start_new_session=True)")
    subprocess.run([sys.executable, "-c", once, keep], start_new_session=True)

def stubborn():
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)

def hang():
    note(hangs=os.getpid())
    time.sleep(60)

note(argv=sys.argv[1:], env=dict(os.environ), cwd=os.getcwd(), pid=os.getpid())
turn = 0
# an agent of `ccc run` has the session that it was told, a reviewer one of its own
session = dict(zip(sys.argv, sys.argv[1:])).get("--session-id", "fork")
{before}
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "control_request":
        body = {{"subtype": "success", "request_id": message["request_id"], "response": {{}}}}
        emit(type="control_response", response=body)
        {between}
    elif message["type"] == "user":
        turn += 1
        question = message["message"]["content"]
        note(question=question)
{body}
'''


class Supervised:
    """A supervised session and its Stop hook."""

    def __init__(self, project: CccProject) -> None:
        self.project = project
        self.state_dir = project.claude_dir / "ccc"
        self.state_dir.mkdir()
        self.state_file = self.state_dir / f"supervisor-{SESSION}.json"
        self._record = project.root / "reviewer.jsonl"
        project.env |= {"CCC_SUPERVISOR_ID": SESSION, "CLAUDECODE": "1"}
        project.write(".claude/SUPERVISOR.md", "Be strict.\n")
        self.configure()
        self.set_state()
        self.claude("result(YES)")

    def configure(self, **supervisor: object) -> None:
        """Write ccc.json with these supervisor settings."""
        self.project.configure(supervisor={"sandbox": "off", **supervisor})

    def set_state(self, **state: object) -> None:
        """Write the session's state, with supervision on."""
        content = {
            "session_id": SESSION,
            "enabled": True,
            "provider": "kimi",
            "claude": str(self.project.bin / "claude"),
            "is_named": True,
            **state,
        }
        self.state_file.write_text(json.dumps(content))

    @property
    def state(self) -> dict[str, Any]:
        """Read the session's state."""
        found: dict[str, Any] = json.loads(self.state_file.read_text())
        return found

    def claude(self, body: str, *, before: str = "", between: str = "pass") -> None:
        """Make the reviewer's claude do this at each question, at start and after the handshake."""
        text = _CLAUDE.format(
            python=sys.executable,
            record=str(self._record),
            before=before,
            between=between.replace("\n", "\n        "),
            body="\n".join("        " + line for line in body.splitlines()),
        )
        text = text.replace("turn = 0\n", f"turn = 0\nYES, NO = {YES!r}, {NO!r}\n", 1)
        program = self.project.bin / "claude"
        program.write_text(text)
        program.chmod(0o755)

    def notes(self, key: str) -> list[Any]:
        """Return what the reviewer's claude recorded about itself."""
        if not self._record.exists():
            return []
        lines = [json.loads(line) for line in self._record.read_text().splitlines()]
        return [line[key] for line in lines if key in line]

    def event(self, **event: object) -> str:
        """Return the hook's input."""
        return json.dumps(
            {
                "session_id": SESSION,
                "cwd": str(self.project.directory),
                "prompt_id": "p1",
                "hook_event_name": "Stop",
                "stop_hook_active": False,
                **event,
            }
        )

    def stop(
        self,
        *arguments: str,
        stdin: str | None = None,
        env: Mapping[str, str | None] | None = None,
        **event: object,
    ) -> "Stopped":
        """Run the hook as claude does when the agent stops."""
        text = self.event(**event) if stdin is None else stdin
        outcome = self.project.run(
            "supervisor-hook", *arguments, stdin=text, env=env, timeout=SECONDS
        )
        return Stopped(outcome)

    def start(self, command: Sequence[str] = (), **event: object) -> "subprocess.Popen[bytes]":
        """Start the hook without waiting for it to end."""
        process = subprocess.Popen(
            command or [self.project.ccc, "supervisor-hook"],
            cwd=self.project.directory,
            env=self.project.env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        assert process.stdin is not None
        process.stdin.write(self.event(**event).encode())
        process.stdin.close()
        process.stdin = None
        return process

    @property
    def log(self) -> str:
        """Return the text of hook-invocation.log."""
        path = self.state_dir / "hook-invocation.log"
        return path.read_text() if path.exists() else ""

    @property
    def verdicts(self) -> list[dict[str, Any]]:
        """Return the recorded verdicts."""
        return list(self._lines("verdicts"))

    @property
    def output(self) -> list[str]:
        """Return the recorded raw lines."""
        path = self.state_dir / f"supervisor-{SESSION}-output.jsonl"
        return path.read_text().splitlines() if path.exists() else []

    def _lines(self, name: str) -> Iterator[dict[str, Any]]:
        path = self.state_dir / f"supervisor-{SESSION}-{name}.jsonl"
        for line in path.read_text().splitlines() if path.exists() else []:
            yield json.loads(line)

    def family(self) -> dict[int, str]:
        """Return the hook and its descendants, found by this home in their environment."""
        return family(self.project.home)


class Stopped:
    """The result of a hook run."""

    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome
        assert outcome.code == 0, outcome

    @property
    def answer(self) -> dict[str, str]:
        """The one JSON object on stdout, in the form that claude accepts."""
        found: dict[str, str] = json.loads(self.outcome.stdout)
        known = {"decision", "reason", "systemMessage", "terminalSequence"}
        assert set(found) <= known, self.outcome
        assert ("decision" in found) is ("reason" in found), self.outcome
        assert found.get("decision", "block") == "block", self.outcome
        return found

    @property
    def blocked(self) -> bool:
        """Whether the agent has to continue."""
        return "decision" in self.answer

    @property
    def message(self) -> str:
        """The message that the user reads in claude's terminal."""
        return self.answer["systemMessage"]

    @property
    def silent(self) -> bool:
        """Whether the hook printed nothing at all."""
        return (self.outcome.stdout, self.outcome.stderr) == ("", "")


def snapshot(directory: Path) -> dict[str, tuple[int, bytes]]:
    """Return all files under the directory with their times and contents."""
    return {
        str(path): (os.lstat(path).st_mtime_ns, path.read_bytes() if path.is_file() else b"")
        for path in directory.rglob("*")
    }


def failure_cause(stopped: Stopped, supervised: Supervised) -> str:
    """Return the cause in the message of a stop that ccc allowed because the review failed."""
    message = stopped.message
    assert not stopped.blocked, stopped.outcome
    assert message.startswith("[SUPERVISOR] could not be judged, stop allowed: "), stopped.outcome
    assert f"Log: {supervised.state_dir / 'hook-invocation.log'}." in message
    assert "/supervisoroff" in message
    return message
