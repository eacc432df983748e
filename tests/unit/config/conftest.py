"""Fixtures shared by the configuration tests."""

import os
from collections.abc import Iterator

import pytest

from ccc import words


@pytest.fixture(autouse=True)
def _language_as_before() -> Iterator[None]:
    """Reset the language after each test."""
    yield
    words.use(os.environ)
