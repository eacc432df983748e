"""The board: the tasks of the queue, with what a person can do about each."""

from ccc import words
from ccc.backlog import wording
from ccc.backlog.snapshot import Snapshot
from ccc.backlog.task import COMPLETED, FAILED, MARKS, NEEDS_INPUT, RUNNING, WAITING, Task
from ccc.ui.page.markup import escaped, say
from ccc.web import waiting
from ccc.web.layout import button

_TONES = {COMPLETED: "good", FAILED: "bad", NEEDS_INPUT: "warn", RUNNING: "busy"}
_BACK = "/board"


def render(snapshot: Snapshot) -> str:
    """Return the board: what waits for a person first, then the tasks."""
    head = "".join(f"<li>{escaped(line)}</li>" for line in wording.head(snapshot))
    rows = "".join(_row(snapshot, task) for task in snapshot.tasks)
    more = sum(snapshot.totals.values()) - len(snapshot.tasks)
    rest = f'<p class="quiet" data-key="more">{say("queue.more", n=more)}</p>' if more > 0 else ""
    if not snapshot.tasks:
        rows = f'<tr data-key="none"><td colspan="8">{say("queue.empty")}</td></tr>'
    headings = "".join(
        f'<th scope="col">{say(f"queue.head_{name}")}</th>' for name in wording.HEADINGS
    )
    return f"""<div class="top head" data-key="head"><ul class="plain">{head}</ul>
{_pause(snapshot)}</div>
{waiting.render((), snapshot.tasks, _BACK)}
<div class="scroll" data-key="table" tabindex="0" role="region" aria-label="{say("web.board")}">
<table class="tasks"><thead><tr><th><span class="hidden">{say("web.mark")}</span></th>{headings}
<th><span class="hidden">{say("web.actions")}</span></th></tr></thead><tbody>{rows}</tbody></table>
</div>
{rest}"""


def _pause(snapshot: Snapshot) -> str:
    if snapshot.rules.is_paused:
        return button("/queue/resume", words.say("web.resume"), back=_BACK)
    return button("/queue/pause", words.say("web.pause"), back=_BACK)


def _row(snapshot: Snapshot, task: Task) -> str:
    _, id_, state, provider, duration, cost, title = wording.row(snapshot, task)
    tone = _TONES.get(task.state, "")
    link = escaped(title)
    if task.session:
        link = f'<a href="/session/{escaped(task.session)}">{link}</a>'
    size = (
        f' <small class="quiet">+{int(task.added)} −{int(task.removed)}</small>'
        if task.files
        else ""
    )
    took = escaped(duration)
    if task.state == RUNNING:
        # the browser counts, so that the row doesn't change every second
        took = f'<time data-since="{task.started_at:.0f}"></time>'
    mark = f'<span class="mark {tone}" aria-hidden="true">{MARKS[task.state]}</span>'
    return f"""<tr data-key="task-{task.id}"><td>{mark}</td>
<td>#{id_}</td><td>{escaped(state)}</td><td>{escaped(provider)}</td><td>{took}</td>
<td>{escaped(cost)}</td><td class="wide">{link}{size}</td>
<td class="actions">{_actions(task)}</td></tr>"""


def _actions(task: Task) -> str:
    address, about, parts = f"/queue/{task.id}", f"#{task.id}", []
    if task.state == WAITING:
        label = words.say("web.first")
        parts.append(button(f"{address}/move", label, back=_BACK, about=about, to="first"))
    if task.state in (WAITING, RUNNING, NEEDS_INPUT):
        ask = words.say("web.ask_cancel", id=task.id)
        label = words.say("web.cancel")
        parts.append(button(f"{address}/cancel", label, ask, back=_BACK, about=about))
    elif task.state != COMPLETED:
        parts.append(button(f"{address}/retry", words.say("web.retry"), back=_BACK, about=about))
    return "".join(parts)
