"""Findings about what claude lacks, from what is known about it."""

from collections.abc import Iterator

from ccc import words
from ccc.claude import answers, binary
from ccc.claude.capabilities import CAPABILITIES, REFUSE
from ccc.commands.doctor.findings import Case, Finding, bad, ok, warn
from ccc.errors import CccError


def examine(case: Case) -> Iterator[Finding]:
    """Yield what claude lacks, without running it."""
    try:
        known = answers.find(case.paths, binary.find(case.environ, case.ccc_path))
    except CccError:
        return  # the finding about the program says so
    if known is None:
        yield ok("client", "client.unknown", "client.unknown_hint")
    elif not known.missing:
        yield ok("client", "client.complete", client=known.version)
    else:
        message, params = answers.advice(known)
        advice = words.say(message, **params)
        for name in filter(known.lacks, CAPABILITIES):
            report = bad if CAPABILITIES[name].without == REFUSE else warn
            what = words.say(f"client.{name}")
            yield report(
                f"client.{name}", "client.lacks", client=known.version, what=what, advice=advice
            )
