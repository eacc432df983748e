"""Reports a supervised stop to the user: on stderr, in the log, and in claude's terminal."""

import contextlib
import os
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from ccc import words
from ccc.claude.formats.event import StopEvent
from ccc.claude.review_process import Interrupted
from ccc.model.cost import Cost
from ccc.model.evidence import Evidence, not_run, to_record
from ccc.model.outcome import HOOK, INTERRUPTED, OUTCOMES, STILL_COMPLETED, TERMINAL
from ccc.model.round import Diff, Round, to_line
from ccc.model.state import Stop, Task
from ccc.project.tree import Tree
from ccc.storage.journal import Journal
from ccc.supervision.policy import Decision
from ccc.supervision.session_store import SupervisedSession
from ccc.supervision.verdict import Review
from ccc.system import terminal
from ccc.ui import formatting

_MAX_SHOWN = 1_500
_MAX_RECORDED = 2_000


class Audience(Struct, frozen=True):
    """Who sees the progress while a stop is judged; for the hook, stderr."""

    is_run: bool = False  # whether it is a run, which says itself how the stop was decided
    show: Callable[[str], None] = terminal.tell
    """Shows how the judging goes on; to a run, only that it begins."""
    on_text: Callable[[str], None] = terminal.tell  # receives the reviewer's text
    on_message: Callable[[dict[str, Any], Cost], None] = lambda message, cost: None
    """Receives each message of the reviewer's stream, and what the review has cost so far."""
    on_check: Callable[[str], None] = lambda command: None
    on_evidence: Callable[[Evidence], None] = lambda evidence: None


