"""A scratch home, a project in it, and ccc run there."""

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

from ccc.scripted import ScriptedModel
from harness.binary import claude_binary
from harness.outcome import Outcome
from harness.programs import path_without
from harness.terminal import Terminal

KEY = "sk-canary-Hq7Zt2Vw9Xk4Rn8Lm3Pd6Jc5"
MODEL = "kimi-k2.7-code"

# Anything that is not loopback runs into a closed port.
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
}
_RECORDER = """#!{python} -I
import json, os, sys
with open({record!r}, "a") as file:
    json.dump({{"argv": sys.argv[1:], "env": dict(os.environ), "cwd": os.getcwd()}}, file)
    file.write("\\n")
"""


@dataclass(frozen=True)
class Launch:
    """What a recording stand-in for claude was started with."""

    argv: list[str]
    env: dict[str, str]
    cwd: str


class CccProject:
    """A new user's machine: home, claude's directory, a project, claude on PATH.

    With `stub=True` the claude on PATH only records how it was started.
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
        """What ccc has printed, with the command line."""
        self.terminals: list[Terminal] = []
        for path in (self.claude_dir, self.directory, self.bin):
            path.mkdir(parents=True)
        made.append(self)
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
            **_measured(),
        }
        self.configure()

    @property
    def ccc(self) -> str:
        """The installed console script."""
        return str(Path(sys.executable).parent / "ccc")

    def provider(self, **env: object) -> dict[str, Any]:
        """A provider that is the scripted model."""
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
        """Write ccc.json; without arguments one provider, kimi."""
        # who has answered the question of `ccc run` is not asked again
        chosen = {"permissions": "edit"}
        content = {"providers": {"kimi": self.provider()}, "run": chosen, **config}
        self.write(".claude/ccc.json", json.dumps(content, indent=2, ensure_ascii=False) + "\n")

    def write(self, name: str, text: str) -> Path:
        """Write a file below the home."""
        path = self.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
        return path

    def read(self, name: str) -> str:
        """The text of a file below the home."""
        return (self.home / name).read_bytes().decode()

    def json(self, name: str) -> Any:
        """The value in a JSON file below the home."""
        return json.loads(self.read(name))

    def run(
        self,
        *arguments: str,
        env: Mapping[str, str | None] | None = None,
        stdin: str = "",
        timeout: float = 120,
        program: str = "",
    ) -> Outcome:
        """Run ccc (or another program) in the project, as a user would; None unsets a variable."""
        argv = (program or self.ccc, *arguments)
        begun = time.monotonic()
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
            seconds=time.monotonic() - begun,
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
    ) -> Terminal:
        """The same in a terminal."""
        # a server that is only just ending must not get the next one's session
        terminal = Terminal(
            [program or self.ccc, *arguments],
            cwd=self.directory,
            env=self._environment(env),
            # one each: a server that is ending would take the next client down with it
            socket=self.root / f"tmux-{next(self._terminals)}",
            width=width,
        )
        self.terminals.append(terminal)
        return terminal

    @property
    def launches(self) -> list[Launch]:
        """How the recording claude was started, each time."""
        if not self._record.exists():
            return []
        return [Launch(**json.loads(line)) for line in self._record.read_text().splitlines()]

    @property
    def launched(self) -> Launch:
        """How the recording claude was started, the one time."""
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
        found = sorted((self.claude_dir / "ccc").glob("*.log"))
        return {path.name: path.read_text(errors="replace") for path in found}


def _measured() -> dict[str, str]:
    """What `make coverage` tells the processes that are started."""
    name = "COVERAGE_PROCESS_CONFIG"
    return {name: os.environ[name]} if name in os.environ else {}


Bench = Callable[..., CccProject]
made: list[CccProject] = []
"""The projects of the test that runs."""
