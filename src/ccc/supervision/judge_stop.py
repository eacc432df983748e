"""Judge a stop, for the hook and for `ccc run`: place, evidence, reviewer and record."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ccc import words
from ccc.claude.formats import environment
from ccc.claude.formats.event import Stop
from ccc.claude.formats.permission import Denials
from ccc.claude.formats.transcript import Conversation
from ccc.config.schema import Config, Supervisor
from ccc.model.evidence import Evidence
from ccc.model.outcome import HOOK
from ccc.model.state import State
from ccc.project import checks, place
from ccc.project.place import Place
from ccc.project.tree import Tree
from ccc.providers import layers
from ccc.storage.journal import Journal
from ccc.storage.paths import Paths
from ccc.supervision import check_baseline, client_report, policy, stop_signals, tampering
from ccc.supervision.on_stop import Situation, on_stop
from ccc.supervision.policy import Decision
from ccc.supervision.recorder import Recorder
from ccc.supervision.reviewer import Reviewer
from ccc.supervision.session_store import SessionStore
from ccc.system import terminal

_NO_DENIALS = Denials()


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A stop to judge, with its session and the rules."""

    where: Paths
    session: str
    state: State
    config: Config
    project: str
    event: Stop
    conversation: Conversation
    requests: Sequence[str]
    """What the user asked for in this task."""
    first_prompt_id: str
    """The prompt that began the task."""
    started: float
    now: float
    journal: Journal
    tasks: SessionStore
    environ: Mapping[str, str]
    of_the_user: bool = True
    """Whether the prompt before the stop was the user's."""
    denials: Denials = _NO_DENIALS
    settings_file: str = ""
    notes: Sequence[str] = ()
    """Additional notes for the user."""
    repeats_verdicts: bool = False
    """Whether a positive verdict holds at the next stop if the work is the same."""

    @property
    def limits(self) -> Supervisor:
        """The rules of supervision."""
        return self.config.supervisor


@dataclass(frozen=True, slots=True)
class Audience:
    """Who sees the progress while a stop is judged; for the hook, stderr."""

    voice: str = HOOK
    """Where it sees the messages, as in the table of outcomes."""
    show: Callable[[str, str], None] = lambda name, text: terminal.tell(text)
    """Shows a message; the name says what it is about."""
    says: Callable[[str], None] = terminal.tell
    """Shows the reviewer's text."""
    on_message: Callable[[dict[str, Any]], None] = lambda message: None
    """Receives each message of the reviewer's stream."""
    on_check: Callable[[str], None] = lambda command: None
    on_evidence: Callable[[Evidence], None] = lambda evidence: None


def judge_stop(case: Case, audience: Audience) -> tuple[Decision, Recorder]:
    """Decide whether the agent may stop; return the decision, and the notes in the recorder."""
    state = case.state
    without = (case.where.state_dir,)
    home = Tree(case.project, without)
    workplace = place.find(home, case.event.cwd, state.enabled_at, state.start_head)
    is_home = workplace.directory == case.project
    tree = home if is_home else Tree(workplace.directory, without)
    recorder = Recorder(case, tree, audience)
    recorder.notes += case.notes
    recorder.notes += _notes_on(workplace, case.project)
    client = client_report.find(case)
    recorder.notes += client_report.notes(case, client)
    recorder.rules = tampering.rules_checksum(case.where, case.config, case.project)
    if state.rules not in ("", recorder.rules):
        case.journal.log("the rules of supervision have changed")
        recorder.notes.append(words.say("stop.rules", file=case.where.config))
    situation = Situation(
        event=case.event,
        limits=case.limits,
        started=case.started,
        now=case.now,
        of_the_user=case.of_the_user,
        denials=case.denials,
        choices=case.conversation.choices,
        subject=_subject(case, workplace, recorder.rules),
    )
    with recorder.noting_interruptions():
        decision = on_stop(
            situation,
            case.tasks,
            work=_Work(case, workplace, tree, recorder),
            reviewer=Reviewer(
                case,
                workplace,
                tree,
                audience,
                client=client,
                note=recorder.notes.append,
                on_signal=recorder.add_evidence,
            ),
            record=recorder,
        )
    if state.outcome == policy.WAITING != decision.outcome:
        recorder.notes += _notes_on_running(case)
    return decision, recorder


def _subject(case: Case, workplace: Place, rules: str) -> str:
    """Return what a verdict is about besides the tree: place, rules and all of the requests."""
    if not case.repeats_verdicts or workplace.others:
        return ""
    return repr((workplace.directory, rules, *case.conversation.requests))


def _notes_on_running(case: Case) -> Iterator[str]:
    """Yield a note about what ccc has waited for before, or won't wait for."""
    everything = (*case.event.background_tasks, *case.event.wakeups)
    active = [each for each in everything if each.schedule or each.id in case.state.task.waited]
    if active:
        names = ", ".join(policy.describe(each, case.now) for each in active)
        yield words.say("stop.not_waited", names=names)


def _notes_on(workplace: Place, project: str) -> Iterator[str]:
    """Yield notes for the user about the place that was judged."""
    if workplace.directory != project:
        yield words.say("stop.place", directory=workplace.directory)
    if workplace.others:
        yield words.say("stop.other_places", directories=", ".join(workplace.others))


@dataclass(frozen=True, slots=True)
class _Work:
    """The agent's work: its tree, and the evidence, shown to the user as it arrives."""

    case: Case
    place: Place
    worktree: Tree
    recorder: Recorder

    def tree(self) -> str:
        return self.worktree.fingerprint()

    def is_whole(self) -> bool:
        return not self.worktree.too_large

    def evidence(self, at_limit: bool) -> Iterator[Evidence]:
        for evidence in self._gather(at_limit):
            self.recorder.add_evidence(evidence)
            yield evidence

    def _gather(self, at_limit: bool) -> Iterator[Evidence]:
        """Yield each kind of evidence in order; add a new kind here."""
        yield from self._checks()
        if at_limit or self.case.limits.strict_signals:  # otherwise the reviewer looks for them
            yield from stop_signals.find(self.case, self.worktree, self.recorder.evidence)

    def _checks(self) -> Iterator[Evidence]:
        case, state = self.case, self.case.state
        here = [replace(c, directory=self.place.path(c.directory)) for c in case.limits.checks]
        receipts = checks.run(
            here,
            self.worktree,
            environment.for_checks(os.environ, layers.key_variables(case.config)),
            output_file=lambda number: case.where.check_output(case.session, number),
            on_start=self.recorder.begin_check,
        )
        can_run = dict(state.checks)
        for check, moved, receipt in zip(case.limits.checks, here, receipts, strict=True):
            key = check_baseline.key(check)
            if not receipt.passed:
                receipt = check_baseline.excuse(check, receipt, state, moved.directory)
            if not receipt.obstacle and can_run.get(key) != "":
                can_run[key] = ""
                case.tasks.keep(checks=can_run)
            yield receipt
