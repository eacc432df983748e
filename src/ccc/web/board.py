"""The board: the tasks of the queue, with what a person can do about each."""

from typing import TYPE_CHECKING

from ccc import words
from ccc.backlog import wording
from ccc.backlog.task import (
    CANCELLED,
    COMPLETED,
    FAILED,
    MOST_PRIORITY,
    NEEDS_INPUT,
    RUNNING,
    WAITING,
    QueuedTask,
)
from ccc.ui.page.markup import escaped, heading, marked, say
from ccc.web import cards
from ccc.web.layout import button, form

if TYPE_CHECKING:
    from ccc.backlog.snapshot import Snapshot

_GROUPS = ((NEEDS_INPUT,), (RUNNING,), (WAITING,), (FAILED,), (COMPLETED, CANCELLED))


def render(snapshot: "Snapshot") -> str:
    """Return the board: what waits for a person first, then the tasks."""
    head = "".join(f"<li>{escaped(line)}</li>" for line in wording.head(snapshot))
    rows = "".join(_group(snapshot, states) for states in _GROUPS)
    if not snapshot.tasks:
        rows = f'<tr data-key="none"><td colspan="8">{say("queue.empty")}</td></tr>'
    headings = "".join(
        f'<th scope="col">{heading(wording.heading(name))}</th>' for name in wording.HEADINGS
    )
    return f"""<div class="top head" data-key="head"><ul class="plain">{head}</ul>
{_pause(snapshot)}</div>
{cards.questions(None, snapshot)}
<div class="scroll" data-key="table" tabindex="0" role="region" aria-label="{say("web.board")}">
<table class="tasks"><thead><tr><th><span class="hidden">{say("web.mark")}</span></th>{headings}
<th><span class="hidden">{say("web.actions")}</span></th></tr></thead><tbody>{rows}</tbody></table>
</div>"""


def _group(snapshot: "Snapshot", states: tuple[str, ...]) -> str:
    rows = "".join(_row(snapshot, task) for task in snapshot.tasks if task.state in states)
    if more := cards.cut_tasks(snapshot, *states):
        rows += f'<tr data-key="more-{states[0]}"><td colspan="8" class="quiet">{more}</td></tr>'
    return rows


def _pause(snapshot: "Snapshot") -> str:
    verb = "resume" if snapshot.rules.is_paused else "pause"
    label = words.say("web.resume" if snapshot.rules.is_paused else "web.pause")
    return button(f"/queue/{verb}", label)


def _row(snapshot: "Snapshot", task: QueuedTask) -> str:
    _, id_, _, provider, duration, cost, title = wording.row(snapshot, task)
    stands = cards.of_task(task, snapshot.obstacles.get(task.id))
    link = escaped(title)
    if task.session:
        link = f'<a href="/session/{escaped(task.session)}">{link}</a>'
    size = f"+{int(task.added)} −{int(task.removed)}"
    size = f' <small class="quiet">{size}</small>' if task.files else ""
    took = escaped(duration)
    if task.state == RUNNING:
        # the browser counts, so that the row doesn't change every second
        took = f'<time data-since="{task.started_at:.0f}"></time>'
    return f"""<tr id="task-{task.id}" data-key="task-{task.id}"><td>{marked(stands.mark)}</td>
<td>#{id_}</td><td>{escaped(stands.text)}</td>{_cell("provider", escaped(provider))}
{_cell("time", took)}{_cell("cost", escaped(cost))}<td class="wide">{link}{size}{stands.cause}</td>
<td class="actions">{_actions(task)}</td></tr>"""


def _cell(name: str, content: str) -> str:
    """Return a cell that says what it is where a phone shows no headings."""
    kind = ' class="none"' if content == "-" else ""
    return f'<td data-label="{heading(wording.heading(name))}"{kind}>{content}</td>'


def _actions(task: QueuedTask) -> str:
    parts = []
    if task.state == WAITING:
        parts.append(_turn(task))
    if task.state in (WAITING, RUNNING, NEEDS_INPUT):
        parts.append(cards.cancel(task))
    elif task.state != COMPLETED:
        parts.append(cards.act(task, "retry", words.say("web.retry")))
    return "".join(parts)


def _turn(task: QueuedTask) -> str:
    """Return a panel that moves a waiting task: to the front, to the end, or to a priority."""
    first = cards.act(task, "move", words.say("web.first"), to="first")
    last = cards.act(task, "move", words.say("web.last"), to="last")
    name, about = f"priority-{task.id}", f'<span class="hidden">#{task.id}</span>'
    field = (
        f'<label for="{name}">{say("web.priority")} {about}</label>'
        f'<input id="{name}" name="to" type="number" step="1" min="{-MOST_PRIORITY}"'
        f' max="{MOST_PRIORITY}" value="{escaped(str(task.priority))}" required>'
        f"<button>{say('web.set')}</button>"
    )
    summary = f"<summary>{say('web.move')} {about}</summary>"
    number = form(f"/queue/{task.id}/move", field, seen=task.stage)
    return f'<details class="menu">{summary}<div>{first}{last}{number}</div></details>'
