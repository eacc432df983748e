"""Run the tests of claude's own behaviour against another version."""

import os
import re
import subprocess
import sys
from pathlib import Path

_ROOT = Path(__file__).parent.parent
_FAILED = re.compile(r"^(?:FAILED|ERROR) \S+?::(\S+)", re.MULTILINE)


def failures(claude: Path) -> list[str]:
    """Return the names of the facts that don't hold for that claude."""
    tests = sorted(map(str, _ROOT.glob("tests/e2e/test_facts_*.py")))
    command = [sys.executable, "-m", "pytest", "-q", "-n", "2", "-rfE", "--tb=no", *tests]
    env = {**os.environ, "CCC_TESTS_CLAUDE": str(claude)}
    done = subprocess.run(command, cwd=_ROOT, env=env, stdout=subprocess.PIPE, text=True)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"pytest ended with {done.returncode}: {done.stdout[-2000:]}")
    return _FAILED.findall(done.stdout)
