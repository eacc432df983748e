"""Programs that outlive ccc."""

import os
import select
import signal
import sys
import time
from pathlib import Path

from ccc.system import spawn
from harness.processes import wait_until

_PROGRAM = """
import os, sys
open(sys.argv[1], "w").write(" ".join(map(str, (os.getsid(0), os.getpgrp(), os.getppid(),
    os.nice(0), os.getcwd(), os.environ.get("A"), sys.stdin.read() == ""))))
os.rename(sys.argv[1], sys.argv[2])
"""


def test_it_depends_on_nothing(tmp_path: Path) -> None:
    """The program has its own session, low priority, no input, and isn't this process's child."""
    new, done = tmp_path / "new", tmp_path / "done"
    spawn.start_detached([sys.executable, "-c", _PROGRAM, str(new), str(done)], {"A": "b"})
    until = time.monotonic() + 60
    while not done.exists():
        assert time.monotonic() < until
        time.sleep(0.01)
    session, _, parent, nice, cwd, variable, is_closed = done.read_text().split()
    assert int(session) != os.getsid(0)
    assert int(parent) != os.getpid()
    assert int(nice) >= min(19, os.nice(0) + 10)
    assert (cwd, variable, is_closed) == ("/", "b", "True")


def test_it_holds_nothing_open(tmp_path: Path) -> None:
    """Who reads a pipe until its end, or waits for a lock, doesn't wait for the program."""
    reading, writing = os.pipe()
    os.set_inheritable(writing, True)
    started = tmp_path / "started"
    spawn.start_detached(["/bin/sh", "-c", f"echo $$ > {started}; exec sleep 60"], dict(os.environ))
    os.close(writing)
    try:
        assert select.select([reading], [], [], 30)[0] == [reading]
        assert os.read(reading, 1) == b""
    finally:
        os.close(reading)
        wait_until(lambda: started.exists() and started.read_text())
        os.kill(int(started.read_text()), signal.SIGKILL)


def test_a_program_that_does_not_exist(tmp_path: Path) -> None:
    """It is no error."""
    spawn.start_detached([str(tmp_path / "none")], {})


def test_in_a_directory(tmp_path: Path) -> None:
    """A program there reads and writes files, has its own session, and can be interrupted."""
    code = (
        "import os, signal, sys\n"
        "print(os.getcwd(), os.getsid(0) == os.getpid(), sys.stdin.read(), flush=True)\n"
        "print(signal.getsignal(signal.SIGINT) is signal.default_int_handler, file=sys.stderr)\n"
    )
    given, output = tmp_path / "given", tmp_path / "output"
    directory = tmp_path / "-a b"
    directory.mkdir()
    given.write_text("An answer")
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with given.open("rb") as reads, output.open("wb") as writes:
            pid = spawn.start_in(
                str(directory),
                [sys.executable, "-c", code],
                dict(os.environ),
                given=reads.fileno(),
                output=writes.fileno(),
            )
    finally:
        signal.signal(signal.SIGINT, before)
    assert os.waitpid(pid, 0)[1] == 0
    assert output.read_text().splitlines() == [f"{directory} True An answer", "True"]
