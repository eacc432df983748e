"""Generate docs/benchmarks.md from a run."""

import os
import platform
import re
import subprocess
import textwrap
import time
from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import version
from pathlib import Path

from bench.costs import WAYS
from bench.scene import claude
from bench.table import Measured, Row
from ccc import __version__

FILE = Path(__file__).parent.parent / "docs" / "benchmarks.md"
_HEAD = """\
# Benchmarks

The results of one run. `make bench BENCH_ARGS=--write` generates this page; don't edit it.
"""
_BELOW = """\
Milliseconds and megabytes depend on the machine; the ratios don't. Each ratio compares a value with
a reference measured alternately in the same run, by their medians. A limit guards against
regressions. It is about 1.3 times the measured ratio, since machines are noisy. `make bench` fails
if a ratio is past its limit.

```sh
make bench                                   # measure, print these tables, check the limits
make bench BENCH_ARGS="--only memory"        # one section; --quick gives rough results
make bench BENCH_ARGS=--write                # measure and write this page
```

It needs no account and no network: claude is real, the model is scripted (`src/ccc/scripted`).
"""


def facts() -> dict[str, str]:
    """Return the date, the machine and the versions, but nothing that identifies the machine."""
    gigabytes = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    done = subprocess.run(
        [claude(), "--version"],
        env={"HOME": "/nonexistent", "PATH": os.defpath, "DISABLE_AUTOUPDATER": "1"},
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    )
    release = re.match(r"[\d.]*\d", platform.release())
    return {
        "date": time.strftime("%Y-%m-%d"),
        "machine": f"{_processor()}, {os.cpu_count()} cores, {gigabytes:.0f} GB",
        "load": _busy(os.getloadavg()[0], os.cpu_count() or 1),
        "system": f"{platform.system()} {release.group() if release else ''}".strip(),
        "Python": platform.python_version(),
        "claude": done.stdout.split()[0],
        "claude-agent-sdk": version("claude-agent-sdk"),
        "ccc": __version__,
    }


def _busy(load: float, cores: int) -> str:
    text = f"{load:.1f} at the start"
    return f"{text}: too high for reliable times" if load > cores / 2 else text


def _processor() -> str:
    try:
        match = re.search(r"^model name\s*: (.+)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    except OSError:
        match = None
    return match.group(1) if match else platform.machine()


def page(measured: Measured, environment: Mapping[str, str]) -> str:
    """Render the page."""
    parts = [_HEAD, "\n".join(_table(("", ""), environment.items())) + "\n", _BELOW]
    for section, rows in measured:
        parts.append(f"## {section.title}\n\n{_wrapped(section.about)}\n")
        parts.append("\n".join(_table(("", *section.all_heads), map(_cells, rows))) + "\n")
        notes = [(case.name.strip(), case.means) for case in section.cases if case.means]
        if not notes:
            notes = [(way.name, way.means) for way in WAYS]
        parts.append("\n".join(_wrapped(f"- **{n}**: {means}", "  ") for n, means in notes) + "\n")
    return "\n".join(parts)


def _wrapped(text: str, indent: str = "") -> str:
    return textwrap.fill(text, 100, subsequent_indent=indent, break_on_hyphens=False)


def _cells(row: Row) -> tuple[str, ...]:
    """Return a row's cells, and mark a row that exceeds its limit."""
    name, (*figures, limit) = row.case.name.strip(), row.all_cells
    if row.reason:
        return (name, *figures, f"{limit} (skipped: {row.reason})")
    return (name, *figures, limit if row.holds else f"{limit}: past it")


def _table(heads: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    yield _line(heads)
    yield "|---|" + "---:|" * (len(heads) - 1)
    yield from map(_line, rows)


def _line(cells: tuple[str, ...]) -> str:
    return "| " + " | ".join(cells) + " |"
