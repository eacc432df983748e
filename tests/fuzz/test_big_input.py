"""Inputs of 128 MB are read in bounded memory or refused with a clear message."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from wild import NO, STOP, STREAM, TRANSCRIPT, YES

from harness import CccProject
from harness.soak import Tally, trials

Row = Callable[[str], Tally]
MB = 1024 * 1024
SIZE = 128 * MB
MOST = 100 * MB
"""The memory that a command may take beyond that for a small input."""
SECONDS = 120

# Runs in a small process: a forked process also counts the memory of its parent.
MEASURE = """
import os, resource, sys
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
pid = os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ)
_, status, usage = os.wait4(pid, 0)
with open(sys.argv[1], "w") as file:
    file.write(f"{os.waitstatus_to_exitcode(status)} {usage.ru_maxrss}")
"""
_UNIT = 1 if sys.platform == "darwin" else 1024


@dataclass(frozen=True)
class Measurement:
    """The exit code, the peak memory and the output of a command."""

    code: int
    peak: int
    stdout: str
    stderr: str


class Scales:
    """Measures the commands of a supervised session."""

    def __init__(self, root: Path) -> None:
        self.project = CccProject(root / "bench", stub=True)
        self.root = root
        self.big = root / "big"
        self.project.env |= {"CCC_SUPERVISOR_ID": "abc123", "CLAUDECODE": "1", "CCC_LANG": "en"}
        self.configure(["false"])
        self.project.run("--supervisor", "kimi").succeeded()

    def configure(self, checks: list[str]) -> None:
        """Set the checks; a failing check answers a stop without a review."""
        self.project.configure(supervisor={"sandbox": "off", "checks": checks})

    def measure(self, *line: str, stdin: Path) -> Measurement:
        """Run ccc with the file as its stdin and measure it."""
        result = self.root / "result"
        argv = [sys.executable, "-I", "-S", "-c", MEASURE, str(result), self.project.ccc, *line]
        with stdin.open("rb") as file:
            done = subprocess.run(
                argv,
                stdin=file,
                capture_output=True,
                cwd=self.project.directory,
                env=self.project.env,
                timeout=SECONDS,
                check=True,
            )
        code, peak = result.read_text().split()
        output = (done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"))
        assert "Traceback" not in output[0] + output[1]
        return Measurement(int(code), int(peak) * _UNIT, *output)

    def stop(self, **event: object) -> Path:
        """Write the hook's input to a file."""
        path = self.root / "stop"
        cwd = str(self.project.directory)
        usual = {"cwd": cwd, "transcript_path": "", "background_tasks": []}
        path.write_text(json.dumps({**STOP, **usual, "last_assistant_message": "", **event}))
        return path

    def fill(self, pieces: Iterator[bytes]) -> Path:
        """Write a file of 128 MB."""
        size = 0
        with self.big.open("wb") as file:
            for piece in pieces:
                size += file.write(piece)
                if size >= SIZE:
                    break
        return self.big


@pytest.fixture
def scales(tmp_path: Path) -> Iterator[Scales]:
    """Yield the scales, and remove the big file at the end."""
    scales = Scales(tmp_path)
    yield scales
    scales.big.unlink(missing_ok=True)


def judged(result: Measurement) -> bool:
    """Return whether the hook reached a decision or found the agent stuck."""
    return result.code == 0 and any(w in result.stdout for w in ('"decision"', "stuck"))


