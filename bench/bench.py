"""`make bench`: how fast ccc is, as ratios to a bare interpreter in the same run.

Machines are noisy, so the cases are run in turns and the medians are compared within one run.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

PYTHON = sys.executable
CCC = str(Path(PYTHON).parent / "ccc")
ROUNDS = 40


@dataclass(frozen=True)
class Case:
    """A command that may take so many times as long as the bare interpreter."""

    name: str
    argv: tuple[str, ...]
    limit: float


def main() -> int:
    """Measure, print one table, and fail where a limit is passed."""
    cases = [
        Case("ccc --version", (CCC, "--version"), 1.6),
        Case("ccc kimi, until claude's main", (CCC, "kimi", "-p", "hi"), 4.5),
    ]
    with tempfile.TemporaryDirectory() as directory:
        environ = prepare(Path(directory))
        bare, times = measure(cases, environ)
    print(f"python {sys.version.split()[0]}, bare interpreter {bare * 1000:.1f} ms (median)")
    print(f"{'case':<34} {'ms':>7} {'ratio':>6} {'limit':>6}")
    failed = False
    for case, seconds in zip(cases, times, strict=True):
        ratio = seconds / bare
        failed |= ratio > case.limit
        mark = "  too slow" if ratio > case.limit else ""
        print(f"{case.name:<34} {seconds * 1000:>7.1f} {ratio:>6.2f} {case.limit:>6.2f}{mark}")
    return int(failed)


def prepare(directory: Path) -> dict[str, str]:
    """A home with one provider, and a claude that is nothing but a main."""
    home, programs = directory / "home", directory / "bin"
    (home / ".claude").mkdir(parents=True)
    programs.mkdir()
    (programs / "claude").symlink_to("/bin/true")
    provider = {
        "ANTHROPIC_BASE_URL": "http://127.0.0.1:9",
        "ANTHROPIC_AUTH_TOKEN": "sk-bench",
        "ANTHROPIC_MODEL": "kimi-k2.7-code",
    }
    config = {"providers": {"kimi": {"env": provider}, "glm": {"env": provider}}}
    (home / ".claude" / "ccc.json").write_text(json.dumps(config, indent=2))
    return {"HOME": str(home), "PATH": f"{programs}:/usr/bin:/bin", "LANG": "en_US.UTF-8"}


def measure(cases: list[Case], environ: dict[str, str]) -> tuple[float, list[float]]:
    """The medians of the bare interpreter and of each case, run in turns."""
    commands = [(PYTHON, "-I", "-c", "pass"), *(case.argv for case in cases)]
    times: list[list[float]] = [[] for _ in commands]
    for turn in range(ROUNDS + 2):
        for argv, taken in zip(commands, times, strict=True):
            begun = time.perf_counter()
            subprocess.run(
                argv,
                env=environ,
                cwd=environ["HOME"],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                check=True,
            )
            if turn >= 2:  # the first turns write byte code and install
                taken.append(time.perf_counter() - begun)
    bare, *rest = (statistics.median(taken) for taken in times)
    return bare, rest


if __name__ == "__main__":
    os.chdir(tempfile.gettempdir())
    sys.exit(main())
