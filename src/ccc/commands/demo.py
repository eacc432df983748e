"""`ccc demo`: a supervised agent at work, on the real claude with a scripted model."""

import os
import shlex
import shutil
import signal
import sys
import time

from ccc import words
from ccc.claude import binary
from ccc.claude.launch_plan import Plan
from ccc.demo import story, summary
from ccc.demo.following import Follower
from ccc.demo.scratch import PROVIDER, Scratch
from ccc.demo.telling import Teller
from ccc.errors import CccError
from ccc.scripted import ScriptedModel
from ccc.storage import paths as places
from ccc.system import spawn, terminal
from ccc.ui import rich_output
from ccc.ui.arguments import Parser

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

_SILENT_SECONDS = 90
_LOOK_SECONDS = 0.05
_LONGEST_SECONDS = 12 * 3600
# so that a person can follow in claude's own interface
_THINKING_SECONDS = 1.5
_SHOWN_ERRORS = 400


def main(line: list[str]) -> int:
    """Tell the story; nothing of the person's is read, and nothing is left behind."""
    words.use(os.environ)
    parser = Parser("demo")
    parser.add_flags("--interactive", "--fast", "--keep")
    given = parser.said(line)
    if given is None:
        return 0
    if given.interactive and not all(os.isatty(number) for number in range(3)):
        raise CccError("demo.no_terminal", hint="demo.no_terminal_hint")
    ourselves = places.own_program(sys.argv[0])
    claude = binary.find(os.environ, ourselves)
    spawn.handle_end_signals(_interrupt)
    spawn.adopt_orphans()
    try:
        _told(given, ourselves, claude)
    except KeyboardInterrupt:
        left = "" if given.keep else words.say("demo.nothing_left")
        terminal.tell(f"{words.say('demo.interrupted')} {left}".rstrip())
        return 130
    return 0


def _told(given: "argparse.Namespace", ourselves: str, claude: str) -> None:
    """Tell the story in a scratch home that is removed whatever happens."""
    place = Scratch(os.environ, given.keep)
    teller = Teller(rich_output.console(), place.project, [story.CHECK], given.fast)
    try:
        if given.interactive:
            _in_claudes_interface(place, teller, ourselves, claude, given.fast)
        else:
            _on_our_screen(place, teller, ourselves, claude)
    finally:
        # nothing may disturb the clearing up
        spawn.handle_end_signals(signal.SIG_IGN)
        teller.stop_waiting()
        spawn.end_all()
        place.leave()


def _on_our_screen(place: Scratch, teller: Teller, ourselves: str, claude: str) -> None:
    """`ccc run`, told from its records while it runs."""
    line = ["run", "--check", story.CHECK, words.say("demo.task")]
    with ScriptedModel(story.scenario(place.project)) as model:
        teller.wait(words.say("demo.preparing"))
        place.furnish(claude, model.url)
        notes = [] if place.commit() else [words.say("demo.no_git")]
        with open(place.run_log, "wb") as log:
            child = spawn.start(Plan((ourselves, *line), place.env, place.project), log.fileno())
        assert child.stdin is not None
        child.stdin.close()
        teller.open(place.version, shlex.join(["ccc", *line]), notes)
        code = _followed(place, teller, child)
    came = summary.of(place.where, PROVIDER)
    if code != 0:
        said = place.run_said()[-_SHOWN_ERRORS:]
        raise _different(place, words.say("demo.told_exit", code=code, said=said))
    if came.course != summary.AS_TOLD:
        raise _otherwise(place, came)
    if story.WRONG in place.read("README.md"):
        raise _different(place, words.say("demo.told_readme", text=story.WRONG))
    teller.summarize(came.rows(place.logs), _typed(ourselves), "demo.next_interactive")


def _followed(place: Scratch, teller: Teller, child: "spawn.Child") -> int:
    """Tell what is on record until the run has ended; its exit code."""
    follower, since = Follower(place.where), time.monotonic()
    while True:
        code = child.poll()
        for event in follower.new():
            teller.show(event)
            since = time.monotonic()
        if code is not None:
            return code
        if time.monotonic() - since > _SILENT_SECONDS:
            raise _different(place, words.say("demo.told_silent", seconds=_SILENT_SECONDS))
        judging = follower.is_judging
        teller.wait(words.say("demo.waiting_review" if judging else "demo.waiting_agent"))
        time.sleep(_LOOK_SECONDS)


def _in_claudes_interface(
    place: Scratch, teller: Teller, ourselves: str, claude: str, fast: bool
) -> None:
    """`ccc --supervisor` on the person's terminal, with the task given."""
    scenario = story.scenario(place.project, 0.0 if fast else _THINKING_SECONDS)
    with ScriptedModel(scenario, max_seconds=_LONGEST_SECONDS, max_requests=100_000) as model:
        place.furnish(claude, model.url, [story.CHECK])
        place.commit()
        teller.tell(words.say("demo.interactive"))
        if not fast:
            # claude's interface takes the whole screen
            input(words.say("demo.begin"))
        line = (ourselves, "--supervisor", PROVIDER, words.say("demo.task"))
        code = spawn.run_on_terminal(Plan(line, place.env, place.project))
    teller.tell(words.say("demo.session_gone"))
    came = summary.of(place.where, PROVIDER)
    if code not in (0, 130):
        raise _different(place, words.say("demo.told_claude", code=code))
    as_told, course = summary.AS_TOLD, came.course[: len(summary.AS_TOLD)]
    if course != as_told[: len(course)]:
        raise _otherwise(place, came)
    if course != as_told:
        teller.tell(words.say("demo.left_early"))
    teller.summarize(came.rows(place.logs), _typed(ourselves), "demo.other_way")


def _typed(ourselves: str) -> str:
    """How the person can start this ccc: by its name, where that finds it."""
    found = shutil.which("ccc")
    if found and os.path.realpath(found) == os.path.realpath(ourselves):
        return "ccc"
    near = os.path.relpath(ourselves)
    return shlex.quote(ourselves if near.startswith("..") else near)


def _otherwise(place: Scratch, came: summary.Summary) -> CccError:
    expected, got = ", ".join(summary.AS_TOLD), ", ".join(came.course) or "-"
    return _different(place, words.say("demo.told_otherwise", expected=expected, got=got))


def _different(place: Scratch, what: str) -> CccError:
    return CccError(
        "demo.different", hint="demo.different_hint", what=what, version=place.version or "?"
    )


def _interrupt(number: int, frame: object) -> None:
    spawn.handle_end_signals(signal.SIG_IGN)
    raise KeyboardInterrupt
