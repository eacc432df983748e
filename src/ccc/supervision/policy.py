"""What a stop leads to: pure decisions, and the words that go with them."""

from dataclasses import dataclass, replace

from ccc.claude.formats.event import Choices
from ccc.providers.usage import Cost, cost_on_record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ccc.claude.formats.event import Stop
    from ccc.config.schema import Supervisor
    from ccc.supervision.receipt import Receipt
    from ccc.supervision.task import Task
    from ccc.supervision.verdict import Verdict

_NONE = Choices()


@dataclass(frozen=True, slots=True)
class Decision:
    """The stop is allowed, or sent back with a feedback; the outcome is a name of `outcome`."""

    allowed: bool
    outcome: str
    feedback: str = ""
    detail: str = ""
    receipts: "tuple[Receipt, ...]" = ()
    """Of the checks that ran although a limit was reached."""


def before_review(
    task: "Task", event: "Stop", limits: "Supervisor", now: float, choices: Choices = _NONE
) -> Decision | None:
    """The stops that are allowed without a review; None where one is due.

    Plan mode and a command in the background put it off where the user chose them. The agent's own
    don't: it could leave supervision by them.
    """
    if event.is_out_of_budget:
        return Decision(True, "cost", detail=f"{limits.max_cost_usd or task.cost_usd:g}")
    if event.permission_mode == "plan" and not choices.agent_plans:
        return Decision(True, "plan")
    running = event.background_tasks
    if running and all(each.is_agent or each.id in choices.put_off for each in running):
        names = ", ".join(each.name for each in running)
        return Decision(True, "background", detail=names)
    if task.count >= limits.max_iterations:
        return Decision(True, "iterations", detail=str(limits.max_iterations))
    return limit_reached(task, limits, now - task.started)


def limit_reached(task: "Task", limits: "Supervisor", seconds: float) -> Decision | None:
    """The end of a task that has used up what it may take, so many seconds after it began."""
    if limits.max_minutes and seconds >= limits.max_minutes * 60:
        return Decision(True, "minutes", detail=f"{limits.max_minutes:g}")
    if limits.max_cost_usd and task.cost_usd >= limits.max_cost_usd:
        return Decision(True, "cost", detail=f"{limits.max_cost_usd:g}")
    return None


def with_checks(early: Decision, receipts: "Sequence[Receipt]") -> Decision:
    """The decision with what the checks came to; it stays what it is."""
    return replace(early, receipts=tuple(receipts))


def after_review(task: "Task", verdict: "Verdict", tree: str) -> Decision:
    """What the verdict means for the stop."""
    if verdict.completed:
        return Decision(True, "completed", verdict.feedback)
    if verdict.needs_user:
        return Decision(True, "needs_user", verdict.feedback)
    return sent_back(task, verdict.feedback, key(verdict.feedback), tree)


def sent_back(task: "Task", feedback: str, key: str, tree: str) -> Decision:
    """A feedback for the agent, unless it got the same one and changed nothing since."""
    if key and key == task.feedback_key and tree == task.tree:
        return Decision(True, "stuck", feedback)
    return Decision(False, "not_completed", feedback)


def key(feedback: str) -> str:
    """What makes two feedbacks the same: the words, not white space or capitals."""
    return "".join(feedback.split()).casefold()


def noted(task: "Task", decision: Decision, key: str, tree: str, cost: Cost) -> "Task":
    """The task after the decision."""
    feedback = task.feedback if decision.allowed else (*task.feedback, decision.feedback)
    total = cost_on_record(task.cost_usd, task.cost_source) + cost
    return replace(
        task,
        feedback=feedback,
        feedback_key=key,
        tree=tree,
        cost_usd=total.usd,
        cost_source=total.source,
    )
