"""The end of an unattended run's agent, in a process of its own."""

import subprocess
import sys
from pathlib import Path

import pytest

# A task that is left at the end of the process and, like one of the SDK's, fails as it is ended.
LEFT = """
import asyncio, gc, time
from ccc.claude.agent import Agent, Ears
from ccc.domain.metering import Meter

def nothing(*_):
    return None

async def stays():
    try:
        await asyncio.get_running_loop().create_future()
    except BaseException:
        raise RuntimeError("no loop any more")

agent = Agent(nothing, "s", "", "", Ears(*[nothing] * 5), nothing, nothing, Meter(nothing))
agent._submit(stays())
time.sleep(0.2)
agent.close()
time.sleep(0.2)
gc.collect()
"""


def test_what_the_sdk_leaves_is_not_told() -> None:
    """The last thing on the screen is ours, however suddenly it ends."""
    assert ended(LEFT) == ""


def test_other_errors_are_told() -> None:
    """An error in a destructor is nobody else's to tell."""
    text = LEFT + "class Bad:\n    def __del__(self):\n        raise ValueError('bad')\nBad()\n"
    told = ended(text)
    assert "ValueError: bad" in told
    assert "no loop any more" not in told


GUARDED = """
import os, time
from ccc.claude import process
from ccc.claude.plan import Plan

def line(pid):
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return file.read().split(b"\\0")
    except OSError:
        return []

process.open_lifeline()
env = {"PATH": os.environ["PATH"], "HOME": "/", "ANTHROPIC_AUTH_TOKEN": "secret-one-0123456789"}
child = process.start(Plan(("/bin/sleep", "30"), env, "/"), os.open(os.devnull, os.O_WRONLY))
own = str(child.pid).encode()
found = []
until = time.monotonic() + 20
while not found and time.monotonic() < until:
    pids = [name for name in os.listdir("/proc") if name.isdigit()]
    found = [p for p in pids if line(p)[:1] == [b"/bin/sh"] and own in line(p)]
held = [open(f"/proc/{pid}/environ").read() for pid in found]
process.end(child)
assert len(held) == 1, held
assert "secret" not in held[0], held
"""


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="nobody can say: no /proc")
def test_the_guard_holds_no_key() -> None:
    """Whoever ends the children of a killed ccc needs no key for that, and has none."""
    assert ended(GUARDED) == ""


def ended(text: str) -> str:
    """What a Python says that runs this to its good end."""
    command = [sys.executable, "-P", "-c", text]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    return done.stderr
