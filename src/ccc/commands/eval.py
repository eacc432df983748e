"""`ccc eval`: how well checks, signals and a reviewer judge, measured on golden cases.

`ccc eval add SESSION` makes a case of one's own out of a recorded session.
"""

import argparse
import os
import shlex
import sys
from collections.abc import Iterator

from msgspec import to_builtins

from ccc import words
from ccc.errors import CccError
from ccc.evaluation import case, experiment, export, recorded_case, score, tables, trial
from ccc.evaluation.experiment import Experiment
from ccc.evaluation.own_secrets import scrubber_for
from ccc.evaluation.recorded_case import Label, Recording
from ccc.evaluation.score import CaseResult
from ccc.evaluation.trial import Judge
from ccc.providers.prices import Prices
from ccc.sessions import lookup
from ccc.storage import files
from ccc.storage.paths import Paths, display_path
from ccc.system import terminal
from ccc.ui import formatting, prompts
from ccc.ui.arguments import Parser, number

VERBS = ("add",)
_TRUTHS = ("done", "not-done")
_MOST_NAMES = 4
_INTERRUPTED = 130


def main(line: list[str]) -> int:
    """Measure, and print a table; or make a case."""
    if line[:1] == ["add"]:
        return _add(line[1:])
    where, options = build_parser().begin(line)
    if options.compare:
        first, second = (_stored(where, name) for name in options.compare)
        found = score.compare(first, second)
        if options.json:
            values = {"names": options.compare, **to_builtins(found), "p": found.p}
            print(terminal.as_json(values))
        else:
            tables.print_comparison(found, options.compare)
        return 0
    cases = _cases(options.cases, options.kind, options.only)
    if options.export:
        return _export(options.export, cases)
    prompt = os.path.abspath(options.prompt) if options.prompt else ""
    who = None if options.no_model else Judge(options.provider, options.model, prompt)
    reviewer, price = trial.check(who) if who else ("", None)
    # one case must not replace the results of all
    name = options.name or ("" if options.only else "last")
    file = _file(where, name) if who and name else ""
    plan = Experiment(
        cases,
        judge=who,
        epochs=options.epochs,
        jobs=options.jobs,
        file=file,
        reviewer=reviewer,
        earlier=_earlier(file, reviewer) if options.resume else {},
    )
    if who and plan.left and not _confirm(options, plan, price):
        return 1
    if file and not options.resume:
        files.remove(file)
    results, is_whole = _run(plan)
    results.sort(key=lambda each: (each.case, each.epoch))
    if options.json:
        print(terminal.as_json(tables.values(results, who is not None)))
    elif results:
        tables.print_results(score.rows(results), has_reviewer=who is not None)
    if not is_whole:
        return _INTERRUPTED
    reviews = [each for each in results if who and not each.failed_check]
    return int(bool(reviews) and not any(each.is_judged for each in reviews))


def build_parser(verb: str = "") -> Parser:
    """Build the parser for `ccc eval`, or for its verb."""
    parser = Parser("eval")
    if verb:
        parser.add_argument("--truth", choices=_TRUTHS, required=True)
        parser.add_argument("--kind", required=True)
        parser.add_argument("--round", type=int)
        for name in ("--cases", "--title"):
            parser.add_argument(name, default="")
        parser.add_argument("SESSION")
        return parser
    parser.add_flags("--no-model", "--json", "--yes")
    for name in ("--provider", "--model", "--prompt", "--cases", "--only", "--name", "--kind"):
        parser.add_argument(name, default="")
    for name, most, default in (("--epochs", 100, 1), ("--jobs", 16, min(4, os.cpu_count() or 1))):
        parser.add_argument(name, type=number(1, most), default=default)
    parser.add_argument("--continue", dest="resume", action="store_true")
    parser.add_argument("--compare", nargs=2)
    parser.add_argument("--export", nargs=2)
    return parser


def _export(target: list[str], cases: list[case.GoldenCase]) -> int:
    kind, directory = target
    place = export.export(kind, directory, cases)
    count = words.count("cases", len(cases))
    terminal.tell(words.say("eval.exported", n=count, directory=place))
    # Inspect doesn't take an absolute path of a task's file
    run = f"inspect eval {export.TASK} --model none -T provider=NAME"
    terminal.tell(f"cd {shlex.quote(place)} && {run}", wraps=False)
    return 0


def _cases(directory: str, kind: str, only: str) -> list[case.GoldenCase]:
    number = tables.find_kind(kind) if kind else 0
    place = directory or case.SHIPPED
    cases = case.load_all(place)
    if only:
        cases = [each for each in cases if only in (each.name, each.name.partition("/")[0])]
        if not cases:
            raise CccError("eval.no_case", name=only, directory=place)
    cases = [each for each in cases if number in (0, each.kind)]
    if not cases:
        raise CccError("eval.none", hint="eval.no_kind", kinds=tables.kinds())
    return cases


