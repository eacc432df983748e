"""Kill a program at a given file operation, or shift its clock: code that the child loads."""

from pathlib import Path

# Kill the process instead of its n-th file operation.
AT_EVENT = """
import os, sys
left = [int(os.environ.get("KILL_AT", "0"))]
EVENTS = ("os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.link", "os.truncate", "os.chmod",
          "os.exec", "fcntl.flock", "subprocess.Popen", "ctypes.dlopen", "ctypes.dlsym")
def watch(event, details):
    changes = event in EVENTS or (event == "open" and details[2] & (os.O_WRONLY | os.O_RDWR))
    if changes and left[0]:
        left[0] -= 1
        if not left[0]:
            os.kill(os.getpid(), 9)
sys.addaudithook(watch)
"""

# Shift the clock by SHIFT seconds, and by JUMP more from the first rename on.
JUMPING = """
import os, sys, time
shift = [float(os.environ.get("SHIFT", "0"))]
later = [float(os.environ.get("JUMP", "0"))]
def watch(event, details):
    if event == "os.rename" and later[0]:
        shift[0] += later.pop()
        later.append(0)
real, real_ns = time.time, time.time_ns
time.time = lambda: real() + shift[0]
time.time_ns = lambda: real_ns() + int(shift[0] * 1e9)
local = time.localtime
time.localtime = lambda moment=None: local(time.time() if moment is None else moment)
sys.addaudithook(watch)
"""


def preload(directory: Path, code: str) -> dict[str, str]:
    """Return an environment in which every Python loads the code first."""
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "sitecustomize.py").write_text(code)
    return {"PYTHONPATH": str(directory), "PYTHONDONTWRITEBYTECODE": "1"}
