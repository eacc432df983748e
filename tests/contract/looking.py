"""Shared by the tests of the commands that show sessions."""

import json
import os
import time
from typing import Any

import pytest

from harness import CccProject

DONE = "1a2b3c4d-0000-4000-8000-000000000001"
SENT_BACK = "1a2b3c4d-1111-4000-8000-000000000002"
QUIET = "77777777-2222-4000-8000-000000000003"
EVIL = "<script>alert(1)</script>\x1b]52;c;ZXZpbA==\x07\x1b]0;title\x07<img src=x onerror=y>"
LANGUAGES = pytest.mark.parametrize("language", ["en", "zh"])


def at_work(phase: str = "reviewing", check: str = "", **more: Any) -> dict[str, Any]:
    """Return a stop in progress whose process is the one that runs the tests."""
    stop = {"phase": phase, "check": check, "since": time.time(), "begun": 5.0, "pid": os.getpid()}
    return {"pid": os.getpid(), "claude": "/x/py", "stop": {**stop, "receipts": [], **more}}


def read_status(project: CccProject, *arguments: str) -> list[dict[str, Any]]:
    """Return the sessions that `ccc status` lists."""
    done = project.run("status", "--json", *arguments, env={"CCC_SUPERVISOR_ID": None})
    found: list[dict[str, Any]] = json.loads(done.succeeded().stdout)["sessions"]
    return found
