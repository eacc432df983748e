"""ccc in thousands of processes: one that has imported everything forks for each case."""

import json
import os
import pkgutil
import re
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SECONDS = 15.0
"""The most that a single command may take."""
CODES = (0, 1, 20, 21, 22, 23, 24, 25, 130, 141)
"""What ccc says with its exit code."""
_FALLEN = re.compile(r"Traceback \(most recent|internal error \(|\b[A-Z]\w+Error: |Fatal Python")


@dataclass(frozen=True)
class Ended:
    """How a command ended, and what it said."""

    code: int
    stdout: str
    stderr: str

    def well(self, *codes: int) -> "Ended":
        """It ended with a code that it may have, in time, and without falling over."""
        assert self.code in (codes or CODES), self
        assert not _FALLEN.search(self.stdout + self.stderr), self
        return self


class Server:
    """A process that has imported ccc; it becomes ccc, as often as it is asked to."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def run(self, **case: object) -> Ended:
        """Run a command: `argv`, `env`, `cwd`, `stdin` as text of single bytes."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(case).encode() + b"\n")
        self._process.stdin.flush()
        return Ended(*json.loads(self._process.stdout.readline()))

    def close(self) -> None:
        """End the process."""
        self._process.communicate(timeout=30)


@dataclass
class Forge:
    """Runs ccc in a home that is, for each case, what it was at the beginning."""

    server: Server
    home: Path
    cwd: Path
    env: dict[str, str]
    program: str
    _kept: Path | None = None

    def keep(self) -> None:
        """Every case begins with the home as it is now."""
        self._kept = self.home.with_name("kept")
        shutil.copytree(self.home, self._kept, symlinks=True)

    def restore(self) -> None:
        """Make the home what it was."""
        assert self._kept is not None
        shutil.rmtree(self.home)
        shutil.copytree(self._kept, self.home, symlinks=True)

    def run(self, *line: str, stdin: bytes = b"") -> Ended:
        """Run ccc in a process of its own."""
        return self.server.run(
            argv=[self.program, *line],
            env=self.env,
            cwd=str(self.cwd),
            stdin=stdin.decode("latin-1"),
        )


def _serve() -> None:
    _import_all()
    for line in sys.stdin.buffer:
        sys.stdout.buffer.write(json.dumps(_one(json.loads(line))).encode() + b"\n")
        sys.stdout.buffer.flush()


def _import_all() -> None:
    import claude_agent_sdk  # noqa: F401

    import ccc.claude.client
    import ccc.commands
    import ccc.ui.rich_output

    for module in pkgutil.walk_packages(ccc.commands.__path__, "ccc.commands."):
        __import__(module.name)


def _one(case: dict[str, Any]) -> tuple[int, str, str]:
    given, said, told = (os.memfd_create(name) for name in ("given", "said", "told"))
    os.write(given, case["stdin"].encode("latin-1"))
    os.lseek(given, 0, os.SEEK_SET)
    pid = os.fork()
    if pid == 0:
        _become(case, given, said, told)
    code = _ended(pid)
    texts = []
    for file in (said, told):
        os.lseek(file, 0, os.SEEK_SET)
        texts.append(os.read(file, 1 << 24).decode(errors="replace"))
    for file in (given, said, told):
        os.close(file)
    return code, texts[0], texts[1]


def _ended(pid: int) -> int:
    until, pause = time.monotonic() + SECONDS, 0.0005
    while time.monotonic() < until:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(pause)
        pause = min(0.01, pause * 1.2)
    os.killpg(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return -1000


def _become(case: dict[str, Any], *files: int) -> None:
    """This process is ccc from here on."""
    os.setsid()
    for number, file in enumerate(files):
        os.dup2(file, number)
    os.closerange(3, 64)
    os.environ.clear()
    os.environ.update(case["env"])
    os.chdir(case["cwd"])
    sys.argv = case["argv"]
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False)  # noqa: SIM115
    from ccc import cli

    code = 99
    try:
        code = cli.main()
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else 0
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        try:
            sys.stdout.flush()
            sys.stderr.flush()
        finally:
            os._exit(code & 0xFF)


if __name__ == "__main__":
    _serve()
