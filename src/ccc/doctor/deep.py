"""`ccc doctor --deep`: test the claude that ccc would run, show the answers and store them."""

import contextlib
import os
from argparse import Namespace
from collections.abc import Iterator

from rich.console import Console

from ccc import failure, words
from ccc.claude import binary, known_claudes
from ccc.claude.capabilities import CAPABILITIES, REFUSE, Answers
from ccc.errors import CccError
from ccc.selftest import questions, selftest
from ccc.selftest.selftest import Report
from ccc.storage import files
from ccc.storage.paths import Paths, display_path, own_program
from ccc.system import private_files, spawn, terminal
from ccc.ui import rich_output

_SECONDS = 60.0
# with a low priority beside other programs
_QUIET_SECONDS = 300.0


def main(paths: Paths, options: Namespace) -> int:
    """Test claude; return 1 if it lacks something that ccc can't do without."""
    # a front end may have started another one than a launch would find
    claude = options.claude or binary.find(os.environ, own_program()).path
    if options.quiet:
        # beside a launch: without a word, and never twice at a time
        with contextlib.suppress(CccError, OSError), _one_at_a_time(paths.state_dir):
            report = _test(claude, options.interactive, _ignore, _QUIET_SECONDS)
            if not report.is_late:
                _store(paths, claude, report)
        return 0
    console, trouble = rich_output.console(), None
    is_plain = options.json or not console.is_terminal
    with _one_at_a_time(paths.state_dir):
        title = words.say("selftest.begin", file=display_path(claude))
        if not is_plain:
            console.print(rich_output.text(title, "bold"))
        count = len(CAPABILITIES) - (0 if options.interactive else len(questions.INTERACTIVE))
        show = contextlib.nullcontext(_ignore) if is_plain else _show_progress(console, count)
        with show as on_answer:
            report = _test(claude, options.interactive, on_answer, _SECONDS)
        try:
            _store(paths, claude, report)
        except CccError as error:
            trouble = error  # the user sees the answers at least
    if options.json:
        print(terminal.as_json(_as_json(claude, report), indent=2))
    else:
        _print_report(console, report, title if is_plain else "")
    if trouble:
        failure.tell(trouble)
    is_refused = any(CAPABILITIES[name] == REFUSE for name in report.missing)
    return 1 if is_refused else 0


def _ignore(name: str, answer: bool) -> None:
    pass


@contextlib.contextmanager
def _one_at_a_time(directory: str) -> Iterator[None]:
    """Hold a lock on the directory itself, which leaves no file."""
    files.make_directory(directory)
    held = os.open(directory, os.O_RDONLY | os.O_CLOEXEC)
    try:
        if not private_files.try_lock(held):
            raise CccError("selftest.busy")
        yield
    finally:
        os.close(held)


def _test(
    claude: str, is_interactive: bool, on_answer: selftest.OnAnswer, seconds: float
) -> Report:
    """Test claude, and leave no process and no file even if a signal ends ccc."""
    spawn.clean_up_after(KeyboardInterrupt)
    program = own_program()
    return selftest.run(program, claude, is_interactive, on_answer, seconds=seconds)


def _store(paths: Paths, claude: str, report: Report) -> None:
    """Store the answers, with what was known before about what wasn't tested now."""
    before = known_claudes.load(paths, claude)
    if before is None or before.version != report.version:  # a script may start another claude now
        before = known_claudes.of_version(report.version)
    missing = {*report.missing, *filter(before.lacks, report.unknown)}
    unknown = {*report.unknown} & (before.unknown if before.version else CAPABILITIES.keys())
    known_claudes.save(paths, claude, Answers(report.version, missing, unknown))


def _as_json(claude: str, report: Report) -> dict[str, object]:
    return {
        "claude": claude,
        "version": report.version,
        "missing": list(report.missing),
        "unknown": list(report.unknown),
        "capabilities": {name: report.answers.get(name) for name in CAPABILITIES},
        "seconds": round(report.seconds, 1),
    }


@contextlib.contextmanager
def _show_progress(console: Console, count: int) -> Iterator[selftest.OnAnswer]:
    """Print one line per answer as it arrives, above a spinner."""
    done = 0

    def spinner() -> str:
        return words.say("selftest.working", done=done, all=count)

    with console.status(spinner(), spinner="dots") as status:

        def show(name: str, answer: bool) -> None:
            nonlocal done
            done += 1
            _print_answer(console, name, answer)
            status.update(spinner())

        yield show


def _print_report(console: Console, report: Report, title: str) -> None:
    """Print what wasn't printed yet, which is everything with a title, and the sum."""
    if title:
        console.print(rich_output.text(title))
    for name in CAPABILITIES:
        if title or name not in report.answers:
            _print_answer(console, name, report.answers.get(name))
    console.print()
    params: dict[str, object] = {"version": report.version, "all": len(CAPABILITIES)}
    params |= {"seconds": f"{report.seconds:.1f}", "known": len(report.answers)}
    if report.missing:
        advice = known_claudes.advise(Answers(report.version))
        params |= {"missing": len(report.missing), "advice": advice}
    message = "lacks" if report.missing else "part" if report.unknown else "well"
    sum_up = rich_output.text(words.say(f"selftest.{message}", **params))
    for line in rich_output.wrap(sum_up, console.width):
        console.print(line, soft_wrap=True)


def _print_answer(console: Console, name: str, answer: bool | None) -> None:
    mark, colour = {True: ("✓", "green"), False: ("✗", "red"), None: ("?", "yellow")}[answer]
    what = words.say(f"selftest.{name}")
    if answer is None:
        what = words.say("selftest.not_tested", what=what)
    rich_output.item(console, what, mark=mark, colour=colour)
    if remedy := _remedy(name, answer):
        rich_output.item(console, f"→ {remedy}")


def _remedy(name: str, answer: bool | None) -> str:
    if answer is False:
        return words.say("ask.wrong", problem=words.say(f"client.{name}"))
    if answer is None and name in questions.INTERACTIVE:
        return words.say("selftest.not_tested_interactive")
    if answer is None and name == "reviewer_bash":
        return words.say("selftest.not_tested_sandbox")
    return ""
