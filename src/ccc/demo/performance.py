"""Perform the story: `ccc run` or claude's interface in a scratch home, on a scripted model."""

import os
import shlex
import shutil
import signal
import time
from collections.abc import Sequence

from msgspec import Struct

from ccc import words
from ccc.claude import known_claudes, sandbox, transcript_files
from ccc.claude.formats import usage
from ccc.claude.formats.command_line import Plan
from ccc.demo import story
from ccc.demo.follower import follow
from ccc.demo.narrator import Narrator
from ccc.errors import CccError
from ccc.model.round import Round
from ccc.scripted import ScriptedModel
from ccc.scripted.scratch import PROVIDER, Scratch
from ccc.sessions import lookup
from ccc.storage import files, sessions
from ccc.storage.paths import Paths
from ccc.system import spawn
from ccc.text import lenient_json
from ccc.ui import rich_output
from ccc.ui.run_lines import AGENT

BY_CHECK, BY_REVIEWER, ALLOWED = "check ✗", "reviewer ✗", "reviewer ✓"
EXPECTED = (BY_CHECK, BY_REVIEWER, ALLOWED)
_BASH = "reviewer_bash"
_SILENT_SECONDS = 90
_LOOK_SECONDS = 0.05
_LONGEST_SECONDS = 12 * 3600
# slow enough for the user to follow in claude's interface
_THINKING_SECONDS = 1.5
_SHOWN_ERRORS = 400


class Summary(Struct, frozen=True):
    """The rounds of the session and their cost."""

    rounds: tuple[Round, ...] = ()
    agent_usd: float = 0.0
    cached_share: float = 0.0  # of the reviews' prompt tokens
    has_sandbox: bool = False

    @property
    def course(self) -> tuple[str, ...]:
        """Return the outcome of each stop."""
        return tuple(map(_kind, self.rounds))

    @property
    def command_failure(self) -> str:
        """Return the output of the reviewer's last command if all of them failed."""
        commands = [s for each in self.rounds for s in each.steps if s.tool == "Bash"]
        return commands[-1].seen if commands and all(s.failed for s in commands) else ""

    def rows(self, logs: str, shares_cache: bool) -> list[tuple[str, str]]:
        """Return the lines of the summary."""
        cached = "demo.sum_cached_is" if shares_cache else "demo.sum_cached_apart"
        reviews = [each for each in self.rounds if each.tokens]
        seconds = sum(each.seconds for each in reviews)
        reviews_usd = sum(each.cost_usd for each in reviews)
        bare = "demo.sum_reviews_bare" if sandbox.missing() else "demo.sum_reviews_off"
        reviewed = "demo.sum_reviews_are" if self.has_sandbox else bare
        rows = {
            "look.rounds": words.say(
                "demo.sum_stops_are",
                all=len(self.rounds),
                by_check=self.course.count(BY_CHECK),
                by_reviewer=self.course.count(BY_REVIEWER),
                allowed=self.course.count(ALLOWED),
            ),
            "show.reviews_cost": words.say(reviewed, count=len(reviews), seconds=f"{seconds:.1f}"),
            "look.cost_usd": words.say(
                "demo.sum_cost_is", agent=f"{self.agent_usd:.4f}", reviews=f"{reviews_usd:.4f}"
            ),
            "demo.sum_cached": words.say(cached, share=f"{self.cached_share:.0%}"),
            "demo.sum_logs": logs if logs else words.say("demo.sum_logs_gone"),
        }
        return [(words.say(name).lower(), value) for name, value in rows.items()]


def summarize(where: Paths) -> Summary:
    """Return the summary of the only session."""
    session = next(iter(sessions.ids(where)), "")
    record = lookup.load_with_steps(where, session)
    if record is None:
        return Summary()
    conversation = transcript_files.read(transcript_files.find(where.claude_dir, session))
    settings = lenient_json.parse_object(files.read(where.reviewer_settings(PROVIDER)) or "") or {}
    return Summary(
        record.rounds,
        usage.estimate(conversation.used),
        record.cached or 0.0,
        has_sandbox=bool(settings.get("sandbox")),
    )


def _kind(each: Round) -> str:
    """Return the outcome of a stop, as recorded if the story has no such outcome."""
    if each.tokens and each.outcome == "not_completed":
        return BY_REVIEWER
    if each.tokens and each.outcome == "completed" and each.allowed:
        return ALLOWED
    if any(receipt.is_failure for receipt in each.receipts) and not (each.tokens or each.allowed):
        return BY_CHECK
    return " ".join(filter(None, (each.outcome, each.failure)))


