"""What the tests of the configuration share."""

import os
from collections.abc import Iterator

import pytest

from ccc import words


@pytest.fixture(autouse=True)
def _language_as_before() -> Iterator[None]:
    """The language that a test chose does not reach the next one."""
    yield
    words.use(os.environ)
