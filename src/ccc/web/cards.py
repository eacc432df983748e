"""Cards about sessions and tasks: how they stand, what they ask and the ways to answer.

Of a session that belongs to a task of the queue, the page shows the task, not its worktree.
"""

import os
import shlex
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from ccc import words
from ccc.backlog import places, wording
from ccc.backlog.admission import AdmissionObstacle
from ccc.backlog.task import COMPLETED, FAILED, MARKS, NEEDS_INPUT, QueuedTask
from ccc.model.overview import WAITING, Overview
from ccc.model.record import SessionRecord
from ccc.run import saved_run
from ccc.sessions.watcher import Watcher
from ccc.storage.paths import display_path
from ccc.ui import formatting
from ccc.ui.page import markup
from ccc.ui.page.markup import Standing, escaped, say, standing_of
from ccc.web.browser import LONGEST_ANSWER
from ccc.web.layout import button, form

if TYPE_CHECKING:
    from ccc.backlog.snapshot import Snapshot

Tasks = Mapping[str, QueuedTask]
"""Tasks by the ids of their sessions and by the directories of their worktrees."""

_LONGEST_REASON = 2_000
_LEAVE_PLAN = " -- --permission-mode acceptEdits"


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
        return standing_of(session, outcome)
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
<h3 tabindex="-1">{escaped(task.title)}</h3>
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


def questions(watcher: Watcher | None, snapshot: "Snapshot | None") -> str:
    """Return the questions of tasks and watched sessions, or an empty string."""
    tasks = snapshot.tasks if snapshot else []
    asked = [task for task in tasks if task.state == NEEDS_INPUT]
    cards = list(map(_task_question, asked))
    if snapshot and (more := cut_tasks(snapshot, NEEDS_INPUT)):
        cards.append(f'<p class="quiet" data-key="ask-more">{more}</p>')
    of_tasks = index(tasks)
    for seen in watcher.shown if watcher else ():
        if seen.waits_for and not find(of_tasks, seen):
            assert watcher is not None
            session = watcher.watched[seen.session].record
            cards.append(_session_question(session, watcher.shown))
    if not cards:
        return ""
    return f"""<section data-key="waiting" aria-labelledby="waiting">
<h2 id="waiting" class="group">{say("web.waiting")}</h2>
{"".join(cards)}</section>"""


def cut_tasks(snapshot: "Snapshot", *states: str) -> str:
    """Return how many tasks in these states aren't shown, and what lists them; empty if all are."""
    shown = sum(task.state in states for task in snapshot.tasks)
    more = sum(snapshot.totals.get(state, 0) for state in states) - shown
    command = " ".join(("ccc queue list", *(f"--state {state}" for state in states)))
    return f"{say('web.more', n=more)} <code>{command}</code>" if more > 0 else ""


def question(session: SessionRecord, shown: Iterable[Overview], task: QueuedTask | None) -> str:
    """Return the question for the page of a session that waits, or that of its task."""
    if task:
        return _task_question(task) if task.state == NEEDS_INPUT else ""
    heading = f'<h2 class="group">{say("web.waiting")}</h2>'
    return _question_card(session, heading, shown)


def _task_question(task: QueuedTask) -> str:
    label, asked = words.say("web.answer_to", id=task.id), f"{task.id}-{task.stage}"
    field = _form(f"/queue/{task.id}/answer", label, name=asked, seen=task.stage)
    return card(task, f"ask-{asked}", f'<p class="said">{escaped(task.detail)}</p>{field}')


def _session_question(session: SessionRecord, shown: Iterable[Overview]) -> str:
    """Return the question of a session among those of others."""
    seen = session.overview
    title = escaped(seen.request or words.say("show.no_request"))
    head = f"""<div class="top">{standing_of(session, seen.outcome).pill}
<span class="mono">{escaped(display_path(seen.directory))}</span></div>
<h3 tabindex="-1"><a href="/session/{escaped(seen.session)}">{title}</a></h3>"""
    return _question_card(session, head, shown)


def _question_card(session: SessionRecord, head: str, shown: Iterable[Overview]) -> str:
    """Return the question of a session, with a form if ccc can continue it, and the commands."""
    seen, question = session.overview, _question(session)
    said = f'<p class="said">{escaped(question)}</p>' if question else ""
    is_last = _is_last_run(seen, shown)
    asked = saved_run.name_question(seen.session, seen.round, seen.decided_at)
    answer = ""
    # a plan also needs another permission mode
    has_form = is_last and not seen.is_open and seen.outcome == "needs_user"
    if seen.is_open and not seen.is_run:
        answer = f'<p class="how">{say("web.in_terminal")}</p>'
    elif seen.is_run and not is_last:
        answer = f'<p class="how">{escaped(words.remedy("web.later_run"))}</p>'
    elif seen.is_run and has_form and not places.is_worktree(os.environ, seen.directory):
        label = words.say("web.answer_run")
        answer = _form(f"/session/{seen.session}/answer", label, name=asked, seen=asked)
    ways = "".join(_way(*each) for each in _ways(seen, is_last))
    return f"""<article class="card warn" data-key="ask-{escaped(asked)}">{head}
{said}{answer}<dl class="ways">{ways}</dl></article>"""


def _question(session: SessionRecord) -> str:
    """Return what claude asks, or the last stop: the state has only what was sent to the agent."""
    seen = session.overview
    if seen.phase == WAITING:
        return formatting.question(seen.waits_for, seen.question)
    last = session.rounds[-1] if session.rounds else None
    return last.feedback if last and last.outcome == seen.outcome else ""


def _form(address: str, label: str, *, name: str, seen: str) -> str:
    """Return the form for an answer to the question that the user has `seen`."""
    field = (
        f'<p class="stale">{say("web.stale")}</p>'
        f'<label for="answer-{escaped(name)}">{escaped(label)}</label>'
        f'<textarea id="answer-{escaped(name)}" name="text" rows="2" required'
        f' maxlength="{LONGEST_ANSWER}">'
        f'</textarea><button data-sent="{say("web.sent")}">{say("web.answer")}</button>'
    )
    return form(address, field, seen=seen)


def _is_last_run(seen: Overview, shown: Iterable[Overview]) -> bool:
    """Return whether `ccc run --continue` in its directory continues this run, not a later one."""
    if seen.unfinished is None:
        return False
    directory = seen.unfinished[0]
    runs = [(each.unfinished, each.session) for each in (*shown, seen)]
    here = ((run[1], session) for run, session in runs if run and run[0] == directory)
    return max(here)[1] == seen.session


def _ways(seen: Overview, is_last: bool) -> Iterator[tuple[str, str]]:
    """Yield what to type, with a label: the answer, the session itself, its id."""
    directory = f"cd {shlex.quote(seen.directory)} && " if seen.directory else ""
    if seen.is_run and is_last:
        plan = _LEAVE_PLAN if seen.outcome == "plan" else ""
        answer = shlex.quote(words.say("queue.of_message").lower())
        yield "web.in_shell", f"{directory}ccc run --continue {answer}{plan}"
    if not seen.is_open:
        yield "web.resume_session", directory + formatting.resume_command(seen)
    yield "web.session", seen.session


def _way(label: str, text: str) -> str:
    """Return a text to copy; without scripts it can be selected."""
    name, copied = say(label), say("web.copied")
    return (
        f"<div><dt>{name}</dt><dd><code>{escaped(text)}</code>"
        f'<button type="button" class="copy" data-copied="{copied}"'
        f' aria-label="{say("web.copy")}: {name}">{say("web.copy")}</button></dd></div>'
    )
