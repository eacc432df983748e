"""A scratch home with a project, and ways to run ccc in it."""

import itertools
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.binary import claude_binary
from harness.outcome import Outcome
from harness.programs import path_without
from harness.scripted import ScriptedModel
from harness.terminal import Terminal

KEY = "sk-canary-Hq7Zt2Vw9Xk4Rn8Lm3Pd6Jc5"
MODEL = "kimi-k2.7-code"

# Everything except loopback ends at a closed port.
_NO_ROUTE = {
    "HTTP_PROXY": "http://127.0.0.1:9",
    "HTTPS_PROXY": "http://127.0.0.1:9",
    "NO_PROXY": "127.0.0.1,localhost",
}
_QUIET = {
    "DISABLE_TELEMETRY": "1",
    "DISABLE_AUTOUPDATER": "1",
    "DISABLE_ERROR_REPORTING": "1",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "IS_SANDBOX": "1",
    # a test that wants a claude tested beside a launch says so
    "CCC_SELFTEST": "off",
}
_RECORDER = """#!{python} -I
import json, os, sys
with open({record!r}, "a") as file:
    json.dump({{"argv": sys.argv[1:], "env": dict(os.environ), "cwd": os.getcwd()}}, file)
    file.write("\\n")
"""


@dataclass(frozen=True)
class Launch:
    """The arguments, environment and directory of one start of the recording claude."""

    argv: list[str]
    env: dict[str, str]
    cwd: str


class CccProject:
    """The machine of a new user: home, claude's directory, a project, claude on PATH.

    With `stub=True`, the claude on PATH only records its launches.
    """

    def __init__(
        self, root: Path, model: ScriptedModel | None = None, *, stub: bool = False
    ) -> None:
        self.root = root
        self.model = model
        self.home = root / "home"
        self.claude_dir = self.home / ".claude"
        self.directory = root / "project"
        self.bin = root / "bin"
        self._record = root / "launches.jsonl"
        self._terminals = itertools.count(1)
        self.shown: list[tuple[str, str]] = []
        """Command lines of ccc and their output."""
        self.terminals: list[Terminal] = []
        for path in (self.claude_dir, self.directory, self.bin):
            path.mkdir(parents=True)
        current.append(self)
        self._answer_first_questions()
        if stub:
            self._put_recorder()
        else:
            (self.bin / "claude").symlink_to(claude_binary())
        self.env = {
            "PATH": f"{self.bin}:{path_without()}",
            "HOME": str(self.home),
            "TERM": "xterm-256color",
            "LANG": "en_US.UTF-8",
            **_NO_ROUTE,
            **_QUIET,
            **_coverage(),
        }
        self.configure()

    @property
    def ccc(self) -> str:
        """Return the path of the installed console script."""
        return str(Path(sys.executable).parent / "ccc")

    def provider(self, **env: object) -> dict[str, Any]:
        """Return a provider that points to the scripted model."""
        url = self.model.url if self.model else "http://127.0.0.1:9"
        return {
            "env": {
                "ANTHROPIC_BASE_URL": url,
                "ANTHROPIC_AUTH_TOKEN": KEY,
                "ANTHROPIC_MODEL": MODEL,
                "ANTHROPIC_DEFAULT_HAIKU_MODEL": MODEL,
                **env,
            }
        }

    def configure(self, **config: object) -> None:
        """Write ccc.json; without arguments it has one provider, kimi."""
        # this answers the question that `ccc run` would ask
        run = {"permissions": "edit"}
        content = {"providers": {"kimi": self.provider()}, "run": run, **config}
        self.write(".claude/ccc.json", json.dumps(content, indent=2, ensure_ascii=False) + "\n")

    def write(self, name: str, text: str) -> Path:
        """Write a file below the home."""
        path = self.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
        return path

    def read(self, name: str) -> str:
        """Return the text of a file below the home."""
        return (self.home / name).read_bytes().decode()

    def json(self, name: str) -> Any:
        """Return the content of a JSON file below the home."""
        return json.loads(self.read(name))

    def run(
        self,
        *arguments: str,
        env: Mapping[str, str | None] | None = None,
        stdin: str = "",
        timeout: float = 120,
        program: str = "",
    ) -> Outcome:
        """Run ccc or another program in the project; None unsets a variable."""
        argv = (program or self.ccc, *arguments)
        start = time.monotonic()
        done = subprocess.run(
            argv,
            cwd=self.directory,
            env=self._environment(env),
            input=stdin.encode(),
            capture_output=True,
            timeout=timeout,
            check=False,
        )
        outcome = Outcome(
            argv=argv,
            code=done.returncode,
            stdout=done.stdout.decode(errors="replace"),
            stderr=done.stderr.decode(errors="replace"),
            seconds=time.monotonic() - start,
            model=self.model,
            files=self._logs(),
        )
        if not program:
            self.shown.append((" ".join(argv), outcome.stdout + outcome.stderr))
        return outcome

    def interactive(
        self,
        *arguments: str,
        env: Mapping[str, str | None] | None = None,
        program: str = "",
        width: int = 110,
        height: int = 45,
    ) -> Terminal:
        """Run ccc or another program in a terminal."""
        terminal = Terminal(
            [program or self.ccc, *arguments],
            cwd=self.directory,
            env=self._environment(env),
            # a socket per terminal: a server that is shutting down would disconnect the next client
            socket=self.root / f"tmux-{next(self._terminals)}",
            width=width,
            height=height,
        )
        self.terminals.append(terminal)
        return terminal

    @property
    def launches(self) -> list[Launch]:
        """Return every launch of the recording claude."""
        if not self._record.exists():
            return []
        return [Launch(**json.loads(line)) for line in self._record.read_text().splitlines()]

    @property
    def launched(self) -> Launch:
        """Return the only launch of the recording claude."""
        (launch,) = self.launches
        return launch

    def _environment(self, env: Mapping[str, str | None] | None) -> dict[str, str]:
        merged = {**self.env, **(env or {})}
        return {name: value for name, value in merged.items() if value is not None}

    def _answer_first_questions(self) -> None:
        answers = {
            "hasCompletedOnboarding": True,
            "theme": "dark",
            "projects": {str(self.directory): {"hasTrustDialogAccepted": True}},
        }
        (self.home / ".claude.json").write_text(json.dumps(answers))

    def _put_recorder(self) -> None:
        claude = self.bin / "claude"
        claude.write_text(_RECORDER.format(python=sys.executable, record=str(self._record)))
        claude.chmod(0o755)

    def _logs(self) -> dict[str, str]:
        paths = sorted((self.claude_dir / "ccc").glob("*.log"))
        return {path.name: path.read_text(errors="replace") for path in paths}


def _coverage() -> dict[str, str]:
    """Return the variable that measures subprocesses under `make coverage`."""
    name = "COVERAGE_PROCESS_CONFIG"
    return {name: os.environ[name]} if name in os.environ else {}


Bench = Callable[..., CccProject]
current: list[CccProject] = []
"""The projects of the current test."""