def line_of(head: str, tail: str, filling: str = "x") -> Iterator[bytes]:
    """Yield one line: a start, nearly 128 MB of filling, an end."""
    data = filling.encode() * (MB // len(filling.encode()))
    yield head.encode()
    for _ in range(SIZE // len(data) - 1):
        yield data
    yield (tail + "\n").encode() + b" " * 2 * MB


def lines_of(*lines: str) -> Iterator[bytes]:
    """Yield the same lines forever."""
    data = "".join(f"{line}\n" for line in lines).encode()
    block = data * max(1, MB // len(data))
    while True:
        yield block


def inputs(*examples: str) -> dict[str, Callable[[], Iterator[bytes]]]:
    """Return the kinds of 128 MB inputs."""
    return {
        "one good line": lambda: line_of('{"session_id": "abc123", "x": "', '"}'),
        "small good lines": lambda: lines_of(*examples),
        "one line of junk": lambda: line_of("", ""),
        "small lines of junk": lambda: lines_of("junk \ufffd" * 9, "{" * 50, '{"type": '),
        "brackets": lambda: line_of("", "", "["),
        "zeros": lambda: line_of("", "", "\0"),
        "wide characters": lambda: line_of('{"a": "', '"}', "𝕏"),
    }


@pytest.mark.parametrize("command", ["supervisor-hook", "statusline"])
def test_stdin(command: str, scales: Scales, tally: Row) -> None:
    """The hook refuses input that isn't an event; the status line reads only what it needs."""
    row = tally(f"128 MB to {command}")
    small = scales.measure(command, stdin=scales.stop())
    assert small.code == 0
    kinds = inputs(scales.stop().read_text())
    for name in list(kinds)[: trials(1, len(kinds))]:

        def trial(name: str = name) -> None:
            result = scales.measure(command, stdin=scales.fill(kinds[name]()))
            assert result.code == 0, (name, result)
            assert result.peak < small.peak + MOST, (name, result.peak / MB, small.peak / MB)
            if command == "supervisor-hook":
                assert "could not be judged" in result.stdout, (name, result)

        row.survived(trial)


@pytest.mark.soak
def test_largest_event(scales: Scales, tally: Row) -> None:
    """The largest accepted event stays within the memory bound, even with wide characters."""
    small = scales.measure("supervisor-hook", stdin=scales.stop())
    event = scales.stop(session_crons="x" * (15 * MB) + "𝕏")
    row = tally("16 MB to supervisor-hook")

    def trial() -> None:
        result = scales.measure("supervisor-hook", stdin=event)
        assert judged(result)
        assert result.peak < small.peak + 3 * MOST, result.peak / MB

    row.survived(trial)


def test_transcript(scales: Scales, tally: Row) -> None:
    """A transcript of any size stays within the memory bound; overlong lines are skipped."""
    row = tally("128 MB of transcript")
    path = scales.root / "transcript.jsonl"
    path.write_text("\n".join(TRANSCRIPT) + "\n")
    small = scales.measure("supervisor-hook", stdin=scales.stop(transcript_path=str(path)))
    user = {"type": "user", "promptId": "p", "message": {"content": "do it " * 50}}
    kinds = {
        **inputs(*TRANSCRIPT),
        "requests": lambda: (
            "".join(
                json.dumps({**user, "promptId": f"p{n}-{i}"}) + "\n" for i in range(999)
            ).encode()
            for n in range(10**9)
        ),
        "answers": lambda: lines_of(
            json.dumps({"type": "assistant", "message": {"content": "x" * 15 * MB}})
        ),
    }
    for name in list(kinds)[: trials(0, len(kinds))]:

        def trial(name: str = name) -> None:
            big = scales.fill(kinds[name]())
            result = scales.measure("supervisor-hook", stdin=scales.stop(transcript_path=str(big)))
            assert judged(result), (name, result)
            assert result.peak < small.peak + MOST, (name, result.peak / MB, small.peak / MB)

        row.survived(trial)


@pytest.mark.soak
def test_stream(scales: Scales, tally: Row) -> None:
    """A reviewer's line of 128 MB is skipped as malformed, and the verdict after it counts."""
    row = tally("128 MB of stream")
    scales.configure([])
    claude = scales.project.bin / "claude"
    claude.write_text(f"#!/bin/sh\nexec cat {scales.big} {scales.root}/result-line\n")
    result: dict[str, Any] = json.loads(STREAM[-1])
    (scales.root / "result-line").write_text(json.dumps({**result, "result": NO}) + "\n")
    scales.big.write_text(STREAM[0] + "\n")
    small = scales.measure("supervisor-hook", stdin=scales.stop())
    assert "add a test" in small.stdout
    kinds = inputs(*STREAM[:-1])
    good = "one good line"
    kinds[good] = lambda: line_of('{"type": "result", "result": "', json.dumps(YES)[1:] + "}")
    for name in (good, "one line of junk", "wide characters", "zeros"):

        def trial(name: str = name) -> None:
            scales.fill(kinds[name]())
            result = scales.measure("supervisor-hook", stdin=scales.stop())
            assert "add a test" in result.stdout, (name, result)
            assert result.peak < small.peak + MOST, (name, result.peak / MB, small.peak / MB)

        row.survived(trial)


@pytest.mark.soak
def test_a_task_that_is_too_long(scales: Scales, tally: Row) -> None:
    """`ccc run` reports that the task is too long."""
    row = tally("128 MB to run")

    def trial() -> None:
        result = scales.measure("run", stdin=scales.fill(lines_of("do it")))
        assert result.code == 1
        assert "longer than 4 MB" in result.stderr
        assert result.peak < 250 * MB

    row.survived(trial)


def test_the_scales_measure(scales: Scales, monkeypatch: pytest.MonkeyPatch) -> None:
    """A command that allocates 128 MB is measured as such."""
    program = scales.root / "greedy"
    program.write_text(f"#!{sys.executable} -I\nimport sys\nkept = b'x' * {SIZE}\n")
    program.chmod(0o755)
    scales.fill(lines_of("x"))
    monkeypatch.setattr(CccProject, "ccc", property(lambda self: str(program)))
    assert scales.measure(stdin=Path(os.devnull)).peak > SIZE
