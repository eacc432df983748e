"""`ccc doctor --deep`: test the claude that ccc would run, show the answers and store them."""

import contextlib
import fcntl
import os
import sys
from argparse import Namespace
from collections.abc import Iterator

from rich.console import Console
from rich.status import Status

from ccc import failure, words
from ccc.claude import binary, clients
from ccc.claude.capabilities import CAPABILITIES, REFUSE, Answers
from ccc.errors import CccError
from ccc.selftest import selftest
from ccc.selftest.selftest import Report
from ccc.storage import files
from ccc.storage.paths import Paths, display_path, own_program
from ccc.supervision import client_report
from ccc.system import end_signals, terminal
from ccc.ui import rich_output

_SECONDS = 60.0
# with a low priority beside other programs
_QUIET_SECONDS = 300.0


def main(paths: Paths, options: Namespace) -> int:
    """Test claude; return 1 if it lacks something that ccc can't do without."""
    if options.quiet:
        return _main_quietly(paths, options)
    console = rich_output.console()
    is_plain = options.json or not console.is_terminal
    with _one_at_a_time(paths.state_dir):
        claude = options.claude or _find_claude()
        progress = _Progress(console, claude, options.interactive, is_plain)
        try:
            report = _test(claude, options.interactive, progress, _SECONDS)
        finally:
            progress.end()
        trouble = _try_to_store(paths, claude, report)
    if options.json:
        print(terminal.as_json(_as_json(claude, report), indent=2))
    else:
        progress.conclude(report)
    if trouble:
        failure.tell(trouble)
    is_refused = any(CAPABILITIES[name].without == REFUSE for name in report.missing)
    return 1 if is_refused else 0


def _main_quietly(paths: Paths, options: Namespace) -> int:
    """Test claude beside a launch: without a word, and never twice at a time."""
    with contextlib.suppress(CccError, OSError), _one_at_a_time(paths.state_dir):
        # a front end may have started another one than a launch would find
        claude = options.claude or _find_claude()
        report = _test(claude, options.interactive, lambda *_: None, _QUIET_SECONDS)
        if not report.is_late:
            _store(paths, claude, report)
    return 0


@contextlib.contextmanager
def _one_at_a_time(directory: str) -> Iterator[None]:
    """Hold a lock on the directory itself, which leaves no file."""
    files.make_directory(directory)
    held = os.open(directory, os.O_RDONLY | os.O_CLOEXEC)
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError:
        raise CccError("selftest.busy") from None
    finally:
        os.close(held)


def _find_claude() -> str:
    return binary.find(os.environ, own_program(sys.argv[0]))


def _test(
    claude: str, is_interactive: bool, on_answer: selftest.OnAnswer, seconds: float
) -> Report:
    """Test claude, and leave no process and no file even if a signal ends ccc."""
    end_signals.clean_up_after(KeyboardInterrupt)
    program = own_program(sys.argv[0])
    return selftest.run(program, claude, is_interactive, on_answer, seconds=seconds)


def _try_to_store(paths: Paths, claude: str, report: Report) -> CccError | None:
    """Store the answers; return the reason if that fails, so that the user sees them at least."""
    try:
        _store(paths, claude, report)
    except CccError as error:
        return error
    return None


def _store(paths: Paths, claude: str, report: Report) -> None:
    """Store the answers, with what was known before about what wasn't tested now."""
    before = clients.load(paths, claude)
    if before is None or before.version != report.version:  # a script may start another claude now
        before = clients.of_version(report.version) or Answers("")
    was_known = {} if not before.version else CAPABILITIES.keys() - before.unknown
    carried = [name for name in report.unknown if name in was_known]
    missing = {*report.missing, *(name for name in carried if before.lacks(name))}
    unknown = set(report.unknown).difference(carried)
    clients.save(paths, claude, Answers(report.version, missing, unknown))


def _as_json(claude: str, report: Report) -> dict[str, object]:
    return {
        "claude": claude,
        "version": report.version,
        "missing": list(report.missing),
        "unknown": list(report.unknown),
        "capabilities": {name: report.answers.get(name) for name in CAPABILITIES},
        "seconds": round(report.seconds, 1),
    }


class _Progress:
    """Prints one line per answer: as it arrives on a terminal, else all of them at the end."""

    def __init__(self, console: Console, claude: str, is_interactive: bool, is_plain: bool) -> None:
        self._console = console
        self._claude = claude
        self._all = sum(is_interactive or not each.interactive for each in CAPABILITIES.values())
        self._printed: list[str] = []
        self._status: Status | None = None
        if not is_plain:
            console.print(rich_output.text(self._title, "bold"))
            self._status = console.status(self._count, spinner="dots")
            self._status.start()

    @property
    def _title(self) -> str:
        return words.say("selftest.begin", file=display_path(self._claude))

    @property
    def _count(self) -> str:
        return words.say("selftest.working", done=len(self._printed), all=self._all)

    def __call__(self, name: str, answer: bool) -> None:
        """Print the line of an answer."""
        if self._status:
            self._print(name, answer)
            self._status.update(self._count)

    def end(self) -> None:
        """Remove the spinner."""
        if self._status:
            self._status.stop()

    def conclude(self, report: Report) -> None:
        """Print the rest, and the sum."""
        if not self._status:
            self._console.print(rich_output.text(self._title))
        for name in CAPABILITIES:
            if name not in self._printed:
                self._print(name, report.answers.get(name))
        self._console.print()
        for line in rich_output.wrap(rich_output.text(self._sum(report)), self._console.width):
            self._console.print(line, soft_wrap=True)

    def _sum(self, report: Report) -> str:
        params: dict[str, object] = {"version": report.version, "all": len(CAPABILITIES)}
        params |= {"seconds": f"{report.seconds:.1f}", "known": len(report.answers)}
        if report.missing:
            advice = client_report.advise(Answers(report.version))
            return words.say("selftest.lacks", missing=len(report.missing), advice=advice, **params)
        return words.say("selftest.part" if report.unknown else "selftest.well", **params)

    def _print(self, name: str, answer: bool | None) -> None:
        self._printed.append(name)
        mark, colour = {True: ("✓", "green"), False: ("✗", "red"), None: ("?", "yellow")}[answer]
        what = words.say(f"selftest.{name}")
        if answer is None:
            what = words.say("selftest.not_tested", what=what)
        rich_output.item(self._console, rich_output.text(mark, colour), rich_output.text(what))
        if remedy := _remedy(name, answer):
            rich_output.item(self._console, rich_output.text(" "), rich_output.text(f"→ {remedy}"))


def _remedy(name: str, answer: bool | None) -> str:
    if answer is False:
        return words.say("ask.wrong", problem=words.say(f"client.{name}"))
    if answer is None and CAPABILITIES[name].interactive:
        return words.say("selftest.not_tested_interactive")
    if answer is None and name == "reviewer_bash":
        return words.say("selftest.not_tested_sandbox")
    return ""
