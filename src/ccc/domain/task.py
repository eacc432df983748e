"""A task: what was asked with one prompt of the user's, through all its stops."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Task:
    """How far supervision has got with the current prompt."""

    prompt_id: str = ""
    count: int = 0
    started: float = 0.0
    cost_usd: float = 0.0
    feedback: tuple[str, ...] = ()
    feedback_key: str = ""
    tree: str = ""
    """What the working tree was like when the last feedback was given."""


def begun(task: Task, prompt_id: str, of_the_user: bool, started: float) -> Task:
    """The task that a stop belongs to: a new prompt of the user's begins a new one.

    A prompt id that is not the user's (a background task has ended) goes on with the old task,
    or an agent that always starts another one would never reach a limit.
    """
    has_begun = bool(task.prompt_id or task.count)
    if has_begun and (prompt_id == task.prompt_id or not of_the_user):
        return task
    return Task(prompt_id=prompt_id, started=started)
