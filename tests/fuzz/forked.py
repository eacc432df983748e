"""Run ccc thousands of times: one process imports everything and forks for each case."""

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
"""The timeout of a single command."""
CODES = (0, 1, 20, 21, 22, 23, 24, 25, 130, 141)
"""The documented exit codes of ccc."""
_CRASH = re.compile(r"Traceback \(most recent|internal error \(|\b[A-Z]\w+Error: |Fatal Python")


@dataclass(frozen=True)
class Result:
    """The exit code and the output of a command."""

    code: int
    stdout: str
    stderr: str

    def check(self, *codes: int) -> "Result":
        """Check that the command exited in time, with an allowed code and without a crash."""
        assert self.code in (codes or CODES), self
        assert not _CRASH.search(self.stdout + self.stderr), self
        return self


class Server:
    """A process that has imported ccc and runs it in a fork per case."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def run(self, **case: object) -> Result:
        """Run a command: `argv`, `env`, `cwd`, and `stdin` as text of single bytes."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(case).encode() + b"\n")
        self._process.stdin.flush()
        return Result(*json.loads(self._process.stdout.readline()))

    def close(self) -> None:
        """End the process."""
        self._process.communicate(timeout=30)


@dataclass
class Forge:
    """Runs ccc in a home that is restored for each case."""

    server: Server
    home: Path
    cwd: Path
    env: dict[str, str]
    program: str
    _snapshot: Path | None = None

    def keep(self) -> None:
        """Save the home; `restore` returns to this state."""
        self._snapshot = self.home.with_name("kept")
        shutil.copytree(self.home, self._snapshot, symlinks=True)

    def restore(self) -> None:
        """Restore the home from the snapshot."""
        assert self._snapshot is not None
        shutil.rmtree(self.home)
        shutil.copytree(self._snapshot, self.home, symlinks=True)

    def run(self, *line: str, stdin: bytes = b"") -> Result:
        """Run ccc in a new process."""
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

    import ccc.claude.controlled_claude
    import ccc.commands
    import ccc.ui.rich_output

    for module in pkgutil.walk_packages(ccc.commands.__path__, "ccc.commands."):
        __import__(module.name)


def _one(case: dict[str, Any]) -> tuple[int, str, str]:
    stdin, stdout, stderr = (os.memfd_create(name) for name in ("stdin", "stdout", "stderr"))
    os.write(stdin, case["stdin"].encode("latin-1"))
    os.lseek(stdin, 0, os.SEEK_SET)
    pid = os.fork()
    if pid == 0:
        _become(case, stdin, stdout, stderr)
    code = _wait(pid)
    texts = []
    for file in (stdout, stderr):
        os.lseek(file, 0, os.SEEK_SET)
        texts.append(os.read(file, 1 << 24).decode(errors="replace"))
    for file in (stdin, stdout, stderr):
        os.close(file)
    return code, texts[0], texts[1]


def _wait(pid: int) -> int:
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
    """Turn this process into ccc."""
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
    except SystemExit as error:
        code = error.code if isinstance(error.code, int) else 0
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
