"""The rules that decide a stop, as pure functions."""

import hashlib
import math
from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from ccc import words
from ccc.claude.formats.event import Background, Choices, StopEvent, next_time
from ccc.claude.formats.permission import Denials
from ccc.config import schema
from ccc.config.schema import Supervisor
from ccc.model.cost import Cost
from ccc.model.evidence import Evidence
from ccc.model.outcome import STILL_COMPLETED
from ccc.model.state import Task
from ccc.supervision.verdict import Review

_NONE = Choices()
_MAX_NAME = 60
_LONGEST_WAIT = 24 * 3600.0
AGENT_WAITS = "background"
"""The outcome of a stop at which the agent waits for something that will wake it."""


class Decision(Struct, frozen=True):
    """The stop is allowed, or the agent gets feedback; `outcome` is a key of OUTCOMES."""

    allowed: bool
    outcome: str
    feedback: str = ""
    detail: str = ""
    evidence: tuple[Evidence, ...] = ()  # evidence gathered although a limit was reached


def task_at_stop(task: Task, prompt_id: str, is_new: bool, started: float) -> Task:
    """Return the task that a stop belongs to; a new prompt from the user begins a new task.

    `is_new` is false if the prompt isn't the user's (a background task ended) or the agent is
    working on feedback. Otherwise an agent could run forever without reaching a limit.
    """
    has_begun = bool(task.prompt_id or task.count)
    is_other = bool(task.prompt_id and prompt_id and prompt_id != task.prompt_id)
    if not has_begun or (is_other and is_new):
        return Task(prompt_id=prompt_id, started=started, waited=task.waited)
    # a count stored without a prompt, or without a start, belongs to this one
    return replace(task, prompt_id=task.prompt_id or prompt_id, started=task.started or started)


def before_review(
    task: Task, event: StopEvent, limits: Supervisor, now: float, choices: Choices = _NONE
) -> Decision | None:
    """Return the decision that allows the stop without a review, or None if a review is due.

    Plan mode or a background command postpones the review if the user chose it, not if the agent
    did: it could escape supervision that way.
    """
    if event.is_out_of_budget:
        return Decision(True, "cost", detail=f"{limits.max_cost_usd or task.cost_usd:g}")
    if event.permission_mode == "plan" and not choices.agent_plans:
        return Decision(True, "plan")
    if waits_for := _find_waits(task, event, limits, now=now, choices=choices):
        return Decision(True, AGENT_WAITS, detail=", ".join(waits_for))
    if task.count >= limits.max_iterations:
        return Decision(True, "iterations", detail=str(limits.max_iterations))
    return limit_reached(task, limits, now - task.started)


def _find_waits(
    task: Task, event: StopEvent, limits: Supervisor, now: float, choices: Choices
) -> list[str]:
    """Return the names of what the agent waits for, if it waits.

    The end of a sub-agent wakes the agent. A command that the user sent to the background may be a
    server: if it already ran at the last stop that waited, nobody waits for it. The same holds for
    a recurring job. An agent that keeps scheduling new wakeups is judged after as many as rounds,
    and nobody waits for one after the task's time limit (without a limit, for one in over a day).
    """
    running, waits = event.background_tasks, []
    if all(each.is_agent or each.id in choices.in_background for each in running):
        waits = [each.name for each in running if each.is_agent or each.id not in task.waited]
    if task.waits < limits.max_iterations:
        ends = task.started + limits.max_minutes * 60 if limits.max_minutes else now + _LONGEST_WAIT
        new = (each for each in event.wakeups if each.id not in task.waited)
        waits += [describe(each, now) for each in new if _time_of(each, now) <= ends]
    return waits


def describe(each: Background, now: float) -> str:
    """Describe what is active; a scheduled prompt with its time."""
    at = _time_of(each, now)
    if not 0 < at < math.inf:
        return each.name
    when = datetime.fromtimestamp(at).strftime("%Y-%m-%d %H:%M")
    return words.say("stop.wakeup", time=when, prompt=each.name[:_MAX_NAME])


def _time_of(each: Background, now: float) -> float:
    """When a scheduled prompt fires: 0 if claude doesn't say, infinity if never."""
    return (next_time(each.schedule, now) or math.inf) if each.schedule else 0.0


def note_wait(task: Task, event: StopEvent) -> Task:
    """Return the task after a stop that was allowed because the agent waits."""
    everything = (*event.background_tasks, *event.wakeups)
    waits = task.waits + bool(event.wakeups)
    return replace(task, waits=waits, waited=tuple(each.id for each in everything))


def limit_reached(task: Task, limits: Supervisor, seconds: float) -> Decision | None:
    """Return the decision for a task that has reached a limit; `seconds` is its age."""
    for name, (_, _, used) in schema.LIMITS.items():
        if used and (most := getattr(limits, name)) and used(task, seconds) >= most:
            return Decision(True, name.split("_")[1], detail=f"{most:g}")
    return None


def after_review(task: Task, review: Review) -> Decision:
    """Turn a review into a decision; a failed review is not a finding, so it allows the stop."""
    verdict = review.verdict
    if verdict is None:
        return Decision(True, "not_judged", detail=review.failure)
    if verdict.completed:
        return Decision(True, "completed", verdict.feedback)
    if verdict.needs_user:
        return Decision(True, "needs_user", verdict.feedback)
    return send_back(task, verdict.feedback, key(verdict.feedback), review.tree)


def send_back(task: Task, feedback: str, key: str, tree: str) -> Decision:
    """Send feedback to the agent, unless it got the same before and has changed nothing since."""
    if key and key == task.feedback_key and tree == task.tree:
        return Decision(True, "stuck", feedback)
    return Decision(False, "not_completed", feedback)


def still_completed(task: Task, event: StopEvent, work: str) -> Decision | None:
    """Return the decision that repeats a positive verdict on the same work, or None.

    `stop_hook_active` after a stop that ccc allowed means that another hook sent the agent back.
    """
    if not event.stop_hook_active or not work or work != task.completed_work:
        return None
    return Decision(True, STILL_COMPLETED)


def hash_work(tree: str, context: str) -> str:
    """Return a hash of what a verdict is about; empty if that isn't known exactly."""
    return hashlib.sha256(f"{tree} {context}".encode()).hexdigest() if tree and context else ""


def key(feedback: str) -> str:
    """Normalize feedback for comparison: ignores whitespace and case."""
    return "".join(feedback.split()).casefold()


def note_decision(
    task: Task, decision: Decision, key: str, tree: str, cost: Cost, work: str = ""
) -> Task:
    """Return the task updated with the decision; `work` is what a review covered completely."""
    feedback = task.feedback if decision.allowed else (*task.feedback, decision.feedback)
    return replace(
        task.add_cost(cost),
        feedback=feedback,
        feedback_key=key,
        tree=tree,
        completed_work=work if decision.outcome == "completed" else "",
    )


def apply_denials(decision: Decision, denials: Denials) -> Decision:
    """Return the decision, changed to `needs_user` if a missing permission blocks the agent.

    A single denial doesn't end the run, since the agent may work around it. A repeated denial does,
    and so does any denial if the run is stuck.
    """
    is_stuck = decision.outcome == "stuck" and bool(denials.calls)
    is_repeated = decision.outcome == "not_completed" and denials.is_repeated
    if is_stuck or is_repeated:
        return replace(decision, allowed=True, outcome="needs_user", feedback=denials.message)
    return decision
