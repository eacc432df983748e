"""What the tests of `ccc run` on the real client share."""

import json
import subprocess
from dataclasses import dataclass
from typing import Any

from supervised import (
    FREELY,
    Record,
)

from ccc.claude import transcripts
from harness import CccProject, Outcome

NEED = '{"code": "%code%", "completed": false, "feedback": "which colour?", "needs_user": true}'

QUICKLY = {"CLAUDE_CODE_MAX_RETRIES": "1"}


def run(project: CccProject, *words: str, **env: str) -> Outcome:
    """`ccc run` with an agent that may do everything."""
    return project.run("run", *words, "--", *FREELY, env={**QUICKLY, **env})


def report(outcome: Outcome) -> dict[str, Any]:
    """The one object that `--json` prints."""
    (line,) = outcome.stdout.splitlines()
    found: dict[str, Any] = json.loads(line)
    return found


@dataclass
class Later:
    """A run in the background, so that the test can get in its way."""

    project: CccProject
    process: "subprocess.Popen[str]"

    def end(self, number: int) -> tuple[int, str, str]:
        """Send a signal; exit code, stdout and stderr."""
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=60)
        return self.process.returncode, out, err


def later(project: CccProject, *words: str) -> Later:
    """Start `ccc run` and don't wait."""
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
    """The run in the session's state."""
    found: dict[str, Any] = Record(project).state["run"]
    return found


def heard(project: CccProject) -> list[str]:
    """What the agent was told, by its own transcript."""
    session = Record(project).state["session_id"]
    return transcripts.read(transcripts.find(str(project.claude_dir), session)).requests
