"""Fixtures for the fault tests."""

import pytest
from homes import Home

from harness import CccProject


@pytest.fixture
def home(stubbed: CccProject) -> Home:
    """Return a home for repeated launches, with a claude that does nothing."""
    return Home(stubbed)
