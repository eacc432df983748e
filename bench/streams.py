"""Measure how fast ccc stores and parses an agent's stream."""

import itertools
import json
from pathlib import Path

from bench.scene import PYTHON, Scene
from bench.table import Case, Row, Section

_SIZES = (200, 2_000, 2_000, 20_000, 1_000_000)
"""Line lengths: mostly prose and tool calls, sometimes a long file."""

_WORK = """
import json, os, statistics, sys, time
from ccc.claude.formats import stream
from ccc.claude.output import OutputListener, Output
from ccc.storage.journal import Journal
from ccc.storage.paths import Paths
directory, lines, rounds = sys.argv[1:]
journal = Journal(Paths({"CLAUDE_CONFIG_DIR": directory}, directory), "bench")
with open(lines, encoding="utf-8") as file:
    texts = file.read().splitlines()
datas = [text.encode() + b"\\n" for text in texts]
def chunks():
    with open(lines, "rb", buffering=0) as file:
        while chunk := file.read(1 << 16):
            yield chunk
def write():
    with open(os.path.join(directory, "plain"), "ab", buffering=0) as out:
        for data in datas:
            out.write(data)
def store():
    for text in texts:
        journal.agent(text)
def parse():
    with open(lines, "rb") as file:
        for line in file:
            json.loads(line)
def store_and_parse():
    output = Output(OutputListener(journal.agent, lambda text: None))
    framer = stream.Framer()
    for chunk in chunks():
        for line in framer.feed(chunk):
            output.read(line, stream.message(line))
    assert len(output.results) == 1
works = (write, store, parse, store_and_parse)
times = {work: [] for work in works}
for work in works * int(rounds):
    start = time.perf_counter()
    work()
    times[work].append(time.perf_counter() - start)
    for name in os.listdir(directory):
        os.remove(os.path.join(directory, name))
print(json.dumps([statistics.median(taken) for taken in times.values()]))
"""


def agent_lines(file: Path, size: int, sizes: tuple[int, ...] = _SIZES) -> int:
    """Write about `size` bytes of stream-json ending with a result; return the line count."""
    count = total = 0
    with open(file, "w") as lines:
        for length in itertools.cycle(sizes):
            text = 'a line of "output"\\n' * (length // 20)
            message = {"role": "assistant", "content": [{"type": "text", "text": text}]}
            total += lines.write(json.dumps({"type": "assistant", "message": message}) + "\n")
            count += 1
            if total >= size:
                break
        lines.write(json.dumps({"type": "result", "subtype": "success", "result": "ok"}) + "\n")
    return count + 1


def streams(directory: Path, quick: bool) -> list[Row]:
    """Compare storing with writing, and storing and parsing with parsing, by line length."""
    scene = Scene(directory)
    rows = []
    cases = iter(STREAMS.cases)
    for sizes, most in ((_SIZES, 100_000_000), ((300,), 10_000_000)):
        file = directory / f"{len(sizes)}.jsonl"
        count = agent_lines(file, most // (10 if quick else 1), sizes)
        out = directory / f"{len(sizes)}"
        out.mkdir()
        arguments = (str(out), str(file), "1" if quick else "5")
        times = json.loads(scene.run((PYTHON, "-c", _WORK, *arguments)))
        for seconds, reference in ((times[1], times[0]), (times[3], times[2])):
            figures = (file.stat().st_size / seconds / 1e6, file.stat().st_size / reference / 1e6)
            cells = (f"{count / seconds:,.0f}", *(f"{figure:,.0f}" for figure in figures))
            rows.append(Row(next(cases), cells, seconds / reference))
    return rows


STREAMS = Section(
    "stream",
    "Journal and stream",
    "Lines of stream-json as printed by an agent of `ccc run` or by a reviewer. The ratio is the "
    "time taken relative to the reference.",
    ("lines/s", "MB/s", "against"),
    (
        Case(
            "stored: typical lines, 100 MB",
            "ccc appends each line to the session's record as it arrives, compared with a write of "
            "the same bytes to an open file. Lines of 200 bytes to 1 MB.",
            4.2,
        ),
        Case(
            "stored and parsed: typical lines, 100 MB",
            "Framed, stored, parsed and examined, compared with `json.loads` of the lines alone.",
            1.7,
        ),
        Case("stored: short lines, 10 MB", "The same with lines of about 400 bytes.", 9.1),
        Case(
            "stored and parsed: short lines, 10 MB", "The same with lines of about 400 bytes.", 6.4
        ),
    ),
    streams,
)
