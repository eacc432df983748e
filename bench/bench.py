"""`make bench`: how fast ccc is, as ratios to something measured in the same run.

Machines are noisy, so the cases are run in turns and the medians are compared within one run.
"""

import itertools
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ccc.scripted import (
    Rule,
    Scenario,
    ScriptedModel,
    agent_turn,
    answer,
    every,
    said_last,
)

PYTHON = sys.executable
CCC = str(Path(PYTHON).parent / "ccc")
ROUNDS = 40
REVIEWS = 7
SESSION = "bench"


@dataclass(frozen=True)
class Measured:
    """A case's median, what it is compared with, and how many times as long it may take."""

    name: str
    seconds: float
    reference: float
    limit: float

    @property
    def ratio(self) -> float:
        """How many times as long as the reference."""
        return self.seconds / self.reference

    def line(self) -> str:
        """A row of the table."""
        mark = "" if self.ratio <= self.limit else "  too slow"
        return (
            f"{self.name:<44} {self.seconds * 1000:>8.1f} {self.reference * 1000:>8.1f} "
            f"{self.ratio:>6.2f} {self.limit:>6.2f}{mark}"
        )


def main() -> int:
    """Measure, print one table, and fail where a limit is passed."""
    with tempfile.TemporaryDirectory() as directory:
        rows = [
            *starts(Path(directory) / "starts"),
            stop_to_review(Path(directory) / "reviews"),
            stream_of_an_agent(Path(directory) / "stream"),
        ]
    print(f"python {sys.version.split()[0]}; medians in ms")
    print(f"{'case':<44} {'ms':>8} {'against':>8} {'ratio':>6} {'limit':>6}")
    for row in rows:
        print(row.line())
    return int(any(row.ratio > row.limit for row in rows))


def starts(directory: Path) -> list[Measured]:
    """The fast commands, against `python -I -c pass`."""
    environ = home(directory, "http://127.0.0.1:9")
    claude = directory / "bin" / "claude"
    claude.symlink_to("/bin/true")  # claude's main, and nothing else
    state = directory / "home" / ".claude" / "ccc" / f"supervisor-{SESSION}.json"
    state.parent.mkdir()
    state.write_text(json.dumps({"session_id": SESSION, "enabled": False, "count": 0}))
    cases = {
        "ccc --version": ((CCC, "--version"), {}, 1.6),
        "ccc kimi, until claude's main": ((CCC, "kimi", "-p", "hi"), {}, 4.5),
        "a stop that is not supervised (no state)": (
            (CCC, "supervisor-hook"),
            {"CCC_SUPERVISOR_ID": "none"},
            1.35,
        ),
        "a stop with supervision off": (
            (CCC, "supervisor-hook"),
            {"CCC_SUPERVISOR_ID": SESSION},
            2.2,
        ),
        **{
            f"ccc {command}, {count:,} sessions": (
                (CCC, command),
                {"CCC_WORK_DIR": str(many(directory / str(count), count))},
                limit,
            )
            for command, count, limit in LOOKS
        },
    }
    commands = [((PYTHON, "-I", "-c", "pass"), {}), *((c[0], c[1]) for c in cases.values())]
    times: list[list[float]] = [[] for _ in commands]
    for turn in range(ROUNDS + 2):
        for (argv, more), taken in zip(commands, times, strict=True):
            begun = time.perf_counter()
            run(argv, {"CCC_SUPERVISOR_ID": SESSION, **environ, **more})
            if turn >= 2:  # the first turns write byte code and install
                taken.append(time.perf_counter() - begun)
    bare, *medians = (statistics.median(taken) for taken in times)
    return [
        Measured(name, seconds, bare, limit)
        for (name, (_, _, limit)), seconds in zip(cases.items(), medians, strict=True)
    ]


LOOKS = (
    ("status", 10, 2.5),
    ("status", 1_000, 2.5),
    ("status", 10_000, 8.0),
    ("statusline", 1_000, 2.5),
)


def many(directory: Path, count: int) -> Path:
    """A work directory with so many supervised sessions, each with its records."""
    records = directory / "ccc"
    if records.is_dir():
        return directory
    records.mkdir(parents=True)
    for number in range(count):
        session = SESSION if number == count // 2 else f"{number:08x}-0000-4000-8000-000000000000"
        state = {
            "session_id": session,
            "enabled": True,
            "count": 2,
            "limit": 10,
            "provider": "kimi",
            "claude": "/usr/bin/claude",
            "pid": os.getpid(),
            "cwd": f"/home/somebody/code/project-{number}",
            "request": "make the tests pass and bring the README up to date",
            "outcome": "not_completed",
            "feedback": ["the README still names the old option " * 5],
            "cost_usd": 0.0123,
        }
        (records / f"supervisor-{session}.json").write_text(json.dumps(state, indent=2))
        for name in ("output", "verdicts"):
            (records / f"supervisor-{session}-{name}.jsonl").write_text("{}\n")
    return directory