def _earlier(file: str, reviewer: str) -> dict[tuple[str, int], CaseResult]:
    """Return the verdicts of an interrupted experiment, which has to be of the same reviewer."""
    earlier = experiment.load(file) if file else []
    if others := {each.reviewer for each in earlier} - {reviewer}:
        raise CccError("eval.other_reviewer", then=" · ".join(sorted(others)), now=reviewer)
    return {(each.case, each.epoch): each for each in earlier if each.is_judged}


def _confirm(options: argparse.Namespace, plan: Experiment, price: Prices | None) -> bool:
    """Say how many reviews are to be paid and what they may cost, and ask."""
    reviews = words.count("reviews", len(plan.left))
    message = words.say("eval.unpriced", reviews=reviews, reviewer=plan.reviewer)
    if price:
        cost = f"${len(plan.left) * trial.typical_cost(price):.2f}"
        priced = {"cost": cost, "source": price.source, "calls": trial.TYPICAL_CALLS}
        message = words.say("eval.priced", reviews=reviews, reviewer=plan.reviewer, **priced)
    terminal.tell(message)
    return prompts.confirm(options, "eval", words.say("eval.ask"))


def _file(where: Paths, name: str) -> str:
    if not name.replace("-", "").replace("_", "").isalnum():
        raise CccError("eval.name", name=name)
    return os.path.join(where.state_dir, f"eval-{name}.jsonl")


def _stored(where: Paths, name: str) -> list[CaseResult]:
    results = experiment.load(_file(where, name))
    if not results:
        raise CccError("eval.not_measured", name=name)
    return results


def _run(plan: Experiment) -> tuple[list[CaseResult], bool]:
    """Return the results, and whether these are all; after Ctrl-C, some are missing."""
    wanted = [(each.name, epoch) for each, epoch in plan.wanted]
    results, total = [plan.earlier[key] for key in wanted if key in plan.earlier], len(wanted)
    _show_progress(len(results), total)
    try:
        for each in plan.run():
            results.append(each)
            _show_progress(len(results), total, each.case)
    except KeyboardInterrupt:
        terminal.tell(words.say("eval.interrupted", n=len(results), all=total))
        if plan.file:
            terminal.tell(words.remedy("eval.interrupted"))
        return results, False
    finally:
        if sys.stderr.isatty():
            sys.stderr.write("\r\x1b[K")
    return results, True


def _show_progress(n: int, total: int, case: str = "") -> None:
    """Show how many results there are: on a terminal in one line, else in a line for each."""
    text = words.say("eval.progress", n=n, all=total, case=case).rstrip()
    sys.stderr.write(f"\r{text}\x1b[K" if sys.stderr.isatty() else f"{text}\n")
    sys.stderr.flush()


def _add(line: list[str]) -> int:
    where, options = build_parser("add").begin(line)
    kind = tables.find_kind(options.kind)
    session = lookup.find(where, options.SESSION)
    each = lookup.find_round(session, options.round or 0)
    recording = recorded_case.record(where, session, each)
    scrubber, unreadable = scrubber_for(where, recording.projects)
    cases = os.path.abspath(options.cases) if options.cases else where.cases
    label = Label(kind, options.truth == "done", options.title)
    directory = recorded_case.write(recording, scrubber, label, cases)
    round_ = f"{formatting.round_name(each)} · {formatting.outcome(each.outcome)}"
    notes = [words.say("eval.added", file=display_path(directory), round=round_)]
    for text in (*notes, *_notes_about(recording, unreadable), words.say("eval.read_first")):
        print(terminal.fit(terminal.plain(text), sys.stdout))
    place = shlex.quote(cases) if shlex.quote(cases) != cases else display_path(cases)
    print(f"  ccc eval --cases {place} --no-model\n  ccc eval --cases {place}")
    return 0


def _notes_about(recording: Recording, unreadable: list[str]) -> Iterator[str]:
    """Yield what the case lacks, and what may be wrong with it."""
    for reason, names in recording.work.omitted.items():
        yield words.say(f"eval.omitted_{reason}", names=_some(names))
    if late := recording.late_files:
        yield words.say("eval.late", names=_some(late))
    if recording.round.diff is None:
        yield words.say("eval.unknown_size")
    if unreadable:
        yield words.say("eval.unknown_keys", names=", ".join(unreadable))


def _some(names: list[str]) -> str:
    more = [f"… ({len(names)})"] if len(names) > _MOST_NAMES else []
    return ", ".join([*names[:_MOST_NAMES], *more])
