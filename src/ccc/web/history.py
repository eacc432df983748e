"""Past sessions: a list that can be searched."""

import time

from ccc.backlog.task import QueuedTask
from ccc.model.overview import Overview
from ccc.model.record import SessionRecord
from ccc.sessions import lookup
from ccc.storage.paths import Paths
from ccc.ui import formatting
from ccc.ui.page.markup import escaped, heading, marked, say
from ccc.web.tasks import Tasks, find, place, standing

_PAGE = 50
_MOST_READ = 3_000
_LONGEST_TASK = 200


def render(where: Paths, text: str, page: int, tasks: Tasks) -> str:
    """Return a page of the supervised sessions that contain the text, newest first."""
    past = lookup.find_supervised(where, _MOST_READ)
    found = [each for each in past if _matches(each, find(tasks, each), text)]
    last = max(1, -(-len(found) // _PAGE))
    page = min(max(page, 1), last)
    first = (page - 1) * _PAGE
    rows = "".join(_row(where, each, find(tasks, each)) for each in found[first : first + _PAGE])
    if not rows:
        message = "web.not_found" if text else "look.none"
        rows = f'<tr><td colspan="6">{say(message)}</td></tr>'
    names = ("history.when", "look.project", "look.outcome", "look.rounds", "look.cost_usd")
    headings = "".join(f'<th scope="col">{heading(n)}</th>' for n in (*names, "look.task"))
    typed = escaped(text)
    return f"""<form class="search" method="get" action="/history" role="search">
<label for="q">{say("web.search")}</label><input id="q" name="q" type="search" value="{typed}">
<button>{say("web.search")}</button></form>
<div class="scroll" tabindex="0" role="region" aria-label="{say("web.history")}"><table>
<thead><tr>{headings}</tr></thead><tbody>{rows}</tbody></table></div>
{_pages(text, page, last)}"""


def _matches(overview: Overview, task: QueuedTask | None, text: str) -> bool:
    words_ = text.casefold().split()
    parts = [overview.request, overview.directory, overview.provider, overview.session]
    if task:
        parts += [f"#{task.id}", task.repo]
    parts.append(standing(SessionRecord(overview), overview.outcome, task).text)
    whole = " ".join(parts).casefold()
    return all(word in whole for word in words_)


def _row(where: Paths, overview: Overview, task: QueuedTask | None) -> str:
    session = lookup.load_rounds(where, overview)
    moment = overview.decided_at or overview.changed_at
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(moment))
    figures = session.figures
    stands = standing(session, session.outcome, task)
    is_run = session.overview.is_run
    cost = formatting.cost(figures.cost_usd, figures.cost_source, is_run)
    request = escaped((task.text if task else session.request)[:_LONGEST_TASK]) or "–"
    return f"""<tr><td class="when"><time>{when}</time></td>
<td class="mono">{place(overview, task)}</td>
<td class="state">{marked(stands.mark)} {escaped(stands.text)}</td>
<td data-label="{heading("look.rounds")}">{figures.rounds}</td>
<td data-label="{heading("look.cost_usd")}">{escaped(cost)}</td>
<td class="wide"><a href="/session/{escaped(overview.session)}">{request}</a></td></tr>"""


def _pages(text: str, page: int, last: int) -> str:
    if last == 1:
        return ""
    parts = [f"<span>{say('web.page_of', n=page, last=last)}</span>"]
    for number, label in ((page - 1, "web.newer"), (page + 1, "web.older")):
        if 1 <= number <= last:
            fields = f'<input type="hidden" name="q" value="{escaped(text)}">'
            fields += f'<input type="hidden" name="page" value="{number}">'
            button = f"<button>{say(label)}</button>"
            parts.append(f'<form method="get" action="/history">{fields}{button}</form>')
    label = say("web.turn_pages")
    return f'<nav class="pages" aria-label="{label}">{"".join(parts)}</nav>'
