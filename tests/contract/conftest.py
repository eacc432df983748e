"""What the contract tests get on top."""

from pathlib import Path

import pytest
from stops import Supervised

from harness import CccProject


@pytest.fixture
def supervised(tmp_path: Path) -> Supervised:
    """A supervised session whose reviewer says yes."""
    return Supervised(CccProject(tmp_path / "bench", stub=True))


@pytest.fixture
def outside(supervised: Supervised) -> None:
    """Start ccc outside of any session."""
    for name in ("CCC_SUPERVISOR_ID", "CLAUDECODE"):
        del supervised.project.env[name]
