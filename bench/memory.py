"""Measure ccc's peak memory, and whether it grows with its input."""

import json
import statistics
from collections.abc import Sequence
from pathlib import Path

from bench.scene import CCC, PLAIN, PYTHON, Scene, agree, claude, many
from bench.streams import agent_lines
from bench.table import Case, Row, Section, against
from ccc.scripted import ScriptedModel

# The peak of the process itself. The figure of wait4 includes the children, and on Linux also
# the parent's memory at the time of the fork.
_PEAK = """
import os, sys
file = sys.argv.pop(1)
def peak():
    try:
        with open("/proc/self/status") as status:
            (line,) = (line for line in status if line.startswith("VmHWM"))
        size = int(line.split()[1]) * 1024
    except OSError:
        import resource
        size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with open(file, "w") as out:
        out.write(str(size))
"""
_BARE = f"{_PEAK}\npeak()"
_CCC = f"""{_PEAK}
real_exit, sys.argv = os._exit, sys.argv[1:]
def end(code):
    peak()
    real_exit(code)
os._exit = end
from ccc.cli import main
code = main()
end(code)
"""

# Speaks stream-json and the SDK's control protocol, as an agent that prints a file and as a
# reviewer that agrees.
_CLAUDE = """#!{python} -I
import json, re, shutil, sys
def emit(**message):
    sys.stdout.write(json.dumps(message) + "\\n")
    sys.stdout.flush()
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "control_request":
        body = {{"subtype": "success", "request_id": message["request_id"], "response": {{}}}}
        emit(type="control_response", response=body)
    elif "--fork-session" not in sys.argv:
        with open({lines!r}) as file:
            shutil.copyfileobj(file, sys.stdout)
    if message["type"] == "user":
        code = re.findall('"code": "([0-9a-f]+)"', message["message"]["content"])
        verdict = json.dumps({{"code": (code or [""])[-1], "completed": True}})
        emit(type="result", subtype="success", is_error=False, duration_ms=1, duration_api_ms=1,
             num_turns=1, session_id="s", total_cost_usd=0.1, usage={{}},
             result=verdict)
"""


class Scale:
    """Runs commands and measures their peak memory."""

    def __init__(self, directory: Path, url: str, program: str) -> None:
        self.scene = Scene(directory, url, program)
        self._file = directory / "peak"

    def bare(self) -> float:
        """Return the peak of an idle interpreter, in MB."""
        return self._measure((PYTHON, "-I", "-c", _BARE, str(self._file)))

    def ccc(self, *words: str, stdin: str = "", **env: str) -> float:
        """Return the peak of a ccc command, in MB."""
        return self._measure((PYTHON, "-c", _CCC, str(self._file), CCC, *words), stdin, **env)

    def _measure(self, argv: Sequence[str], stdin: str = "", **env: str) -> float:
        self._file.unlink(missing_ok=True)
        self.scene.run(argv, stdin, **env)
        return int(self._file.read_text()) / 1e6


def supervised(scale: Scale) -> float:
    """Return the peak of a stop that a fork of the real claude reviews."""
    event, env = scale.scene.supervised_stop()
    peak = scale.ccc("supervisor-hook", stdin=json.dumps(event), **env)
    (verdicts,) = scale.scene.records.glob("*-verdicts.jsonl")
    assert json.loads(verdicts.read_text())["completed"] is True, verdicts.read_text()
    return peak


def streaming(directory: Path, size: int) -> float:
    """Return the peak of `ccc run` with an agent that prints `size` bytes."""
    directory.mkdir()
    lines, program = directory / "agent.jsonl", directory / "program"
    agent_lines(lines, size)
    program.write_text(_CLAUDE.format(python=PYTHON, lines=str(lines)))
    program.chmod(0o755)
    scale = Scale(directory / "scene", "http://127.0.0.1:9", str(program))
    peak = scale.ccc("run", "--quiet", "do it")
    (record,) = scale.scene.records.glob("*-agent.jsonl")
    assert record.stat().st_size >= size
    return peak


def memory(directory: Path, quick: bool) -> list[Row]:
    """Measure each command's peak against the bare interpreter's, and its growth."""
    directory.mkdir()
    with ScriptedModel(agree) as model:
        scale = Scale(directory / "scene", model.url, claude())
        bare = statistics.median(scale.bare() for _ in range(3))
        off = scale.ccc("supervisor-hook", **PLAIN)
        stop = supervised(scale)
    few, most = (many(directory, count) for count in (10, 10_000))
    status = [scale.ccc("status", CCC_WORK_DIR=where) for where in (few, most)]
    everything = scale.ccc("status", "--all", CCC_WORK_DIR=most)
    short, long = (streaming(directory / str(size), size) for size in (5_000_000, 50_000_000))
    compared = [(each, bare) for each in (off, stop, *status, everything, short, long)]
    compared.append((long, short))
    return [
        against(case, value, reference)
        for case, (value, reference) in zip(MEMORY.cases, compared, strict=True)
    ]


MEMORY = Section(
    "memory",
    "Memory",
    "Peak resident memory of ccc's own process, without its children, compared with the bare "
    "interpreter.",
    ("MB", "against"),
    (
        Case("an unsupervised stop", "The hook in plain claude.", 1.25),
        Case(
            "a supervised stop",
            "The hook with a review by the real claude; most of it is `claude-agent-sdk`.",
            11.0,
        ),
        Case("ccc status with 10 sessions", "One line per session.", 3.2),
        Case("ccc status with 10,000 sessions", "ccc lists all of them and reads 20.", 3.7),
        Case("ccc status --all with 10,000 sessions", "ccc reads and shows all of them.", 9.1),
        Case(
            "ccc run, 5 MB of stream",
            "A whole run with its review; a stand-in for claude prints the agent's stream.",
            11.5,
        ),
        Case("ccc run, 50 MB of stream", "The same with ten times as much data.", 11.5),
        Case(
            "  growth, 5 MB to 50 MB",
            "ccc stores each line and releases it, so memory must not grow.",
            1.1,
        ),
    ),
    memory,
)
