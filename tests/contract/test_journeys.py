"""A stop, a launch and a run pass through few modules."""

import subprocess
import sys
from pathlib import Path

import pytest
from stops import Supervised

import ccc
from ccc.claude import known_claudes
from ccc.claude.capabilities import Answers
from ccc.storage.paths import Paths

TOOLS = ("words", "text/", "system/", "storage/", "config/", "claude/formats/")
SOURCE = Path(ccc.__file__).parent

# Records each module of ccc at the first call of one of its functions. Imports don't count.
_TRACE = """
import os, sys, threading

source, out = sys.argv.pop(1), sys.argv.pop(1)
modules = []

def is_import(frame):
    while frame:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False

def note(frame, event, _):
    if event != "call" or not frame.f_code.co_filename.startswith(source):
        return
    name = frame.f_code.co_filename[len(source) + 1 : -3]
    # CO_OPTIMIZED is missing where the body of a module or a class runs
    if name not in modules and frame.f_code.co_flags & 1 and not is_import(frame):
        modules.append(name)

def ended(end):
    def call(*arguments):
        sys.setprofile(None)
        with open(out, "w") as file:
            file.write(" ".join(modules))
        return end(*arguments)
    return call

os._exit, os.execve = ended(os._exit), ended(os.execve)
from ccc import cli
threading.setprofile(note)
sys.setprofile(note)
code = cli.main()
os._exit(code)
"""

JOURNEYS = {
    "stop": ["supervisor-hook"],
    "launch": ["kimi", "-p", "hi"],
    "run": ["run", "--check", "true", "do it"],
}


def _trace(journey: str, supervised: Supervised) -> list[str]:
    project, out = supervised.project, supervised.project.root / "modules"
    env = project.env
    if journey != "stop":
        env = {name: env[name] for name in env if name not in ("CCC_SUPERVISOR_ID", "CLAUDECODE")}
    command = [sys.executable, "-P", "-c", _TRACE, str(SOURCE), str(out), *JOURNEYS[journey]]
    ended = subprocess.run(
        command,
        input=supervised.event(last_assistant_message="done") if journey == "stop" else "",
        cwd=project.directory,
        env=env,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    return [name.removesuffix("/__init__") for name in out.read_text().split()]


MOST_MODULES = {"stop": 39, "launch": 13, "run": 58}
"""How many modules a journey may pass through, besides tools."""


@pytest.mark.parametrize("journey", JOURNEYS)
def test_a_journey_is_short(journey: str, supervised: Supervised) -> None:
    """Few modules besides tools have a function that the journey calls."""
    supervised.configure(checks=["true"])
    supervised.set_state()
    paths = Paths({"CLAUDE_CONFIG_DIR": str(supervised.project.claude_dir)})
    known_claudes.save(paths, str(supervised.project.bin / "claude"), Answers("2.1.325"))
    own = [name for name in _trace(journey, supervised) if not name.startswith(TOOLS)]
    assert len(own) <= MOST_MODULES[journey], own


def test_the_traced_stop_is_judged(supervised: Supervised) -> None:
    """The trace of a stop is that of a review with a verdict."""
    supervised.configure(checks=["true"])
    _trace("stop", supervised)
    assert supervised.verdicts[0]["completed"] is True
