"""Sessions that belong to tasks of the queue: the page shows the task, not its worktree."""

from collections.abc import Iterable, Mapping

from ccc import words
from ccc.backlog import wording
from ccc.backlog.admission import AdmissionObstacle
from ccc.backlog.task import COMPLETED, FAILED, MARKS, QueuedTask
from ccc.model.overview import Overview
from ccc.model.record import SessionRecord
from ccc.ui.page import markup
from ccc.ui.page.markup import Standing
from ccc.web.layout import button

Tasks = Mapping[str, QueuedTask]
"""Tasks by the ids of their sessions and by the directories of their worktrees."""

_LONGEST_REASON = 2_000


def index(tasks: Iterable[QueuedTask]) -> Tasks:
    """Return the tasks by what their sessions are known by."""
    return {key: task for task in tasks for key in (task.worktree, task.session) if key}


def find(tasks: Tasks, seen: Overview) -> QueuedTask | None:
    """Return the task of a session; None if it belongs to none that the page knows."""
    return tasks.get(seen.session) or tasks.get(seen.directory)


def standing(session: SessionRecord, outcome: str, task: QueuedTask | None) -> Standing:
    """Return how a session stands; the last one of a task as the task does, if it has ended."""
    seen = session.overview
    is_last = task is not None and task.session == seen.session and task.state != COMPLETED
    if task is None or seen.is_busy or not is_last:
        return markup.standing_of(session, outcome)
    return of_task(task)


def of_task(task: QueuedTask, obstacle: AdmissionObstacle | None = None) -> Standing:
    """Return how a task stands, with the reason of a failure."""
    reason = wording.detail(task.outcome, task.detail) if task.state == FAILED else ""
    return Standing(MARKS[task.state], wording.state(task, obstacle), reason[:_LONGEST_REASON])


def card(task: QueuedTask, key: str, content: str) -> str:
    """Return a card about a task without its session."""
    stands = of_task(task)
    return f"""<article class="card {stands.tone}" data-key="{key}">
<div class="top">{stands.pill}<span class="mono">{reference(task)}</span></div>
<h3 tabindex="-1">{markup.escaped(task.title)}</h3>
{content}</article>"""


def reference(task: QueuedTask) -> str:
    """Return the number of a task, with a link to the board, and its repository."""
    return f'<a href="/board#task-{task.id}">#{task.id}</a> · {markup.place(task.repo)}'


def title(seen: Overview, task: QueuedTask | None) -> str:
    """Return what a session works on; the request of a task's session has ccc's own words, too."""
    return (task.text if task else seen.request) or words.say("show.no_request")


def place(seen: Overview, task: QueuedTask | None) -> str:
    """Return where a session works, as HTML: its directory, or the task and its repository."""
    return reference(task) if task else markup.place(seen.directory)


def act(task: QueuedTask, verb: str, label: str, *, ask: str = "", **values: str) -> str:
    """Return the button that changes a task, as the page shows it and no later."""
    address = f"/queue/{task.id}/{verb}"
    return button(address, label, ask, about=f"#{task.id}", seen=task.stage, **values)


def cancel(task: QueuedTask) -> str:
    """Return the button that cancels a task."""
    ask = words.say("web.ask_cancel", id=task.id)
    return act(task, "cancel", words.say("web.do_cancel"), ask=ask)
