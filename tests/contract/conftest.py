"""Fixtures shared by the contract tests."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from looking import DONE, QUIET, SENT_BACK
from stops import Supervised

from ccc.backlog import database
from ccc.backlog.database import Database
from ccc.storage.paths import Paths
from harness import CccProject
from harness.page import Browser, PageServer
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


@pytest.fixture
def server(stubbed: CccProject, three_sessions: Records) -> Iterator[PageServer]:
    """The page of a user with three sessions."""
    with PageServer(stubbed) as running:
        yield running


@pytest.fixture
def visitor(server: PageServer) -> Browser:
    """A browser that was let in."""
    return server.browser()


@pytest.fixture
def queue(stubbed: CccProject) -> Iterator[Database]:
    """The user's queue."""
    where = Paths(stubbed.env | {"CLAUDE_CONFIG_DIR": str(stubbed.claude_dir)})
    opened = database.connect(where, {})
    yield opened
    opened.close()
