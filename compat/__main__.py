"""Test the versions, print the table, write the pages; fail if a journey fails silently."""

import argparse
import platform
import sys
import time
import traceback
from collections.abc import Iterator, Mapping, Sequence

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
    spawn.clean_up_after(KeyboardInterrupt)
    measured: dict[str, tuple[Report, Mapping[str, Result]]] = {}
    is_fine = True
    for version in dict.fromkeys(versions):
        for problem in _test(version, options, measured):
            print(f"{version}: {problem}", flush=True)
            is_fine = False
    return 0 if is_fine else 1


def _test(
    version: str,
    options: argparse.Namespace,
    measured: dict[str, tuple[Report, Mapping[str, Result]]],
) -> Iterator[str]:
    """Test a version, and yield each problem as soon as it is known."""
    try:
        measured[version] = _measure(version)
        yield from _problems(*measured[version], is_newest=options.newest)
        if options.write:  # after each version: a run takes a quarter of an hour
            page.ship(measured)
            page.write(measured, f"{platform.system()} {platform.machine()}")
        if options.facts:
            start, names = time.monotonic(), facts.failures(clients.fetch(version))
            _say(version, f"facts that fail: {len(names)}", start)
            yield from (f"{name} fails" for name in names)
    except CccError as error:
        yield str(error)
    except Exception as error:
        traceback.print_exc()
        yield f"the test itself failed: {type(error).__name__}: {error}"


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


def _problems(report: Report, results: Mapping[str, Result], is_newest: bool) -> Iterator[str]:
    """Yield what must not be: silent failures, open questions, a gap in the newest version."""
    for name, result in results.items():
        if result.kind == SILENT:
            yield f"{name} fails silently: {result.detail}"
    for name in report.unknown:
        yield f"{name} could not be tested"
    for name in report.missing if is_newest else ():
        yield f"{name} is missing"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
