"""`ccc doctor`: what is as it should be, what is not, and what to do about it."""

import os

from ccc import failure, words
from ccc.claude.formats import origin
from ccc.commands.doctor import environment, installation, sandbox_trial
from ccc.commands.doctor.findings import OK, PROBLEM, WARNING, Case, Finding, case_of
from ccc.storage.paths import display_path
from ccc.system import processes, terminal
from ccc.ui import rich_output
from ccc.ui.arguments import Parser

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import Console

    from ccc.claude.formats.origin import Origin
    from ccc.storage.paths import Paths

_MARKS = {OK: ("✓", "green"), WARNING: ("!", "yellow"), PROBLEM: ("✗", "red")}


def main(line: list[str]) -> int:
    """Examine, mend where told to, and say it; 1 where a problem is left."""
    paths, said = build_parser().begin(line)
    bad = _mended(paths, said.provider) if said.fix else {}
    case = _case(paths, said.provider)
    found = _examined(case, said.is_tried)
    if said.json:
        return _as_json(case, list(found), bad)
    console, findings = rich_output.console(), []
    for finding in found:
        findings.append(finding)
        if finding.mark == OK:
            _show(console, finding, bad)
    _show_variables(console, environment.variables(case), said.all)
    # what is wrong comes last, so that it does not scroll away
    for finding in sorted(findings, key=lambda finding: finding.mark == PROBLEM):
        if finding.mark != OK:
            _show(console, finding, bad)
    return _summed_up(findings, "ccc" if case.config else "claude")


def build_parser() -> Parser:
    """The options of `ccc doctor`."""
    parser = Parser("doctor")
    parser.add_argument("provider", nargs="?", default="")
    parser.add_flags("--fix", "--all", "--json")
    parser.add_argument("--try", dest="is_tried", action="store_true")
    return parser


def _case(paths: "Paths", provider: str) -> Case:
    return case_of(os.environ, paths, provider, processes.sessions_alive())


def _examined(case: Case, is_tried: bool) -> "Iterator[Finding]":
    """Every finding, as it is found."""
    yield from environment.programs(case)
    yield from installation.pieces(case)
    yield from environment.hooks(case)
    yield environment.can_sandbox(case)
    yield from sandbox_trial.findings(case, is_tried)
    yield environment.status_line(case)
    yield from environment.unset(case)
    yield from environment.contested(case, environment.variables(case))


def _mended(paths: "Paths", provider: str) -> dict[str, str]:
    """Repair ccc's own files; what was bad before, by its name."""
    case = _case(paths, provider)
    bad = {
        finding.name: finding.mark for finding in installation.pieces(case) if finding.mark != OK
    }
    for problem in installation.repair(case):
        if problem.hint != "settings.hint":  # which is among the findings, and about a launch
            failure.tell(problem)
    return bad


def _show(console: "Console", finding: Finding, bad: dict[str, str]) -> None:
    """One line, with its remedy below."""
    mark, colour = _MARKS[finding.mark]
    if finding.mark == OK and finding.remedy:
        mark = "·"
    what = finding.what
    if finding.mark == OK and finding.name in bad:
        what = words.say("doctor.fixed", what=what)
    rich_output.item(console, rich_output.text(mark, colour), rich_output.text(what))
    if finding.remedy:
        remedy = rich_output.text(f"→ {finding.remedy}", "dim" if finding.mark == OK else "")
        rich_output.item(console, rich_output.text(" "), remedy)


def _show_variables(console: "Console", origins: "Sequence[Origin]", every: bool) -> None:
    """Where the variables come from: those that more than one place has, or every one."""
    for each in origins:
        others = ", ".join(map(_place, each.beaten))
        if not every and not others:
            continue
        told = "doctor.variable_over" if others else "doctor.variable"
        place = _place(each.source)
        if not place:
            told = "doctor.variable_out"
        line = words.say(told, name=each.name, value=_value(each), place=place, others=others)
        rich_output.item(console, rich_output.text("·"), rich_output.text(line))


def _value(each: "Origin") -> str:
    """The value, as far as it is surely no secret."""
    if each.source.kind == origin.NOBODY:
        return words.say("doctor.value_none")
    if each.source.kind == origin.ADDED:
        return str(each.value)
    if each.value == "":
        return words.say("doctor.value_empty")
    if each.value is None:
        return words.say("doctor.value_elsewhere")
    return origin.shown(each.name, each.value) or words.say("doctor.value_hidden")


def _place(source: "origin.Source") -> str:
    if source.kind in (origin.ADDED, origin.NOBODY):
        return "ccc" if source.kind == origin.ADDED else ""
    if source.kind == origin.PROCESS:
        return words.say("doctor.from_process")
    if source.kind in (origin.PROVIDER, origin.BASE):
        whose = "doctor.from_provider" if source.kind == origin.PROVIDER else "doctor.from_base"
        return words.say(whose)
    here = os.getcwd().rstrip("/") + "/"
    inside = source.file.startswith(here)
    return source.file.removeprefix(here) if inside else display_path(source.file)


def _summed_up(findings: "Sequence[Finding]", program: str) -> int:
    count = {mark: sum(f.mark == mark for f in findings) for mark in _MARKS}
    print()
    if count[PROBLEM] or count[WARNING]:
        print(words.say("doctor.sum", problems=count[PROBLEM], warnings=count[WARNING]))
    else:
        print(words.say("doctor.well"))
    if not count[PROBLEM]:
        print(words.say("doctor.next", program=program))
    return 1 if count[PROBLEM] else 0


def _as_json(case: Case, findings: "Sequence[Finding]", bad: dict[str, str]) -> int:
    problems = sum(finding.mark == PROBLEM for finding in findings)
    report = {
        "problems": problems,
        "warnings": sum(finding.mark == WARNING for finding in findings),
        "findings": [
            {
                "name": finding.name,
                "mark": finding.mark,
                "what": finding.what,
                "remedy": finding.remedy,
                "mended": finding.mark == OK and finding.name in bad,
            }
            for finding in findings
        ],
        "variables": [
            {
                "name": each.name,
                "value": _value(each),
                "from": _place(each.source),
                "wins_over": [_place(source) for source in each.beaten],
                "as_configured": each.as_configured,
            }
            for each in environment.variables(case)
        ],
    }
    print(terminal.as_json(report, indent=2))
    return 1 if problems else 0
