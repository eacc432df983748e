"""The supervision rules have full branch coverage by their own unit tests."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MODULES = ("model/outcome", "supervision/policy", "claude/turn", "supervision/verdict")
TESTS = (
    *("model/test_outcome.py", "supervision/test_policy.py", "claude/test_turn.py"),
    *("supervision/test_repeated_verdict.py", "supervision/test_verdict.py"),
)


@pytest.mark.thorough
def test_every_branch_is_passed_through(tmp_path: Path) -> None:
    """The unit tests of the rules alone cover every line and branch."""
    data, report = str(tmp_path / "data"), tmp_path / "report.json"
    # the child must not use the settings of a coverage run that measures this process
    env = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}
    options = ("-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--hypothesis-profile=few")
    tests = (
        "-k",
        "not bounded_time",
        *(str(ROOT / "tests" / "unit" / name) for name in TESTS),
    )

    def coverage(*arguments: str) -> None:
        command = [sys.executable, "-m", "coverage", *arguments]
        done = subprocess.run(
            command,
            env=env,
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr

    own = ("--rcfile=", f"--data-file={data}")
    measured = ("run", *own, "--branch", "--source=ccc.model,ccc.claude,ccc.supervision")
    coverage(*measured, "-m", "pytest", *options, *tests)
    include = ",".join(f"*/ccc/{name}.py" for name in MODULES)
    coverage("json", *own, f"--include={include}", "-o", str(report))
    files = json.loads(report.read_text())["files"]
    missing = {
        name.partition("ccc/")[2][:-3]: (file["missing_lines"], file["missing_branches"])
        for name, file in files.items()
    }
    assert missing == {name: ([], []) for name in MODULES}