class Performance:
    """One performance of the story, in a scratch home."""

    def __init__(self, program: str, claude: str, fast: bool, keep: bool) -> None:
        self._program = program
        self._claude = claude
        self._fast = fast
        self._scratch = Scratch(os.environ, "slug", keep)
        self._narrator = Narrator(rich_output.console(), self._scratch.project, fast)

    def run(self, interactive: bool) -> None:
        """Perform the story, and always remove the scratch home."""
        try:
            (self._run_interactive if interactive else self._run_unattended)()
        finally:
            # don't let a signal interrupt the cleanup
            spawn.handle_end_signals(signal.SIG_IGN)
            self._narrator.stop_waiting()
            spawn.end_all()
            self._scratch.leave()

    def _run_unattended(self) -> None:
        """Start `ccc run`, and show its records while it runs."""
        scratch, narrator = self._scratch, self._narrator
        line = ["run", "--check", story.CHECK, words.say("demo.task")]
        with ScriptedModel(story.replies(scratch.project)) as model:
            narrator.wait(words.say("demo.preparing"))
            scratch.furnish(self._claude, model.url, story.files())
            notes = [] if scratch.commit() else [words.say("demo.no_git")]
            notes += self._tell_what_claude_lacks()
            with open(scratch.run_log, "wb") as log:
                plan = Plan((self._program, *line), scratch.env, scratch.project)
                child = spawn.start(plan, log.fileno())
            assert child.stdin is not None
            child.stdin.close()
            narrator.open(scratch.version, shlex.join(["ccc", *line]), notes)
            code = self._follow(child)
        summary = summarize(scratch.where)
        if code != 0:
            output = scratch.run_said()[-_SHOWN_ERRORS:]
            raise self._surprise(words.say("demo.surprise_exit", code=code, output=output))
        self._check(summary, EXPECTED)
        if story.WRONG in scratch.read("README.md"):
            raise self._surprise(words.say("demo.surprise_readme", text=story.WRONG))
        self._conclude(summary, "demo.next_interactive", "print_cache")

    def _tell_what_claude_lacks(self) -> list[str]:
        """Store what is known about claude in the scratch home; return what the story needs."""
        known = known_claudes.of_version(self._scratch.version)
        if not known.version:
            return []
        known_claudes.save(self._scratch.where, self._scratch.claude, known)
        return [known_claudes.describe(known, _BASH)] if known.lacks(_BASH) else []

    def _follow(self, child: spawn.Child) -> int:
        """Show the records until the run ends; return its exit code."""
        code: int | None = None
        last_event = time.monotonic()
        for event in follow(self._scratch.where):
            if not isinstance(event, str):
                self._narrator.show(event)
                last_event = time.monotonic()
                continue
            if code is not None:
                break
            code = child.poll()  # what was recorded before the end is still to be shown
            if time.monotonic() - last_event > _SILENT_SECONDS:
                raise self._surprise(words.say("demo.surprise_silent", seconds=_SILENT_SECONDS))
            waiting = "demo.waiting_agent" if event == AGENT else "demo.waiting_review"
            self._narrator.wait(words.say(waiting))
            time.sleep(_LOOK_SECONDS)
        return code or 0

    def _run_interactive(self) -> None:
        """Run `ccc --supervisor` on the user's terminal, with the task as its prompt."""
        scratch, narrator = self._scratch, self._narrator
        replies = story.replies(scratch.project, 0.0 if self._fast else _THINKING_SECONDS)
        with ScriptedModel(replies, _LONGEST_SECONDS) as model:
            scratch.furnish(self._claude, model.url, story.files(), [story.CHECK])
            scratch.commit()
            narrator.tell(words.say("demo.interactive"))
            if not self._fast:
                # claude's interface takes up the whole screen
                input(words.say("demo.begin"))
            line = (self._program, "--supervisor", PROVIDER, words.say("demo.task"))
            code = spawn.run_on_terminal(Plan(line, scratch.env, scratch.project))
        narrator.tell(words.say("demo.session_gone"))
        if code not in (0, 130):
            raise self._surprise(words.say("demo.surprise_claude", code=code))
        summary = summarize(scratch.where)
        so_far = (*EXPECTED, *summary.course[len(EXPECTED) :])[: len(summary.course)]
        self._check(summary, so_far)
        if len(summary.course) < len(EXPECTED):
            narrator.tell(words.say("demo.left_early"))
        self._conclude(summary, "demo.other_way", "interactive_cache")

    def _conclude(self, summary: Summary, other_way: str, cache: str) -> None:
        """Print the summary, with the ccc command as the user can type it here.

        `cache` is what claude needs for a review that shares the agent's cache.
        """
        installed = shutil.which("ccc")
        near = os.path.relpath(self._program)
        typed = shlex.quote(self._program if near.startswith("..") else near)
        if installed and os.path.realpath(installed) == os.path.realpath(self._program):
            typed = "ccc"
        known = known_claudes.of_version(self._scratch.version)
        rows = summary.rows(self._scratch.logs, not known.lacks(cache))
        self._narrator.summarize(rows, typed, other_way)

    def _check(self, summary: Summary, expected: Sequence[str]) -> None:
        """Raise CccError if the story took another course, or the reviewer saw nothing."""
        if summary.course != expected:
            usual, course = ", ".join(EXPECTED), ", ".join(summary.course) or "-"
            raise self._surprise(words.say("demo.other_course", expected=usual, got=course))
        if summary.command_failure:
            raise self._surprise(words.say("demo.surprise_blind", output=summary.command_failure))

    def _surprise(self, what: str) -> CccError:
        version = self._scratch.version or "?"
        return CccError("demo.different", what=what, version=version)
