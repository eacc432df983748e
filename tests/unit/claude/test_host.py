"""Which claude runs a process."""

import os
import sys

import pytest

from ccc.claude import host
from ccc.claude.formats import environment

HIDDEN = 4_194_305
"""Above the largest pid: its initial environment can't be read, as on macOS."""


@pytest.mark.parametrize(
    ("environ", "launched"),
    [
        ({environment.LAUNCHER: str(HIDDEN)}, True),
        ({environment.LAUNCHER: str(os.getpid())}, False),
        ({environment.LAUNCHER: "x"}, False),
        ({}, False),
    ],
)
def test_launched_if_its_start_is_hidden(environ: dict[str, str], launched: bool) -> None:
    """Then the hook's own environment tells; a launch that only passed it on doesn't count."""
    assert host.was_launched(HIDDEN, environ) is launched


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_launched_if_its_start_is_known() -> None:
    """The initial environment wins over the hook's, which a project's settings can change."""
    own = os.getpid()
    assert host.was_launched(own, {environment.LAUNCHER: str(own)}) is False


def test_the_agent_of_a_run() -> None:
    """A hook of the agent of `ccc run` has the run's pid, and no session."""
    run = {"CCC_LAUNCHER_PID": str(os.getpid())}
    assert host.is_agent_of_run({**run, "CLAUDE_PID": str(os.getpid())})
    assert not host.is_agent_of_run({**run, "CCC_SUPERVISOR_ID": "s"})
    assert not host.is_agent_of_run({"CLAUDE_PID": str(os.getpid())})
    # another claude, which the agent started
    assert not host.is_agent_of_run({**run, "CLAUDE_PID": "1"})
