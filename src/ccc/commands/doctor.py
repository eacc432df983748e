"""`ccc doctor`: find problems, and say how to fix them."""

import argparse
import os
from collections.abc import Iterator, Sequence

from msgspec import to_builtins
from rich.console import Console

from ccc import failure, words
from ccc.claude.formats import variable_origin
from ccc.claude.formats.variable_origin import Origin
from ccc.doctor import deep, environment, installation, sandbox_probe
from ccc.doctor.findings import OK, PROBLEM, WARNING, Finding, UserSetup, read_setup
from ccc.storage.paths import Paths, display_path
from ccc.system import processes, terminal
from ccc.ui import rich_output
from ccc.ui.arguments import Parser

_MARKS = {OK: ("✓", "green"), WARNING: ("!", "yellow"), PROBLEM: ("✗", "red")}
_PLACES = {
    variable_origin.PROCESS: "doctor.from_process",
    variable_origin.PROVIDER: "doctor.from_provider",
    variable_origin.BASE: "doctor.from_base",
}


def main(line: list[str]) -> int:
    """Examine, fix if asked to, and report; return 1 if a problem remains."""
    parser = build_parser()
    paths, options = parser.begin(line)
    if options.deep:
        return deep.main(paths, options)
    if options.interactive:
        parser.error(words.say("doctor.interactive_alone"))
    fixed = _fix(paths, options.provider) if options.fix else set()
    setup = _read(paths, options.provider)
    if options.json:
        findings = list(_examine(setup, options.tries))
        print(terminal.as_json(_report(setup, findings, fixed), indent=2))
    else:
        findings = _print(setup, _examine(setup, options.tries), fixed, options.all)
    return 1 if _count(findings, PROBLEM) else 0


def build_parser() -> Parser:
    """Build the parser for `ccc doctor`."""
    parser = Parser("doctor")
    parser.add_argument("provider", nargs="?", default="")
    parser.add_flags("--fix", "--all", "--json", "--deep", "--interactive")
    parser.add_argument("--quiet", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--claude", default="", help=argparse.SUPPRESS)
    parser.add_argument("--try", dest="tries", action="store_true")
    return parser


def _read(paths: Paths, provider: str) -> UserSetup:
    return read_setup(os.environ, paths, provider, processes.sessions_alive())


def _examine(setup: UserSetup, tries: bool) -> Iterator[Finding]:
    yield from environment.programs(setup)
    yield from environment.client(setup)
    yield from installation.examine(setup)
    yield from environment.hooks(setup)
    yield from environment.reviewer_sandbox(setup)
    yield from sandbox_probe.examine(setup, tries)
    yield from environment.status_line(setup)
    yield from environment.permission_mode(setup)
    yield from environment.unset_keys(setup)
    yield from environment.variables(setup)


def _fix(paths: Paths, provider: str) -> set[str]:
    """Repair ccc's own files; return the names of the problems found before."""
    setup = _read(paths, provider)
    names = {each.name for each in installation.examine(setup) if each.mark != OK}
    for problem in installation.repair(setup):
        if problem.hint != "settings.shape":  # this one is reported as a finding
            failure.tell(problem)
    return names


def _count(findings: Sequence[Finding], mark: str) -> int:
    return sum(each.mark == mark for each in findings)


def _print(
    setup: UserSetup, examination: Iterator[Finding], fixed: set[str], every: bool
) -> list[Finding]:
    """Print the findings as they arrive, with problems at the end, where they stay visible."""
    console, findings = rich_output.console(), []
    for each in examination:
        findings.append(each)
        if each.mark == OK:
            _print_finding(console, each, fixed)
    for variable in environment.origins(setup):
        if every or variable.beaten:
            _print_variable(console, variable)
    for mark in (WARNING, PROBLEM):
        for each in findings:
            if each.mark == mark:
                _print_finding(console, each, fixed)
    problems, warnings = _count(findings, PROBLEM), _count(findings, WARNING)
    print()
    if problems or warnings:
        print(words.say("doctor.sum", problems=problems, warnings=warnings))
    else:
        print(words.say("doctor.well"))
    if not problems:
        print(words.say("doctor.next", program="ccc" if setup.has_config else "claude"))
    return findings


def _print_finding(console: Console, finding: Finding, fixed: set[str]) -> None:
    is_ok = finding.mark == OK
    mark, colour = _MARKS[finding.mark]
    what = finding.what
    if is_ok and finding.name in fixed:
        what = words.say("doctor.fixed", what=what)
    mark = "·" if is_ok and finding.remedy else mark
    rich_output.item(console, what, mark=mark, colour=colour)
    if finding.remedy:
        rich_output.item(console, f"→ {finding.remedy}", "dim" if is_ok else "")


def _print_variable(console: Console, variable: Origin) -> None:
    others, place = ", ".join(map(_place, variable.beaten)), _place(variable.source)
    message = "doctor.variable_over" if others else "doctor.variable"
    text = words.say(
        message if place else "doctor.variable_out",
        name=variable.name,
        value=_value(variable),
        place=place,
        others=others,
    )
    rich_output.item(console, text, mark="·")


def _value(variable: Origin) -> str:
    """Return the value if it certainly isn't a secret."""
    if variable.source.kind == variable_origin.NOBODY:
        return words.say("doctor.value_none")
    if variable.source.kind == variable_origin.ADDED:
        return str(variable.value)
    if variable.value == "":
        return words.say("doctor.value_empty")
    if variable.value is None:
        return words.say("doctor.value_elsewhere")
    return variable_origin.displayable(variable.name, variable.value) or words.say(
        "doctor.value_hidden"
    )


def _place(source: variable_origin.Source) -> str:
    if source.kind in (variable_origin.ADDED, variable_origin.NOBODY):
        return "ccc" if source.kind == variable_origin.ADDED else ""
    if source.kind in _PLACES:
        return words.say(_PLACES[source.kind])
    here = os.getcwd().rstrip("/") + "/"
    inside = source.file.startswith(here)
    return source.file.removeprefix(here) if inside else display_path(source.file)


def _report(setup: UserSetup, findings: list[Finding], fixed: set[str]) -> dict[str, object]:
    return {
        "problems": _count(findings, PROBLEM),
        "warnings": _count(findings, WARNING),
        "findings": [
            {**to_builtins(each), "fixed": each.mark == OK and each.name in fixed}
            for each in findings
        ],
        "variables": [
            {
                "name": each.name,
                "value": _value(each),
                "from": _place(each.source),
                "wins_over": [_place(source) for source in each.beaten],
                "as_configured": each.as_configured,
            }
            for each in environment.origins(setup)
        ],
    }
