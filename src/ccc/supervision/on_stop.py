"""The engine of the Stop hook: from a stop to a decision."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ccc.claude.formats import permission
from ccc.claude.formats.event import Choices, Stop
from ccc.claude.formats.permission import Denials
from ccc.config.schema import Supervisor
from ccc.providers.usage import Cost
from ccc.supervision import outcome as outcomes
from ccc.supervision import policy
from ccc.supervision.policy import Decision
from ccc.supervision.ports import Evidence, Record, Reviewer, Tasks
from ccc.supervision.receipt import Receipt
from ccc.supervision.review import Review
from ccc.supervision.task import Task, begun

_NO_DENIALS, _NO_CHOICES = Denials(), Choices()


@dataclass(frozen=True, slots=True)
class Situation:
    """What is known when the agent stops."""

    event: Stop
    limits: Supervisor
    started: float
    """When the prompt came that the stop follows."""
    now: float
    of_the_user: bool = True
    """Whether that prompt was the user's."""
    denials: Denials = _NO_DENIALS
    choices: Choices = _NO_CHOICES


def on_stop(
    at: Situation, tasks: Tasks, evidence: Evidence, reviewer: Reviewer, record: Record
) -> Decision:
    """Decide whether the agent may stop: limits, then checks, then a review."""
    early: Decision | None = None

    def count(task: Task) -> Task:
        nonlocal early
        is_new = at.of_the_user and not at.event.stop_hook_active
        task = begun(task, at.event.prompt_id, is_new, at.started)
        # a clock that was put back must not put off the end
        task = replace(task, started=min(task.started, at.now))
        early = policy.before_review(task, at.event, at.limits, at.now, at.choices)
        return task if early else replace(task, count=task.count + 1)

    task = tasks.change(count)
    record.begun(task)
    if early:
        checked = _run_checks(evidence)[0] if outcomes.of(early.outcome).runs_checks else ()
        early = policy.with_checks(early, checked)
        record.decided(task, early, checked, None)
        return early

    receipts, complaint = _run_checks(evidence)
    review = None
    if complaint:
        tree = evidence.tree()
        key = policy.key(f"{receipts[-1].command} {receipts[-1].exit_code}")
        decision = policy.sent_back(task, complaint, key, tree)
    else:
        record.reviewing()
        review = reviewer.review(task, receipts)
        tree = review.tree
        key = policy.key(review.verdict.feedback) if review.verdict else ""
        decision = _judged(task, review, tree)
        if review.is_over_budget:
            spent = Decision(True, "cost", detail=f"{at.limits.max_cost_usd:g}")
            decision = policy.with_checks(spent, receipts)
    decision = permission.settled(decision, at.denials)
    cost = Cost(review.cost_usd, review.cost_source) if review else Cost()
    tasks.note(lambda before: policy.noted(before, decision, key, tree, cost))
    record.decided(task, decision, receipts, review)
    return decision


def _run_checks(evidence: Evidence) -> tuple[Sequence[Receipt], str]:
    """The receipts up to the first check that fails, and the complaint about that one."""
    receipts: list[Receipt] = []
    for receipt in evidence.checks():
        receipts.append(receipt)
        if not receipt.passed:
            return receipts, evidence.complaint(receipt)
    return receipts, ""


def _judged(task: Task, review: Review, tree: str) -> Decision:
    """A failed judgement is not a finding: without a verdict the stop is allowed."""
    if review.verdict is None:
        return Decision(True, "not_judged", detail=review.failure)
    return policy.after_review(task, review.verdict, tree)
