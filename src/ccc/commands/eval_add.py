"""`ccc eval add SESSION`: make a case of one's own out of a recorded session."""

import os
import shlex
import sys
from collections.abc import Iterator

from ccc import words
from ccc.evaluation import own_secrets, recorded_case, tables
from ccc.evaluation.recorded_case import Label, Recording
from ccc.sessions import lookup, marks
from ccc.storage.paths import display_path
from ccc.system import terminal
from ccc.ui import formatting
from ccc.ui.arguments import Parser

_TRUTHS = ("done", "not-done")
_MOST_NAMES = 4


def main(line: list[str]) -> int:
    """Write the case, and say what is missing from it and how to measure with it."""
    where, options = build_parser().begin(line)
    kind = tables.find_kind(options.kind)
    session = lookup.find(where, options.SESSION)
    each = marks.find_round(session, options.round or 0)
    recording = recorded_case.record(where, session, each)
    projects = recorded_case.projects_of(recording)
    scrubber, unreadable = own_secrets.scrubber_for(where, projects, os.environ)
    cases = os.path.abspath(options.cases) if options.cases else where.cases
    label = Label(kind, options.truth == "done", options.title)
    directory = recorded_case.write(recording, scrubber, label, cases)
    round_ = f"{formatting.round_name(each)} · {formatting.outcome(each.outcome)}"
    notes = [words.say("eval.added", file=display_path(directory), round=round_)]
    for text in (*notes, *_notes(recording, unreadable), words.say("eval.read_first")):
        print(terminal.fit(terminal.plain(text), sys.stdout))
    place = shlex.quote(cases) if shlex.quote(cases) != cases else display_path(cases)
    print(f"  ccc eval --cases {place} --no-model\n  ccc eval --cases {place}")
    return 0


def build_parser() -> Parser:
    """Build the parser for `ccc eval add`."""
    parser = Parser("eval")
    parser.add_argument("--truth", choices=_TRUTHS, required=True)
    parser.add_argument("--kind", required=True)
    parser.add_argument("--round", type=int)
    for name in ("--cases", "--title"):
        parser.add_argument(name, default="")
    parser.add_argument("SESSION")
    return parser


def _notes(recording: Recording, unreadable: list[str]) -> Iterator[str]:
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
