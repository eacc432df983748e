"""Test the versions, print the table, write the pages; fail if a journey fails silently."""

import argparse
import platform
import signal
import sys
import time
from collections.abc import Mapping, Sequence

from ccc.errors import CccError
from ccc.selftest import selftest
from ccc.selftest.selftest import Report
from ccc.system import spawn
from compat import clients, facts, page
from compat.journeys import CCC, JOURNEYS, SILENT, Result, attempt

_SECONDS = 180.0


def main(line: Sequence[str]) -> int:
    """Test the versions that the command line selects."""
    parser = argparse.ArgumentParser("make compat", usage='make compat COMPAT_ARGS="[options]"')
    parser.add_argument("--version", action="append", help="test this one; repeatable")
    parser.add_argument("--newest", action="store_true", help="test the newest one on npm")
    parser.add_argument("--facts", action="store_true", help="also run the tests of its facts")
    parser.add_argument("--write", action="store_true", help="write the pages and the answers")
    options = parser.parse_args(line)
    versions = list(options.version or [])
    versions += [clients.newest()] if options.newest else []
    versions = versions or [clients.newest(), clients.bundled()[0], *clients.OLDER]
    spawn.handle_end_signals(_interrupt)
    spawn.adopt_orphans()
    measured: dict[str, tuple[Report, Mapping[str, Result]]] = {}
    problems: list[str] = []
    for version in dict.fromkeys(versions):
        try:
            measured[version] = _measure(version)
        except CccError as error:
            problems.append(f"{version}: {error}")
            continue
        problems += _problems(version, *measured[version], is_newest=options.newest)
        problems += _failures(version) if options.facts else []
        if options.write:  # after each version: a run takes a quarter of an hour
            page.ship(measured)
            page.write(measured, f"{platform.system()} {platform.machine()}")
    print("\n".join(problems))
    return 1 if problems else 0


def _interrupt(number: int, frame: object) -> None:
    spawn.handle_end_signals(signal.SIG_IGN)  # while the scratch homes are removed
    raise KeyboardInterrupt


def _measure(version: str) -> tuple[Report, dict[str, Result]]:
    """Run the self-test and the journeys of a version, and show the progress on stderr."""
    claude, start = clients.fetch(version), time.monotonic()
    report = selftest.run(CCC, str(claude), True, lambda *_: None, seconds=_SECONDS)
    _say(version, f"lacks {', '.join(report.missing) or 'nothing'}", start)
    results: dict[str, Result] = {}
    for name in JOURNEYS:
        start = time.monotonic()
        results[name] = attempt(name, claude, report.missing)
        each = results[name]
        told = f" ({', '.join(each.told)})" if each.told else ""
        _say(version, f"{name}: {each.kind}{told} {each.detail}".rstrip(), start)
    return report, results


def _say(version: str, text: str, start: float) -> None:
    seconds = time.monotonic() - start
    print(f"{version}  {text}  [{seconds:.0f} s]", file=sys.stderr, flush=True)


def _problems(
    version: str, report: Report, results: Mapping[str, Result], is_newest: bool
) -> list[str]:
    """Return what must not be: silent failures, open questions, a gap in the newest version."""
    found = [
        f"{version}: {name} fails silently: {result.detail}"
        for name, result in results.items()
        if result.kind == SILENT
    ]
    found += [f"{version}: {name} could not be tested" for name in report.unknown]
    return found + [f"{version}: {name} is missing" for name in report.missing if is_newest]


def _failures(version: str) -> list[str]:
    return [f"{version}: {name} fails" for name in facts.failures(clients.fetch(version))]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
