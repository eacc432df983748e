"""The engine of a stop: turns the agent's stop into a decision, using four ports."""

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from ccc.claude.formats.event import Choices, StopEvent
from ccc.claude.formats.permission import Denials
from ccc.config.schema import Supervisor
from ccc.model.cost import Cost
from ccc.model.evidence import Evidence, not_run
from ccc.model.outcome import OUTCOMES
from ccc.model.state import Task
from ccc.supervision import policy
from ccc.supervision.policy import Decision
from ccc.supervision.verdict import Review

_NO_DENIALS, _NO_CHOICES = Denials(), Choices()


class Tasks(Protocol):
    """Stores the task between two stops."""

    def change(self, edit: Callable[[Task], Task]) -> Task:
        """Change the task under the lock and return it."""

    def note(self, edit: Callable[[Task], Task]) -> None:
        """Store a decision in the task; it holds even if storing fails."""


class Work(Protocol):
    """The agent's work, as ccc itself sees it."""

    def tree(self) -> str:
        """Return a fingerprint of the working tree."""

    def is_whole(self) -> bool:
        """Whether the last fingerprint covers the whole tree."""

    def evidence(self, at_limit: bool) -> Iterator[Evidence]:
        """Yield each piece of evidence, gathered on demand; no review follows at a limit."""


class Reviewer(Protocol):
    """Judges the work."""

    def review(self, task: Task, evidence: Sequence[Evidence]) -> Review:
        """Judge the work; a failure results in a review without a verdict."""


class Record(Protocol):
    """Shows a stop to the user."""

    def begin(self, task: Task) -> None:
        """Record the beginning of a supervised stop."""

    def add_evidence(self, evidence: Evidence) -> None:
        """Record a piece of evidence."""

    def begin_review(self) -> None:
        """Record the beginning of the review."""

    def decide(
        self, task: Task, decision: Decision, evidence: Sequence[Evidence], review: Review | None
    ) -> None:
        """Record the decision."""


class Situation(Struct, frozen=True):
    """What is known when the agent stops."""

    event: StopEvent
    limits: Supervisor
    started: float  # when the prompt before the stop arrived
    now: float
    of_the_user: bool = True  # whether that prompt was the user's
    denials: Denials = _NO_DENIALS
    choices: Choices = _NO_CHOICES
    verdict_context: str = ""
    """What a verdict is about besides the tree; empty if it can't be used again."""


def on_stop(
    at: Situation, tasks: Tasks, work: Work, reviewer: Reviewer, record: Record
) -> Decision:
    """Decide whether the agent may stop: limits, then evidence, then a review."""
    task, early = _count_round(at, tasks)
    record.begin(task)
    at_limit = early is not None and OUTCOMES[early.outcome].is_limit
    gathers = not early or OUTCOMES[early.outcome].runs_checks
    evidence = _gather(work, record, at_limit) if gathers else ()
    has_failed = bool(evidence) and evidence[-1].is_failure
    if not has_failed and (decision := _repeat_verdict(at, task, early, work)):
        if not early:  # it isn't a round
            tasks.note(lambda before: replace(before, count=before.count - 1))
        record.decide(task, decision, evidence, None)
        return decision
    if early:
        early = replace(early, evidence=evidence)
        record.decide(task, early, evidence, None)
        return early

    review, judged = None, ""
    if has_failed:
        tree, key = work.tree(), policy.key(evidence[-1].key)
        decision = policy.send_back(task, evidence[-1].feedback, key, tree)
    else:
        record.begin_review()
        review = reviewer.review(task, evidence)
        tree = review.tree
        key = policy.key(review.verdict.feedback) if review.verdict else ""
        decision = _conclude(at, task, review, evidence)
        if review.covers_all and not review.changed_tree:
            judged = policy.hash_work(tree, at.verdict_context)
    decision = policy.apply_denials(decision, at.denials)
    cost = review.cost if review else Cost()
    tasks.note(
        lambda before: policy.note_decision(
            replace(before, not_run=not_run(evidence)),
            decision,
            key,
            tree=tree,
            cost=cost,
            work=judged,
        )
    )
    record.decide(task, decision, evidence, review)
    return decision


def _count_round(at: Situation, tasks: Tasks) -> tuple[Task, Decision | None]:
    """Return the task with this round counted, or the decision that needs no round."""
    early: Decision | None = None

    def count(task: Task) -> Task:
        nonlocal early
        is_new = at.of_the_user and not at.event.stop_hook_active
        task = policy.task_at_stop(task, at.event.prompt_id, is_new, at.started)
        # setting the clock back must not extend the time limit
        task = replace(task, started=min(task.started, at.now))
        early = policy.before_review(task, at.event, at.limits, now=at.now, choices=at.choices)
        if early and early.outcome == policy.AGENT_WAITS:
            return policy.note_wait(task, at.event)
        return task if early else replace(task, count=task.count + 1)

    return tasks.change(count), early


def _repeat_verdict(
    at: Situation, task: Task, early: Decision | None, work: Work
) -> Decision | None:
    """Return the last verdict again if it was positive and the work is still the same."""
    is_pause = early is not None and not OUTCOMES[early.outcome].is_limit
    if is_pause or not (at.event.stop_hook_active and at.verdict_context and task.completed_work):
        return None  # without looking at the tree, which takes time
    now = policy.hash_work(work.tree(), at.verdict_context)
    return policy.still_completed(task, at.event, now) if work.is_whole() else None


def _conclude(
    at: Situation, task: Task, review: Review, evidence: tuple[Evidence, ...]
) -> Decision:
    """Return the decision that follows from a review."""
    if review.is_over_budget:
        return Decision(True, "cost", detail=f"{at.limits.max_cost_usd:g}", evidence=evidence)
    decision = policy.after_review(task, review)
    if decision.outcome == "completed":
        decision = replace(decision, detail=" ".join(not_run(evidence)))
    return decision


def _gather(work: Work, record: Record, at_limit: bool) -> tuple[Evidence, ...]:
    """Gather the evidence up to the first failure."""
    gathered: list[Evidence] = []
    for each in work.evidence(at_limit):
        record.add_evidence(each)
        gathered.append(each)
        if each.is_failure:
            break
    return tuple(gathered)
