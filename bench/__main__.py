"""Measure, print the tables, check the limits; `--write` generates docs/benchmarks.md."""

import argparse
import sys
import tempfile
import time
from pathlib import Path

from bench import page
from bench.costs import COSTS
from bench.judgement import EXPERIMENTS, SIGNALS
from bench.memory import MEMORY
from bench.queue import QUEUE
from bench.speed import LAUNCHES, LOOKS, STARTS, STOPS
from bench.streams import STREAMS
from bench.table import Row, Section, text
from bench.web import WEB

SECTIONS = (
    *(STARTS, LAUNCHES, STOPS, SIGNALS, EXPERIMENTS, COSTS),
    *(QUEUE, WEB, LOOKS, STREAMS, MEMORY),
)


def main(line: list[str]) -> int:
    """Run the benchmarks that the command line selects."""
    parser = argparse.ArgumentParser("make bench", usage='make bench BENCH_ARGS="[options]"')
    names = [section.name for section in SECTIONS]
    parser.add_argument(
        "--only", action="append", choices=names, help="run this section; repeatable"
    )
    parser.add_argument("--quick", action="store_true", help="fewer repetitions, rough results")
    parser.add_argument("--write", action="store_true", help="write docs/benchmarks.md")
    options = parser.parse_args(line)
    if options.write and (options.only or options.quick):
        parser.error("--write needs a whole run: remove --only and --quick")
    facts = page.facts()
    measured: list[tuple[Section, list[Row]]] = []
    with tempfile.TemporaryDirectory() as directory:
        for section in SECTIONS:
            if section.name in (options.only or names):
                rows = _measure(section, Path(directory), options.quick)
                measured.append((section, rows))
        print(", ".join(f"{name} {value}" for name, value in facts.items()), end="\n\n")
        print(text(measured), flush=True)
        if options.write:
            page.FILE.write_text(page.page(measured, facts), "utf-8")
            print(f"\nwritten to docs/{page.FILE.name}", flush=True)
    return int(not all(row.holds for _, rows in measured for row in rows))


def _measure(section: Section, directory: Path, quick: bool) -> list[Row]:
    """Measure a section, and show its progress on stderr."""
    print(f"{section.name} …", end=" ", flush=True, file=sys.stderr)
    start = time.monotonic()
    rows = section.measure(directory / section.name, quick)
    print(f"{time.monotonic() - start:.0f} s", file=sys.stderr)
    return rows


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