class Recorder(Struct):
    """The record of one stop."""

    session: SupervisedSession
    event: StopEvent
    about: Round  # what is known about the stop before it is judged
    tree: Tree
    audience: Audience
    rules: str  # A checksum of checks, limits and prompt; stored once the user knows of a change
    review: Review | None = None
    notes: list[str] = field(default_factory=list)
    evidence: list[Evidence] = field(default_factory=list)  # the evidence so far
    _task: Task | None = None
    _stopped_at: float = 0.0
    _review_started: float = 0.0
    _output_start: int = 0  # where the review begins in the reviewer's output file

    @property
    def journal(self) -> Journal:
        """The log and the verdicts of the session."""
        return self.session.store.journal

    @property
    def round(self) -> int:
        """The number of the round."""
        return self._task.count if self._task else 0

    def begin(self, task: Task) -> None:
        """Record the beginning of a supervised stop."""
        self._task, self._stopped_at = task, time.time()
        self.journal.round, limit = task.count, self.about.limit
        self.session.store.keep(
            limit=limit,
            request=self.about.request,
            requests=self.about.requests,
            model=self.about.agent_model,
            stop=self._stop("checking"),
        )
        self.journal.log(
            "supervisor-hook invoked",
            max_iterations=limit,
            prompt_id=task.prompt_id,
            stop_hook_active=self.event.stop_hook_active,
        )
        session = self.event.session_id
        self._tell(
            "run.round" if self.audience.is_run else "hook.begun",
            session=session,
            iteration=task.count,
            limit=limit,
        )

    def begin_check(self, command: str) -> None:
        """Record the beginning of a check."""
        self.audience.on_check(command)
        self.session.store.keep(stop=self._stop("checking", check=command))

    def add_evidence(self, evidence: Evidence) -> None:
        """Record a piece of evidence."""
        self.evidence.append(evidence)
        self.audience.on_evidence(evidence)

    def begin_review(self) -> None:
        """Record the beginning of the review."""
        self._review_started = time.time()
        self._output_start = self.journal.output_size()
        self.session.store.keep(stop=self._stop("reviewing"))
        self._tell("hook.reviewing", file=self.journal.output_file)

    def decide(
        self,
        task: Task,
        decision: Decision,
        evidence: Sequence[Evidence],
        review: Review | None,
    ) -> None:
        """Record the decision."""
        self.review = review
        if review and review.changed_tree:
            self.notes.append(words.say("stop.tree_changed"))
        known = self.session.state.too_large
        if large := sorted(self.tree.too_large.difference(known)):
            self.notes.append(words.say("stop.too_large", directories=", ".join(large)))
        outcome = OUTCOMES[decision.outcome]
        unrun = not_run(evidence)
        is_told = unrun == task.not_run
        if not is_told or (outcome.ends_task and not self.audience.is_run):
            self.notes += unrun
        self._tell(outcome.message(HOOK), **self._params(decision))
        self.journal.log(
            "supervisor-hook decided",
            allowed=decision.allowed,
            outcome=decision.outcome,
            cost_usd=round(review.cost.usd, 6) if review else 0,
            **({"cost_source": review.cost.source} if review else {}),
            seconds=round(review.seconds, 1) if review else 0,
            **({"detail": decision.detail} if decision.detail else {}),
        )
        is_repeated = outcome.name == STILL_COMPLETED
        if (evidence and not is_repeated) or review or outcome.is_limit:
            size = self.tree.size(self.session.state.start_head)
            self._write(decision, review or Review(), Diff(**size) if size else None)
        changes: dict[str, object] = {"too_large": (*known, *large)} if large else {}
        if decision.outcome == "completed":
            changes |= {"finished": task.prompt_id}
        self._end(decision.outcome, rules=self.rules, **changes)

    @contextlib.contextmanager
    def noting_interruptions(self) -> Iterator[None]:
        """Record the progress of a stop if the user interrupts it."""
        try:
            yield
        except (Interrupted, KeyboardInterrupt):
            if self._task is not None:
                since = self._review_started
                review = Review(seconds=time.time() - since if since else 0.0)
                # without the diff's size: claude kills a hook soon after Esc
                self._write(Decision(True, INTERRUPTED), review, None)
                self._end(INTERRUPTED)
            raise

    def _end(self, outcome: str, **changes: object) -> None:
        self.session.store.keep(stop=Stop(), outcome=outcome, decided_at=time.time(), **changes)

    def _stop(self, phase: str, check: str = "") -> Stop:
        """Return the stop's entry in the state while it is judged."""
        return Stop(
            phase=phase,
            check=check,
            since=time.time(),
            begun=self._stopped_at,
            iteration=self.round,
            pid=os.getpid(),
            prompt_id=self.event.prompt_id,
            receipts=tuple({**to_record(each), "output": ""} for each in self.evidence),
        )

    def _write(self, decision: Decision, review: Review, diff: Diff | None) -> None:
        """Append to the session's verdicts."""
        assert self._task is not None
        begin = self._output_start if self._review_started else None
        evidence = [replace(each, output=each.output[-_MAX_RECORDED:]) for each in self.evidence]
        verdict = review.verdict
        recorded = replace(
            self.about,
            number=self._task.count,
            prompt_id=self._task.prompt_id,
            outcome=decision.outcome,
            allowed=decision.allowed,
            completed=verdict.completed if verdict else None,
            needs_user=bool(verdict and verdict.needs_user),
            feedback=verdict.feedback if verdict else decision.feedback,
            failure=review.failure,
            cost_usd=review.cost.usd,
            cost_source=review.cost.source,
            tokens=review.tokens,
            seconds=round(review.seconds, 3),
            changed_tree=review.changed_tree,
            diff=diff,
            task_started=self._task.started,
            stopped_at=self._stopped_at,
            output=None if begin is None else (begin, self.journal.output_size()),
            receipts=tuple(evidence),
        )
        self.journal.verdict(to_line(recorded))

    def message(self, decision: Decision) -> str:
        """Return the message for claude's terminal."""
        params = self._params(decision)
        for name in ("feedback", "detail"):
            params[name] = self._cut(str(params[name]))
        text = words.say(OUTCOMES[decision.outcome].message(TERMINAL), **params)
        if self.journal.problem:
            self.notes.append(words.say("stop.not_recorded", problem=self.journal.problem))
        return terminal.plain("\n".join([text, *self.notes]))

    def _cut(self, text: str) -> str:
        """Shorten the text for the terminal; the record has all of it."""
        if len(text) <= _MAX_SHOWN:
            return text
        return text[:_MAX_SHOWN] + "… " + words.say("stop.cut", file=self.journal.verdicts_file)

    def _params(self, decision: Decision) -> dict[str, object]:
        review, limit = self.review, self.about.limit
        return {
            "iteration": self.round,
            "limit": limit,
            "feedback": decision.feedback,
            "detail": decision.detail,
            "seconds": f"{review.seconds:.0f}" if review else "0",
            "cost": formatting.money(review.cost.usd, review.cost.source) if review else "$0",
            "rounds": words.count("max_iterations", limit),
            "checks": formatting.checks_at_limit(decision.evidence),
            "log": self.session.where.invocation_log,
        }

    def _tell(self, message: str, **params: object) -> None:
        # a run shows the rest itself
        if not self.audience.is_run or message == "run.round":
            text = words.say(message, **params)
            self.audience.show(text)
            self.journal.note(terminal.plain(text))
