"""What the tests of faults get on top."""

import pytest
from homes import Home

from harness import CccProject


@pytest.fixture
def home(stubbed: CccProject) -> Home:
    """A home for many launches, with a claude that does nothing."""
    return Home(stubbed)
