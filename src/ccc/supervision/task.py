"""A task: what one of the user's prompts asked for, through all its stops."""

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Task:
    """The progress of supervision for the current prompt."""

    prompt_id: str = ""
    count: int = 0
    started: float = 0.0
    cost_usd: float = 0.0
    cost_source: str = ""
    feedback: tuple[str, ...] = ()
    feedback_key: str = ""
    tree: str = ""
    """Fingerprint of the working tree when the last feedback was given."""
    completed_work: str = ""
    """A hash of the work that the last verdict found complete, or empty."""
    not_run: tuple[str, ...] = ()
    """A sentence about each check that could not run at the last stop."""
    waits: int = 0
    """The stops that were allowed because a scheduled prompt would wake the agent."""
    waited: tuple[str, ...] = ()
    """The ids of what ran in the background or was scheduled at the last stop that waited."""


def task_at_stop(task: Task, prompt_id: str, is_new: bool, started: float) -> Task:
    """Return the task that a stop belongs to; a new prompt from the user begins a new task.

    `is_new` is false if the prompt isn't the user's (a background task ended) or the agent is
    working on feedback. Otherwise an agent could run forever without reaching a limit. A claude
    that doesn't name prompts (`prompt_id` is empty) stops once per prompt without feedback.
    """
    has_begun = bool(task.prompt_id or task.count)
    other = bool(task.prompt_id and prompt_id != task.prompt_id) if prompt_id else task.started > 0
    if not has_begun or (other and is_new):
        return Task(prompt_id=prompt_id, started=started, waited=task.waited)
    # a count stored without a prompt, or without a start, belongs to this one
    return replace(task, prompt_id=task.prompt_id or prompt_id, started=task.started or started)
