"""Judge a stop, for the hook and for `ccc run`: place, evidence, reviewer and record."""

import os
from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from ccc import words
from ccc.claude import known_claudes
from ccc.claude.formats import environment
from ccc.claude.formats.event import StopEvent
from ccc.claude.formats.transcript import Conversation
from ccc.model.evidence import Evidence, Receipt, Signal
from ccc.model.round import Round
from ccc.model.state import State
from ccc.project import change, checks
from ccc.project.change import Workplace
from ccc.project.tree import Tree
from ccc.providers import layers
from ccc.signals.claims import Work
from ccc.signals.signal import feedback
from ccc.supervision import policy
from ccc.supervision.on_stop import Situation, on_stop
from ccc.supervision.policy import Decision
from ccc.supervision.recorder import Audience, Recorder
from ccc.supervision.review_setup import Preparation
from ccc.supervision.reviewer import Reviewer
from ccc.supervision.session_store import SupervisedSession, checksum_of_rules
from ccc.system import terminal

_MAX_RECORDED = 2_000


class Dialogue(Struct, frozen=True):
    """What was said: the session's conversation, and the requests of the current task."""

    conversation: Conversation
    requests: Sequence[str]
    first_prompt_id: str = ""  # the prompt that began the task


def judge_stop(
    session: SupervisedSession,
    situation: Situation,
    dialogue: Dialogue,
    audience: Audience,
    repeats_verdicts: bool = False,
) -> tuple[Decision, Recorder]:
    """Decide whether the agent may stop; return the decision, and the notes in the recorder.

    With `repeats_verdicts`, a positive verdict holds at the next stop if the work is the same.
    """
    state, event, talk = session.state, situation.event, dialogue.conversation
    home = Tree(session.project, (session.where.state_dir,))
    workplace = change.find_place(home, event.cwd, state.enabled_at, state.start_head)
    is_home = workplace.directory == session.project
    tree = home if is_home else Tree(workplace.directory, (session.where.state_dir,))
    current = checksum_of_rules(session.where, session.config, session.project)
    about = _describe(session, dialogue)
    recorder = Recorder(session, event, about, tree, audience=audience, rules=current)
    recorder.notes += _notes_on(workplace, session.project)
    client = session.client(talk.version)
    if client.version:
        recorder.notes += known_claudes.notes(session.where, session.program, client)
    if state.rules not in ("", current):
        session.store.journal.log("the rules of supervision have changed")
        recorder.notes.append(words.say("stop.rules", file=session.where.config))
    if repeats_verdicts and not workplace.others:
        context = repr((workplace.directory, current, *talk.requests))
        situation = replace(situation, verdict_context=context)

    preparation = Preparation(session, event, talk, workplace, tree=tree, client=client)
    work = _AgentWork(session, event, dialogue, workplace, worktree=tree, recorder=recorder)
    reviewer = Reviewer(preparation, audience, work.signals_for_review, recorder.notes.append)
    with recorder.noting_interruptions():
        decision = on_stop(situation, session.store, work, reviewer, record=recorder)
    if state.outcome == policy.AGENT_WAITS != decision.outcome:
        recorder.notes += _notes_on_running(state, situation)
    return decision, recorder


def _describe(session: SupervisedSession, dialogue: Dialogue) -> Round:
    """Return what is recorded about a stop besides its result."""
    model, limits = dialogue.conversation.model, session.limits
    requests = tuple(terminal.plain(each)[:_MAX_RECORDED] for each in dialogue.requests)
    return Round(
        number=0,
        limit=limits.max_iterations,
        request=requests[0] if requests else "",
        requests=requests,
        task=dialogue.first_prompt_id,
        agent_model=model,
        provider=limits.provider or session.state.provider,
        model=limits.model or model,
    )


def _notes_on_running(state: State, situation: Situation) -> Iterator[str]:
    """Yield a note about what ccc has waited for before, or won't wait for."""
    everything = (*situation.event.background_tasks, *situation.event.wakeups)
    active = [each for each in everything if each.schedule or each.id in state.task.waited]
    if active:
        names = ", ".join(policy.describe(each, situation.now) for each in active)
        yield words.say("stop.not_waited", names=names)


def _notes_on(workplace: Workplace, project: str) -> Iterator[str]:
    """Yield notes for the user about the place that was judged."""
    if workplace.directory != project:
        yield words.say("stop.place", directory=workplace.directory)
    if workplace.others:
        yield words.say("stop.other_places", directories=", ".join(workplace.others))


class _AgentWork(Struct, frozen=True):
    """The agent's work: its tree, and the evidence, shown to the user as it arrives."""

    session: SupervisedSession
    event: StopEvent
    dialogue: Dialogue
    place: Workplace
    worktree: Tree
    recorder: Recorder

    def tree(self) -> str:
        return self.worktree.fingerprint()

    def is_whole(self) -> bool:
        return not self.worktree.too_large

    def evidence(self, at_limit: bool) -> Iterator[Evidence]:
        """Yield each kind of evidence in order; add a new kind here."""
        yield from self._checks()
        if at_limit or self.session.limits.strict_signals:  # else the reviewer looks for them
            yield from self._signals(self.recorder.evidence)

    def signals_for_review(self, evidence: Sequence[Evidence]) -> Sequence[Signal]:
        if self.session.limits.strict_signals:
            return ()  # they are among the evidence already
        known = self.recorder.evidence
        if not any(isinstance(each, Signal) for each in known):
            for each in self._signals(evidence):
                self.recorder.add_evidence(each)
        return [each for each in known if isinstance(each, Signal)]

    def _signals(self, evidence: Sequence[Evidence]) -> tuple[Signal, ...]:
        """Return the signals of the stop; those in `strict_signals` fail.

        They are a help for the reviewer, so an error in a rule must not cost the verdict.
        """
        state, strict = self.session.state, self.session.limits.strict_signals
        talk, requests = self.dialogue.conversation, self.dialogue.requests
        passed = [each.name for each in evidence if isinstance(each, Receipt) and each.passed]
        message = self.event.last_assistant_message
        work = Work(message, requests, actions=talk.actions, passed=passed)
        try:
            found = change.find_signals(self.worktree, state.start_head, work, talk.last_texts)
        except Exception as error:
            cause = f"{type(error).__name__}: {error}"
            self.session.store.journal.log("signals failed", error=cause)
            return ()
        return tuple(
            replace(each, passed=False, feedback=feedback(each)) if each.name in strict else each
            for each in found
        )

    def _checks(self) -> Iterator[Evidence]:
        session, store = self.session, self.session.store
        configured = session.limits.checks
        here = [replace(c, directory=self.place.path(c.directory)) for c in configured]
        receipts = checks.run(
            here,
            self.worktree,
            environment.for_checks(os.environ, layers.key_variables(session.config)),
            output_file=lambda number: store.where.check_output(store.session, number),
            on_start=self.recorder.begin_check,
        )
        can_run = dict(session.state.checks)
        for check, moved, receipt in zip(configured, here, receipts, strict=True):
            if not receipt.passed:
                receipt = checks.excuse(check, receipt, session.state, moved.directory)
            if not receipt.obstacle and can_run.get(check.key) != "":
                can_run[check.key] = ""
                store.keep(checks=can_run)
            yield receipt
