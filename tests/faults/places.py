"""A place of its own for ccc: a small disk, or directories that can't be written."""

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType

from harness import CccProject, Outcome
from harness.programs import needs

SECONDS = 90

# Runs what it is asked for inside the place, one JSON line each.
_INSIDE = """
import json, os, subprocess, sys
print(os.getpid(), flush=True)
for line in sys.stdin:
    ask = json.loads(line)
    done = subprocess.run(ask["argv"], cwd=ask["cwd"], env=ask["env"], input=ask["stdin"].encode(),
                          capture_output=True, timeout=80)
    said = {"code": done.returncode, "stdout": done.stdout.decode(errors="replace"),
            "stderr": done.stderr.decode(errors="replace")}
    print(json.dumps(said), flush=True)
"""
_SERVER = (sys.executable, "-I", "-c", _INSIDE)


class Place:
    """Mounts that only the programs in here see; modes alone would not hold back root."""

    def __init__(self, project: CccProject, *mounts: str) -> None:
        needs("bwrap")
        self.project = project
        self._process = subprocess.Popen(
            # a death of the tests is its death too
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
        """Where a file of the place is, seen from outside."""
        return self._root / str(path).lstrip("/")

    def run(
        self,
        *words: str,
        stdin: str = "",
        env: Mapping[str, str | None] | None = None,
        cwd: Path | None = None,
        program: str = "",
    ) -> Outcome:
        """Run ccc (or another program) in the place; None unsets a variable."""
        merged = {**self.project.env, **(env or {})}
        argv = (program or self.project.ccc, *words)
        ask = {
            "argv": argv,
            "env": {name: value for name, value in merged.items() if value is not None},
            "stdin": stdin,
            "cwd": str(cwd or self.project.directory),
        }
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(ask) + "\n")
        self._process.stdin.flush()
        said = json.loads(self._process.stdout.readline())
        return Outcome(argv=argv, seconds=0.0, **said)


def told(outcome: Outcome, *, codes: Sequence[int] = (0, 1)) -> Outcome:
    """The same, where no bug of ours was to be seen."""
    for text in (outcome.stdout, outcome.stderr):
        assert "Traceback" not in text, outcome
        assert "internal error (" not in text, outcome
    assert outcome.code in codes, outcome
    return outcome
