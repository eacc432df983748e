"""The test harness: a scratch home and project for ccc and the real claude."""

from harness.binary import claude_binary, claude_version
from harness.golden import check_golden
from harness.outcome import Outcome
from harness.project import KEY, MODEL, Bench, CccProject, Launch
from harness.terminal import Terminal
from harness.words import catalogue

__all__ = [
    "KEY",
    "MODEL",
    "Bench",
    "CccProject",
    "Launch",
    "Outcome",
    "Terminal",
    "catalogue",
    "check_golden",
    "claude_binary",
    "claude_version",
]
