"""The programs on the PATH of the tests' processes."""

import functools
import os
import shutil
import sys
import tempfile
from pathlib import Path

import pytest

from ccc.claude import sandbox

_directories: list[tempfile.TemporaryDirectory[str]] = []
"""Temporary directories, removed when the tests end."""


@functools.cache
def path_without(*missing: str) -> str:
    """Return a directory with every program on PATH except `claude`, `ccc` and the missing ones."""
    directory = tempfile.TemporaryDirectory(prefix="ccc-programs-")
    _directories.append(directory)
    for name, file in _programs().items():
        if name not in ("claude", "ccc", *missing):
            os.symlink(file, os.path.join(directory.name, name))
    return directory.name


@functools.cache
def _programs() -> dict[str, str]:
    """Map every program on PATH to its file; python3 is the interpreter of the tests."""
    programs: dict[str, str] = {}
    for directory in filter(os.path.isabs, os.environ["PATH"].split(os.pathsep)):
        if os.path.isdir(directory):
            for name in os.listdir(directory):
                programs.setdefault(name, os.path.join(directory, name))
    return programs | {"python3": os.path.realpath(sys.executable)}


def needs(program: str) -> None:
    """Skip the test if the program is not installed."""
    if not shutil.which(program):
        _skip(f"{program} is not installed")


def needs_file(path: Path, command: str) -> None:
    """Skip the test if a file is missing that a command fetches."""
    if not path.exists():
        _skip(f"{path.name} is missing: {command}")


def needs_sandbox() -> None:
    """Skip the test if claude's sandbox can't run here."""
    if sys.platform == "linux":
        for program in sandbox.NEEDS:
            needs(program)
    if not sandbox.runs(os.getcwd()):
        _skip("claude's sandbox can't run here: bwrap can't create namespaces")


def _skip(reason: str) -> None:
    """Skip the test, or fail it if CCC_TESTS_MUST_NOT_SKIP is set, as in CI."""
    assert not os.environ.get("CCC_TESTS_MUST_NOT_SKIP"), reason
    pytest.skip(reason)
