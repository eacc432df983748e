"""The test bench: a scratch home and project in which ccc and the real claude are run."""

from harness.binary import claude_binary, claude_version
from harness.outcome import Outcome
from harness.project import KEY, MODEL, Bench, CccProject, Launch
from harness.terminal import Terminal

__all__ = [
    "KEY",
    "MODEL",
    "Bench",
    "CccProject",
    "Launch",
    "Outcome",
    "Terminal",
    "claude_binary",
    "claude_version",
]
