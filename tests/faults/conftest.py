"""Fixtures for the fault tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from homes import Home

from harness import CccProject
from harness.backlog import Backlog
from harness.postgres import Postgres


@pytest.fixture
def home(stubbed: CccProject) -> Home:
    """Return a home for repeated launches, with a claude that does nothing."""
    return Home(stubbed)


@pytest.fixture(params=["sqlite", "postgres"])
def backlog(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Backlog]:
    """Return a queue on each kind of database."""
    server = Postgres() if request.param == "postgres" else None
    made = Backlog(tmp_path, server.database() if server else "")
    try:
        yield made
    finally:
        made.close()
        if server:
            server.remove()