def stop_to_review(directory: Path) -> Measured:
    """From a stop to the reviewer's first request, against a whole `claude -p --resume`."""
    with scripted() as model:
        environ = home(directory, model.url)
        claude = next(p for p in map(Path, sys.path) if (p / "claude_agent_sdk").is_dir())
        binary = claude / "claude_agent_sdk" / "_bundled" / "claude"
        (directory / "bin" / "claude").symlink_to(binary)
        reviews, resumes = [], []
        for _ in range(REVIEWS):
            before = len(model.requests)
            printed = run((CCC, "kimi", "-p", "/supervisor do it", *JSON), environ)
            stopped, reviewed = model.requests[before : before + 2]
            reviews.append(reviewed.received_at - stopped.received_at)
            resume = ("--resume", json.loads(printed)["session_id"], "-p", "plain")
            begun = time.perf_counter()
            run((str(binary), *resume), {**environ, **provider(model.url)})
            resumes.append(time.perf_counter() - begun)
    return Measured(
        "from a stop to the reviewer's first request",
        statistics.median(reviews),
        statistics.median(resumes),
        2.0,
    )


STREAM = """
import json, resource, statistics, sys, time
from ccc.claude.conversation import Talk
from ccc.claude import stream
from ccc.storage.journal import Journal
from ccc.storage.paths import Paths
directory, file = sys.argv[1:]
journal = Journal(Paths(directory, directory, directory), "bench")
def alone():
    with open(file, "rb") as lines:
        for line in lines:
            json.loads(line)
def ours():
    talk, framer = Talk(journal.agent, lambda text: None), stream.Framer()
    with open(file, "rb", buffering=0) as chunks:
        while chunk := chunks.read(1 << 16):
            for line in framer.feed(chunk):
                talk.line(line, stream.message(line))
    assert len(talk.results) == 1 and not talk.malformed
times = {alone: [], ours: []}
for work in (alone, ours) * 3:
    begun = time.perf_counter()
    work()
    times[work].append(time.perf_counter() - begun)
unit = 1 if sys.platform == "darwin" else 1024
memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
print(json.dumps([*map(statistics.median, times.values()), memory]))
"""
STREAM_BYTES = 100_000_000
STREAM_MEMORY = 100_000_000


def stream_of_an_agent(directory: Path) -> Measured:
    """100 MB of stream-json through framer, parser and journal, against `json.loads` alone."""
    directory.mkdir()
    file = directory / "agent.jsonl"
    with open(file, "w") as lines:
        written = 0
        for size in itertools.cycle((200, 2_000, 2_000, 20_000, 1_000_000)):
            text = 'a line of "output"\\n' * (size // 20)
            message = {"role": "assistant", "content": [{"type": "text", "text": text}]}
            written += lines.write(json.dumps({"type": "assistant", "message": message}) + "\n")
            if written >= STREAM_BYTES:
                break
        lines.write(json.dumps({"type": "result", "subtype": "success", "result": "ok"}) + "\n")
    done = subprocess.run(
        (PYTHON, "-c", STREAM, str(directory), str(file)), stdout=subprocess.PIPE, check=True
    )
    alone, ours, memory = json.loads(done.stdout)
    assert memory < STREAM_MEMORY, f"{memory / 1e6:.0f} MB of memory"
    return Measured("100 MB of stream-json, kept and read", ours, alone, 2.0)


JSON = ("--output-format", "json")


@contextmanager
def scripted() -> Iterator[ScriptedModel]:
    """A model that is done at once, and a reviewer that agrees."""
    asked = said_last("ccc, which supervises this session")
    rules = [
        Rule(every(agent_turn(), asked), answer('{"completed": true, "feedback": ""}')),
        Rule(agent_turn(), answer("Done.")),
    ]
    with ScriptedModel(Scenario(rules), max_seconds=300) as model:
        yield model


def provider(url: str) -> dict[str, str]:
    """A provider's variables."""
    return {
        "ANTHROPIC_BASE_URL": url,
        "ANTHROPIC_AUTH_TOKEN": "sk-bench",
        "ANTHROPIC_MODEL": "kimi-k2.7-code",
    }


def home(directory: Path, url: str) -> dict[str, str]:
    """A home with a provider, and the environment of a user there."""
    claude_dir = directory / "home" / ".claude"
    claude_dir.mkdir(parents=True)
    (directory / "bin").mkdir()
    config = {"providers": {"kimi": {"env": provider(url)}, "glm": {"env": provider(url)}}}
    (claude_dir / "ccc.json").write_text(json.dumps(config, indent=2))
    return {
        "HOME": str(directory / "home"),
        "PATH": f"{directory / 'bin'}:/usr/bin:/bin",
        "LANG": "en_US.UTF-8",
        "DISABLE_TELEMETRY": "1",
        "DISABLE_AUTOUPDATER": "1",
        "DISABLE_ERROR_REPORTING": "1",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "IS_SANDBOX": "1",
    }


def run(argv: tuple[str, ...], environ: dict[str, str]) -> str:
    """Run a command in the home; what it prints."""
    done = subprocess.run(
        argv,
        env=environ,
        cwd=environ["HOME"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        timeout=60,
        check=True,
        text=True,
    )
    return done.stdout


if __name__ == "__main__":
    os.chdir(tempfile.gettempdir())
    sys.exit(main())
