"""Fixtures shared by the contract tests."""

import time
from pathlib import Path

import pytest
from looking import DONE, QUIET, SENT_BACK
from stops import Supervised

from harness import CccProject
from harness.records import Records, story


@pytest.fixture
def supervised(tmp_path: Path) -> Supervised:
    """A supervised session whose reviewer says yes."""
    return Supervised(CccProject(tmp_path / "bench", stub=True))


@pytest.fixture
def outside(supervised: Supervised) -> None:
    """Start ccc outside of any session."""
    for name in ("CCC_SUPERVISOR_ID", "CLAUDECODE"):
        del supervised.project.env[name]


@pytest.fixture
def records(stubbed: CccProject) -> Records:
    """The records of a user's sessions, in a fixed time zone."""
    stubbed.env["TZ"] = "UTC"
    return Records(stubbed.claude_dir / "ccc")


@pytest.fixture
def three_sessions(stubbed: CccProject, records: Records) -> Records:
    """Three sessions: one completed, one sent back, one switched off."""
    records.add(QUIET, [], time.time() - 200, enabled=False, count=0, outcome="", request="")
    records.add(SENT_BACK, story()[:3], time.time() - 100, count=3, outcome="not_completed")
    records.add(DONE, None, time.time() - 5)
    return records
