"""What the contract tests get on top."""

from pathlib import Path

import pytest

from harness import CccProject
from stops import Supervised


@pytest.fixture
def supervised(tmp_path: Path) -> Supervised:
    """A supervised session whose reviewer says yes."""
    return Supervised(CccProject(tmp_path / "bench", stub=True))
