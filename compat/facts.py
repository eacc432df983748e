"""Run the tests of claude's own behaviour against another version."""

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

_ROOT = Path(__file__).parent.parent
_FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+?::.*?)(?: - .*)?$", re.MULTILINE)
_FEW = 20


def failures(claude: Path) -> list[str]:
    """Return the names of the facts that don't hold for that claude.

    A few that fail are tried again, because a busy machine lets a test fail now and then.
    """
    tests = sorted(map(str, _ROOT.glob("tests/e2e/test_facts_*.py")))
    failed = _failed(claude, tests)
    if 0 < len(failed) <= _FEW:
        failed = _failed(claude, failed)
    return [test.partition("::")[2] for test in failed]


def _failed(claude: Path, tests: Sequence[str]) -> list[str]:
    command = [sys.executable, "-m", "pytest", "-q", "-n", "2", "-rfE", "--tb=no", *tests]
    env = {**os.environ, "CCC_TESTS_CLAUDE": str(claude)}
    done = subprocess.run(command, cwd=_ROOT, env=env, stdout=subprocess.PIPE, text=True)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"pytest ended with {done.returncode}: {done.stdout[-2000:]}")
    return failed_tests(done.stdout)


def failed_tests(summary: str) -> list[str]:
    """Return the tests that failed, each once, according to pytest's summary."""
    return list(dict.fromkeys(_FAILED.findall(summary)))
