"""Shared by the tests of `ccc run` with the real client."""

import json
import subprocess
from dataclasses import dataclass
from typing import Any

from supervised import (
    FREELY,
    Record,
)

from ccc.claude import transcript_files
from harness import CccProject, Outcome

NEED = '{"code": "%code%", "completed": false, "feedback": "which colour?", "needs_user": true}'

QUICKLY = {"CLAUDE_CODE_MAX_RETRIES": "1"}


def run(project: CccProject, *words: str, **env: str) -> Outcome:
    """Run `ccc run` with an agent that may do everything."""
    return project.run("run", *words, "--", *FREELY, env={**QUICKLY, **env})


def report(outcome: Outcome) -> dict[str, Any]:
    """Return the object that `--json` prints."""
    (line,) = outcome.stdout.splitlines()
    value: dict[str, Any] = json.loads(line)
    return value


@dataclass
class Later:
    """A run in the background, so that the test can interfere."""

    project: CccProject
    process: "subprocess.Popen[str]"

    def end(self, number: int) -> tuple[int, str, str]:
        """Send a signal and return exit code, stdout and stderr."""
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=60)
        return self.process.returncode, out, err


def later(project: CccProject, *words: str) -> Later:
    """Start `ccc run` without waiting for it."""
    process = subprocess.Popen(
        [project.ccc, "run", *words, "--", *FREELY],
        cwd=project.directory,
        env={**project.env, **QUICKLY},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    return Later(project, process)


def state(project: CccProject) -> dict[str, Any]:
    """Return the run in the session's state."""
    value: dict[str, Any] = Record(project).state["run"]
    return value


def heard(project: CccProject) -> list[str]:
    """Return the prompts of the agent's own transcript."""
    session = Record(project).state["session_id"]
    return transcript_files.read(transcript_files.find(str(project.claude_dir), session)).requests
