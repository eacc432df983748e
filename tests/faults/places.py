"""Run ccc in its own mount namespace: with a small disk, or with read-only directories."""

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType

from harness import CccProject, Outcome
from harness.programs import needs

SECONDS = 90

# Runs the requested commands inside the namespace, one JSON line each.
_INSIDE = """
import json, os, subprocess, sys
print(os.getpid(), flush=True)
for line in sys.stdin:
    request = json.loads(line)
    done = subprocess.run(request["argv"], cwd=request["cwd"], env=request["env"],
                          input=request["stdin"].encode(), capture_output=True, timeout=80)
    result = {"code": done.returncode, "stdout": done.stdout.decode(errors="replace"),
              "stderr": done.stderr.decode(errors="replace")}
    print(json.dumps(result), flush=True)
"""
_SERVER = (sys.executable, "-I", "-c", _INSIDE)


class Place:
    """Mounts that only its programs see; file modes alone wouldn't stop root."""

    def __init__(self, project: CccProject, *mounts: str) -> None:
        needs("bwrap")
        self.project = project
        self._process = subprocess.Popen(
            # it ends when the tests are killed
            ["bwrap", "--die-with-parent", "--dev-bind", "/", "/", *mounts, *_SERVER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        self._root = Path(f"/proc/{int(self._process.stdout.readline())}/root")

    def __enter__(self) -> "Place":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.communicate(timeout=SECONDS)

    def path(self, path: Path) -> Path:
        """Return the outside path of a file in the place."""
        return self._root / str(path).lstrip("/")

    def run(
        self,
        *words: str,
        stdin: str = "",
        env: Mapping[str, str | None] | None = None,
        cwd: Path | None = None,
        program: str = "",
    ) -> Outcome:
        """Run ccc or another program in the place; None unsets a variable."""
        merged = {**self.project.env, **(env or {})}
        argv = (program or self.project.ccc, *words)
        request = {
            "argv": argv,
            "env": {name: value for name, value in merged.items() if value is not None},
            "stdin": stdin,
            "cwd": str(cwd or self.project.directory),
        }
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        result = json.loads(self._process.stdout.readline())
        return Outcome(argv=argv, seconds=0.0, **result)


def check_outcome(outcome: Outcome, *, codes: Sequence[int] = (0, 1)) -> Outcome:
    """Check that the outcome shows no crash of ccc and an allowed code, and return it."""
    for text in (outcome.stdout, outcome.stderr):
        assert "Traceback" not in text, outcome
        assert "internal error (" not in text, outcome
    assert outcome.code in codes, outcome
    return outcome
