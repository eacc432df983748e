"""What waits for a person: questions of sessions with the way to answer, and those of tasks."""

import shlex
from collections.abc import Iterable, Sequence

from ccc import words
from ccc.backlog.task import NEEDS_INPUT, Task
from ccc.sessions.overview import Overview
from ccc.storage.paths import display_path
from ccc.ui import formatting
from ccc.ui.page.markup import escaped, say
from ccc.web.layout import form

_OUTCOMES = ("needs_user", "plan")


def waits_for_person(seen: Overview) -> bool:
    """Return whether the session's last stop needs the user, who hasn't answered yet."""
    return seen.outcome in _OUTCOMES and not seen.is_stopping and seen.phase != "working"


def render(shown: Iterable[Overview], tasks: Sequence[Task], back: str) -> str:
    """Return the questions, or an empty string if there are none."""
    asked = [task for task in tasks if task.state == NEEDS_INPUT]
    of_tasks = {task.session for task in tasks if task.session}
    open_ = [each for each in shown if waits_for_person(each) and each.session not in of_tasks]
    if not asked and not open_:
        return ""
    cards = [task_question(task, back) for task in asked] + [_session(each) for each in open_]
    return f"""<section data-key="waiting" aria-labelledby="waiting">
<h2 id="waiting" class="group">{say("web.waiting")}</h2>
{"".join(cards)}</section>"""


def task_question(task: Task, back: str) -> str:
    """Return the question of a task, with a form for the answer."""
    field = (
        f'<label for="answer-{task.id}">{say("web.answer_to", id=task.id)}</label>'
        f'<textarea id="answer-{task.id}" name="text" rows="2" required maxlength="16000">'
        f"</textarea><button>{say('web.answer')}</button>"
    )
    return f"""<article class="card warn" data-key="ask-{task.id}">
<div class="top"><span class="pill warn">{say("queue.state_needs_input")}</span>
<span>#{task.id}</span><span class="mono">{escaped(display_path(task.repo))}</span></div>
<h3>{escaped(task.title)}</h3>
<p class="said">{escaped(task.detail)}</p>
{form(f"/queue/{task.id}/answer", field, back=back)}</article>"""


def _session(seen: Overview) -> str:
    title = escaped(seen.request or words.say("show.no_request"))
    said = f'<p class="said">{escaped(seen.feedback)}</p>' if seen.feedback else ""
    return f"""<article class="card warn" data-key="ask-{escaped(seen.session)}">
<div class="top"><span class="pill warn">{escaped(formatting.outcome(seen.outcome))}</span>
<span class="mono">{escaped(display_path(seen.directory))}</span></div>
<h3><a href="/session/{escaped(seen.session)}">{title}</a></h3>
{said}
<p class="how">{_how(seen)}</p></article>"""


def _how(seen: Overview) -> str:
    """Return what to type to answer."""
    if seen.is_open and not seen.is_run:
        return say("web.in_terminal")
    if seen.is_run:
        command = 'ccc run --continue "…"'
    else:
        command = " ".join(filter(None, ("ccc", seen.provider, "--resume", seen.session)))
    directory = shlex.quote(seen.directory) if seen.directory else ""
    line = f"cd {directory} && {command}" if directory else command
    return f"{say('web.in_shell')} <code>{escaped(line)}</code>"
