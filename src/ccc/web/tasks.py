"""Sessions that belong to tasks of the queue: the page shows the task, not its worktree."""

from collections.abc import Iterable, Mapping

from ccc import words
from ccc.backlog.task import Task
from ccc.sessions.overview import Overview
from ccc.ui.page import markup
from ccc.web.layout import Question, button

Tasks = Mapping[str, Task]
"""Tasks by the ids of their sessions and by the directories of their worktrees."""


def index(tasks: Iterable[Task]) -> Tasks:
    """Return the tasks by what their sessions are known by."""
    return {key: task for task in tasks for key in (task.worktree, task.session) if key}


def find(tasks: Tasks, seen: Overview) -> Task | None:
    """Return the task of a session; None if it belongs to none that the page knows."""
    return tasks.get(seen.session) or tasks.get(seen.directory)


def title(seen: Overview, task: Task | None) -> str:
    """Return what a session works on; the request of a task's session has ccc's own words, too."""
    return (task.text if task else seen.request) or words.say("show.no_request")


def place(seen: Overview, task: Task | None) -> str:
    """Return where a session works, as HTML: its directory, or the task and its repository."""
    if task is None:
        return markup.place(seen.directory)
    return f'<a href="/board#task-{task.id}">#{task.id}</a> · {markup.place(task.repo)}'


def act(
    task: Task, verb: str, label: str, *, back: str, ask: Question | None = None, **values: str
) -> str:
    """Return the button that changes a task, as the page shows it and no later."""
    address = f"/queue/{task.id}/{verb}"
    return button(address, label, ask, back, about=f"#{task.id}", seen=task.stage, **values)


def cancel(task: Task, back: str) -> str:
    """Return the button that cancels a task."""
    label = words.say("web.do_cancel")
    ask = Question(words.say("web.ask_cancel", id=task.id), label)
    return act(task, "cancel", label, back=back, ask=ask)
