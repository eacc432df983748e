"""The programs that a test's processes find: those on the PATH of whoever runs the tests."""

import functools
import os
import shutil
import sys
import tempfile

import pytest

from ccc.claude import sandbox

_directories: list[tempfile.TemporaryDirectory[str]] = []
"""Removed when the tests end."""


@functools.cache
def path_without(*missing: str) -> str:
    """A directory with every program but these, a `claude` and a `ccc` of the user's."""
    made = tempfile.TemporaryDirectory(prefix="ccc-programs-")
    _directories.append(made)
    for name, file in _programs().items():
        if name not in ("claude", "ccc", *missing):
            os.symlink(file, os.path.join(made.name, name))
    return made.name


@functools.cache
def _programs() -> dict[str, str]:
    """Every program on PATH, by its name; python3 is the one that runs the tests."""
    found: dict[str, str] = {}
    for directory in filter(os.path.isabs, os.environ["PATH"].split(os.pathsep)):
        if os.path.isdir(directory):
            for name in os.listdir(directory):
                found.setdefault(name, os.path.join(directory, name))
    return found | {"python3": os.path.realpath(sys.executable)}


def needs(program: str) -> None:
    """Skip the test where the program is missing."""
    if not shutil.which(program):
        _skip(f"{program} is not installed")


def needs_sandbox() -> None:
    """Skip the test where claude's sandbox can't run."""
    if sys.platform == "linux":
        for program in sandbox.NEEDS:
            needs(program)
    if not sandbox.runs(os.getcwd()):
        _skip("claude's sandbox can't run here: bwrap may not make namespaces")


def _skip(reason: str) -> None:
    """Skip the test; `make test-all` on CI counts that as a failure."""
    assert not os.environ.get("CCC_TESTS_MUST_NOT_SKIP"), reason
    pytest.skip(reason)
