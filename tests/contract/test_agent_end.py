"""The end of an unattended run's agent, in a process of its own."""

import subprocess
import sys

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


def ended(text: str) -> str:
    """What a Python says that runs this to its good end."""
    command = [sys.executable, "-P", "-c", text]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (0, "")
    return done.stderr
