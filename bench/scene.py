"""The setting of a benchmark: a home with a provider, the real claude, a scripted model."""

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

from ccc.claude import known_claudes
from ccc.claude.capabilities import Answers
from ccc.scripted import CODE, Reply, Request, answer
from ccc.storage.files import Lock
from ccc.storage.paths import Paths
from ccc.storage.sessions import note_change

PYTHON = sys.executable
CCC = str(Path(PYTHON).parent / "ccc")
BARE = (PYTHON, "-I", "-c", "pass")
NOWHERE = "http://127.0.0.1:9"
MODEL = "claude-sonnet-5"
PLAIN = {
    "CLAUDECODE": "1",
    "CLAUDE_PID": str(os.getpid()),
    "CLAUDE_PROJECT_DIR": "/",
    "CLAUDE_CODE_SESSION_ID": "none",
}
"""The environment of a hook in a claude that ccc didn't start."""
SESSION = "bench"
"""The id of the middle session of `many`."""

Command = tuple[Sequence[str], Mapping[str, str]]
"""A command line and its extra environment variables."""


def claude() -> str:
    """Return the path of the claude in the SDK's wheel."""
    spec = find_spec("claude_agent_sdk")
    assert spec is not None
    assert spec.origin is not None
    return str(Path(spec.origin).parent / "_bundled" / "claude")


def provider(url: str, model: str = MODEL) -> dict[str, str]:
    """Return the environment variables of a provider."""
    return {
        "ANTHROPIC_BASE_URL": url,
        "ANTHROPIC_AUTH_TOKEN": "sk-bench",
        "ANTHROPIC_MODEL": model,
    }


def agree(request: Request) -> Reply:
    """Reply as an agent that is done, and as a reviewer that agrees."""
    verdict = f'{{"code": "{CODE}", "completed": true, "feedback": ""}}'
    return answer(verdict if request.code else "Done.")


class Scene:
    """A scratch home and project with `claude` on PATH, by default one that does nothing."""

    def __init__(self, root: Path, url: str = NOWHERE, program: str = "/bin/true") -> None:
        self.root = root
        self.home = root / "home"
        self.claude_dir = self.home / ".claude"
        self.records = self.claude_dir / "ccc"
        self.project = root / "project"
        self.no_npm = root / "no-npm"
        """A directory for PATH in which npm fails immediately."""
        for directory in (self.records, self.project, root / "bin", self.no_npm):
            directory.mkdir(parents=True)
        (self.no_npm / "npm").symlink_to("/bin/false")
        (root / "bin" / "claude").symlink_to(program)
        trust = {"projects": {str(self.project): {"hasTrustDialogAccepted": True}}}
        (self.home / ".claude.json").write_text(json.dumps(trust))
        self.configure(provider(url))
        # a claude that was tested, as it is after the first launch
        paths = Paths({"CLAUDE_CONFIG_DIR": str(self.claude_dir)})
        known_claudes.save(paths, str(root / "bin" / "claude"), Answers("2.1.325"))
        self.environ = {
            "HOME": str(self.home),
            "PATH": f"{root / 'bin'}:/usr/bin:/bin",
            "LANG": "en_US.UTF-8",
            "DISABLE_TELEMETRY": "1",
            "DISABLE_AUTOUPDATER": "1",
            "DISABLE_ERROR_REPORTING": "1",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "IS_SANDBOX": "1",
            "CCC_SELFTEST": "off",
        }

    def configure(self, env: Mapping[str, str], **supervisor: object) -> None:
        """Write ccc.json with two identical providers and the supervisor's settings."""
        providers = {name: {"env": env} for name in ("kimi", "glm")}
        config = {"providers": providers, "supervisor": supervisor}
        (self.claude_dir / "ccc.json").write_text(json.dumps(config, indent=2))

    def run(self, argv: Sequence[str], stdin: str = "", **env: str) -> str:
        """Run a command in the project and return its stdout."""
        done = subprocess.run(
            argv,
            env={**self.environ, **env},
            cwd=self.project,
            input=stdin,
            capture_output=True,
            timeout=200,
            text=True,
        )
        if done.returncode:
            raise RuntimeError(f"{argv[0]} ended with {done.returncode}: {done.stderr[-2000:]}")
        return done.stdout

    def supervised_stop(self) -> tuple[dict[str, object], dict[str, str]]:
        """Hold a session and turn supervision on; return the event of its stop and its variables.

        The scene needs the real claude.
        """
        work = ("kimi", "-p", "hello", "--output-format", "json")
        session = json.loads(self.run((CCC, *work)))["session_id"]
        state = self.records / f"supervisor-{session}.json"
        content = json.loads(state.read_text())
        state.write_text(json.dumps({**content, "enabled": True, "pid": 0}))
        (transcript,) = self.claude_dir.rglob(f"{session}.jsonl")
        event: dict[str, object] = {
            "session_id": session,
            "transcript_path": str(transcript),
            "cwd": str(self.project),
            "prompt_id": "p1",
            "hook_event_name": "Stop",
            "stop_hook_active": False,
            "last_assistant_message": "Done.",
        }
        return event, {"CCC_SUPERVISOR_ID": session, "CLAUDE_PROJECT_DIR": str(self.project)}

    def medians(self, commands: Sequence[Command], rounds: int) -> list[float]:
        """Return the median seconds of each command; the commands run in turns."""
        times: list[list[float]] = [[] for _ in commands]
        for turn in range(rounds + 2):
            for (argv, env), seconds in zip(commands, times, strict=True):
                start = time.perf_counter()
                self.run(argv, **env)
                if turn >= 2:  # the first two turns write byte code and install the hook
                    seconds.append(time.perf_counter() - start)
        return [statistics.median(seconds) for seconds in times]


def many(directory: Path, count: int) -> str:
    """Return a work directory with `count` supervised sessions, created once per run."""
    records = directory.parent / f"{count}-sessions" / "ccc"
    if not records.is_dir():
        records.mkdir(parents=True)
        for number in range(count):
            id = SESSION if number == count // 2 else f"{number:08x}-0000-4000-8000-000000000000"
            state = {
                "session_id": id,
                "enabled": True,
                "count": 2,
                "limit": 10,
                "provider": "kimi",
                "claude": "/usr/bin/claude",
                "pid": os.getpid(),
                "cwd": f"/home/somebody/code/project-{number}",
                "request": "make the tests pass and bring the README up to date",
                "outcome": "not_completed",
                "feedback": ["the README still names the old option " * 5],
                "cost_usd": 0.0123,
            }
            (records / f"supervisor-{id}.json").write_text(json.dumps(state, indent=2))
            for name in ("output", "verdicts"):
                (records / f"supervisor-{id}-{name}.jsonl").write_text("{}\n")
            with Lock((str(records),)) as lock:
                note_change(lock, str(records), id)
    return str(records.parent)
