"""The end of an unattended run's agent, in a separate process."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ccc.system import processes
from harness.processes import wait_until

# A task that is left at the end of the process and, like one of the SDK's, fails as it is ended.
LEFT = """
import asyncio, gc, time
from ccc.claude.loop_thread import LoopThread

async def stays():
    try:
        await asyncio.get_running_loop().create_future()
    except BaseException:
        raise RuntimeError("no loop any more")

loop = LoopThread()
loop.submit(stays())
time.sleep(0.2)
loop.close()
time.sleep(0.2)
gc.collect()
"""


def test_what_the_sdk_leaves_is_not_told() -> None:
    """Tasks that the SDK leaves at the end of the process print nothing."""
    assert ended(LEFT) == ""


def test_other_errors_are_told() -> None:
    """Errors in other destructors are still reported."""
    text = LEFT + "class Bad:\n    def __del__(self):\n        raise ValueError('bad')\nBad()\n"
    told = ended(text)
    assert "ValueError: bad" in told
    assert "no loop any more" not in told


GUARDED = """
import os, time
from ccc.system import spawn
from ccc.claude.formats.command_line import Plan

for _ in range(20):  # many open files, and not one of the first numbers
    os.open(os.devnull, os.O_RDONLY)
env = {"PATH": os.environ["PATH"], "HOME": "/", "ANTHROPIC_AUTH_TOKEN": "secret-one-0123456789",
       "BASH_FUNC_which%%": "() { echo; }", "a.b-c": "odd"}
errors = os.open(os.devnull, os.O_WRONLY)
first = spawn.start(Plan(("/bin/sleep", "40"), env, "/"), errors)
spawn.end(first)
script = "sleep 90 & setsid sleep 91 & wait"
child = spawn.start(Plan(("/bin/sh", "-c", script), env, "/"), errors)
print(os.getpid(), child.pid, flush=True)
time.sleep(60)
"""


@pytest.fixture
def guarded() -> Iterator[tuple[int, int]]:
    """Start a process that has a child and a guard, and yield its pid and the child's."""
    command = [sys.executable, "-P", "-c", GUARDED]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as ours:
        assert ours.stdout is not None
        pid, child = map(int, ours.stdout.readline().split())
        yield pid, child
        ours.kill()


def test_a_killed_ccc_takes_its_children_along(guarded: tuple[int, int]) -> None:
    """Killing ccc ends its children, including a tool in its own session."""
    ours, child = guarded
    wait_until(lambda: len(processes.descendants(child)) == 2)
    living = {child, *processes.descendants(child)}
    os.kill(ours, signal.SIGKILL)
    wait_until(lambda: not any(processes.is_alive(pid, "sleep") for pid in living), timeout=30)


BUSY = """
import os, time

print(os.getpid(), flush=True)
while True:
    if not os.fork():
        os.setsid()
        os.execvp("sleep", ["sleep", "94", MARK])
    time.sleep(0.0005)
"""


def marked(mark: str) -> list[int]:
    """Return the processes with the mark in their command line."""
    return [pid for pid, line in processes._command_lines().items() if mark in line]


def test_what_is_started_meanwhile_is_killed_too() -> None:
    """No process survives that its parent starts while the family is being killed."""
    mark = f"0.{os.getpid()}"
    command = [sys.executable, "-c", BUSY.replace("MARK", repr(mark))]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        wait_until(lambda: len(processes.descendants(parent.pid)) > 20)
        processes.main([parent.pid])
    try:
        # a killed process ends when it gets the processor next
        wait_until(lambda: not marked(mark), timeout=5)
    finally:
        for pid in marked(mark):
            processes.kill(pid)


ATTENDED = """
import os
from ccc.system import spawn
from ccc.claude.formats.command_line import Plan

script = "sleep 92 & setsid sleep 93 & echo $$; wait"
spawn.run_on_terminal(Plan(("/bin/sh", "-c", script), {"PATH": os.environ["PATH"]}, "/"))
"""


def test_a_killed_ccc_takes_a_program_on_the_terminal_along() -> None:
    """Killing ccc ends a program on the user's terminal, which shares its process group."""
    terminal, stdin = os.openpty()
    command = [sys.executable, "-P", "-c", ATTENDED]
    with subprocess.Popen(command, stdin=stdin, stdout=subprocess.PIPE, text=True) as ours:
        assert ours.stdout is not None
        child = int(ours.stdout.readline())
        wait_until(lambda: len(processes.descendants(child)) == 2)
        living = {child, *processes.descendants(child)}
        ours.kill()
        try:
            wait_until(lambda: not any(processes.is_alive(p, "sleep") for p in living), timeout=20)
        finally:
            for pid in living:
                processes.kill(pid)
            os.close(terminal)
            os.close(stdin)


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="nobody can say: no /proc")
def test_the_guard_holds_no_key(guarded: tuple[int, int]) -> None:
    """The guard that ends the children of a killed ccc has no key in its environment."""
    ours, child = guarded
    others = processes.descendants(ours) - {child, *processes.descendants(child)}
    assert len(others) == 1
    assert "secret" not in Path(f"/proc/{others.pop()}/environ").read_text()


def ended(text: str) -> str:
    """Return the output of a Python process that runs this and succeeds."""
    command = [sys.executable, "-P", "-c", text]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    return done.stderr
