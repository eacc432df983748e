"""The board: the tasks of the queue, with what a person can do about each."""

from ccc import words
from ccc.backlog import wording
from ccc.backlog.snapshot import Snapshot
from ccc.backlog.task import COMPLETED, FAILED, MARKS, NEEDS_INPUT, RUNNING, WAITING, Task
from ccc.ui.page.markup import escaped, say
from ccc.web.layout import button, form

_TONES = {
    COMPLETED: "good",
    FAILED: "bad",
    NEEDS_INPUT: "warn",
    RUNNING: "busy",
}


def render(snapshot: Snapshot, form_token: str) -> str:
    """Return the board: what waits for a person first, then the tasks."""
    head = "".join(f"<li>{escaped(line)}</li>" for line in wording.head(snapshot))
    asked = [task for task in snapshot.tasks if task.state == NEEDS_INPUT]
    rows = "".join(_row(snapshot, task, form_token) for task in snapshot.tasks)
    more = sum(snapshot.totals.values()) - len(snapshot.tasks)
    rest = f'<p class="quiet" data-key="more">{say("queue.more", n=more)}</p>' if more > 0 else ""
    if not snapshot.tasks:
        rows = f'<tr><td colspan="7">{say("queue.empty")}</td></tr>'
    headings = "".join(
        f'<th scope="col">{say(f"queue.head_{name}")}</th>' for name in wording.HEADINGS
    )
    return f"""<div class="top" data-key="head"><ul class="plain">{head}</ul>
{_pause(snapshot, form_token)}</div>
{"".join(_question(task, form_token) for task in asked)}
<div class="scroll" data-key="table" tabindex="0" role="region" aria-label="{say("web.board")}">
<table><thead><tr><th><span class="hidden">{say("web.mark")}</span></th>{headings}
<th><span class="hidden">{say("web.actions")}</span></th></tr></thead><tbody>{rows}</tbody></table>
</div>
{rest}"""


def _pause(snapshot: Snapshot, form_token: str) -> str:
    if snapshot.rules.is_paused:
        return button("/queue/resume", form_token, words.say("web.resume"))
    return button("/queue/pause", form_token, words.say("web.pause"))


def _question(task: Task, form_token: str) -> str:
    field = (
        f'<label for="answer-{task.id}">{say("web.answer_to", id=task.id)}</label>'
        f'<textarea id="answer-{task.id}" name="text" rows="2" required></textarea>'
        f"<button>{say('web.answer')}</button>"
    )
    return f"""<article class="card warn" data-key="ask-{task.id}">
<div class="top"><span class="pill warn">{say("queue.state_needs_input")}</span>
<span>#{task.id}</span></div><h2>{escaped(task.title)}</h2>
<p class="said question">{escaped(task.detail)}</p>
{form(f"/queue/{task.id}/answer", form_token, field)}</article>"""


def _row(snapshot: Snapshot, task: Task, form_token: str) -> str:
    _, id_, state, provider, duration, cost, title = wording.row(snapshot, task)
    tone = _TONES.get(task.state, "")
    link = escaped(title)
    if task.session:
        link = f'<a href="/session/{escaped(task.session)}">{link}</a>'
    size = f' <small class="quiet">+{task.added} −{task.removed}</small>' if task.files else ""
    return f"""<tr data-key="task-{task.id}"><td><span class="mark {tone}">{MARKS[task.state]}</span></td>
<td>#{id_}</td><td>{escaped(state)}</td><td>{escaped(provider)}</td><td>{escaped(duration)}</td>
<td>{escaped(cost)}</td><td>{link}{size}</td><td class="actions">{_actions(task, form_token)}</td>
</tr>"""


def _actions(task: Task, form_token: str) -> str:
    address, parts = f"/queue/{task.id}", []
    if task.state == WAITING:
        label = words.say("web.first")
        parts.append(button(f"{address}/move", form_token, label, to="first"))
    if task.state in (WAITING, RUNNING, NEEDS_INPUT):
        ask = words.say("web.ask_cancel", id=task.id)
        parts.append(button(f"{address}/cancel", form_token, words.say("web.cancel"), ask))
    elif task.state != COMPLETED:
        parts.append(button(f"{address}/retry", form_token, words.say("web.retry")))
    return "".join(parts)


