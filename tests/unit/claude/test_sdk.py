"""The client library without the MCP classes, and with them if it can't do without."""

import subprocess
import sys

TRIMMED = """
import sys
from ccc.claude import sdk
library = sdk.load()
assert library.ClaudeSDKClient and sdk.load() is library
assert "pydantic" not in sys.modules, "most of the time is back"
assert not [name for name in sys.modules if name.partition(".")[0] == "mcp"]
import mcp.types
assert mcp.types.Tool.__module__.startswith("mcp")
"""
WHOLE = """
import sys
from ccc.claude import sdk
class Broken(sdk.Stub):
    def __getattr__(self, name):
        return 1 / 0
library = sdk.load(Broken)
assert library.ClaudeSDKClient
assert "mcp.types" in sys.modules
"""
THERE = """
import mcp.types
from ccc.claude import sdk
assert sdk.load().Tool is mcp.types.Tool if hasattr(sdk.load(), "Tool") else True
assert mcp.types.Tool.__module__.startswith("mcp")
"""


def run(program: str) -> None:
    """Run the code in a fresh interpreter."""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr


def test_without_what_is_not_used() -> None:
    """Nothing of MCP is imported, and a later import gets the real one."""
    run(TRIMMED)


def test_a_library_that_will_not_have_it() -> None:
    """If the trimmed import fails, the normal one is used."""
    run(WHOLE)


def test_mcp_is_there_already() -> None:
    """An MCP that is already imported stays unchanged."""
    run(THERE)
