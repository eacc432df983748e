"""The real claude: from claude-agent-sdk's wheel, or the one that CCC_TESTS_CLAUDE names."""

import functools
import os
import subprocess
from importlib.util import find_spec
from pathlib import Path


@functools.cache
def claude_binary() -> Path:
    """Return its path without importing the SDK."""
    if other := os.environ.get("CCC_TESTS_CLAUDE"):
        return Path(other)
    spec = find_spec("claude_agent_sdk")
    assert spec is not None, "claude-agent-sdk is not installed"
    assert spec.origin is not None
    binary = Path(spec.origin).parent / "_bundled" / "claude"
    assert os.access(binary, os.X_OK), f"{binary} is not executable"
    return binary


@functools.cache
def claude_version() -> str:
    """Return the output of `claude --version`."""
    done = subprocess.run(
        [claude_binary(), "--version"],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
        env={"PATH": os.defpath, "HOME": "/nonexistent", "DISABLE_AUTOUPDATER": "1"},
    )
    return done.stdout.strip()
