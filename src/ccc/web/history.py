"""Past sessions: a list that can be searched."""

import time

from ccc.backlog.task import Task
from ccc.sessions import lookup, overview_reader
from ccc.sessions.overview import Overview
from ccc.sessions.record import Session
from ccc.storage import sessions
from ccc.storage.paths import Paths
from ccc.supervision.outcome import OUTCOMES
from ccc.text.values import dataclass, replace
from ccc.ui import formatting
from ccc.ui.page.markup import TONES, escaped, heading, say
from ccc.web.tasks import Tasks, find, place

_PAGE = 50
_MOST_READ = 3_000
_LONGEST_TASK = 200


@dataclass(frozen=True, slots=True)
class Search:
    """What the user looks for."""

    text: str = ""
    page: int = 1


def render(where: Paths, search: Search, tasks: Tasks) -> str:
    """Return the list of supervised sessions that contain the text, newest first."""
    every = _overviews(where)
    found = [each for each in every if _matches(each, find(tasks, each), search.text)]
    last = max(1, -(-len(found) // _PAGE))
    search = replace(search, page=min(search.page, last))
    first = (search.page - 1) * _PAGE
    rows = "".join(_row(where, each, find(tasks, each)) for each in found[first : first + _PAGE])
    if not rows:
        message = "web.not_found" if search.text else "history.none"
        rows = f'<tr><td colspan="6">{say(message)}</td></tr>'
    names = ("history.when", "look.project", "look.outcome", "look.rounds", "look.cost_usd")
    headings = "".join(f'<th scope="col">{heading(n)}</th>' for n in (*names, "look.task"))
    text = escaped(search.text)
    return f"""<form class="search" method="get" action="/history" role="search">
<label for="q">{say("web.search")}</label><input id="q" name="q" type="search" value="{text}">
<button>{say("web.search")}</button></form>
<div class="scroll" tabindex="0" role="region" aria-label="{say("web.history")}"><table>
<thead><tr>{headings}</tr></thead><tbody>{rows}</tbody></table></div>
{_pages(last, search)}"""


def _overviews(where: Paths) -> list[Overview]:
    ids = sessions.ids(where)[:_MOST_READ]
    found = (overview_reader.read(where.state_dir, session) for session in ids)
    return [each for each in found if each and each.was_supervised]


def _matches(overview: Overview, task: Task | None, text: str) -> bool:
    words_ = text.casefold().split()
    parts = [overview.request, overview.directory, overview.provider, overview.session]
    if task:
        parts += [f"#{task.id}", task.repo]
    whole = " ".join((*parts, formatting.session_state(overview))).casefold()
    return all(word in whole for word in words_)


def _row(where: Paths, overview: Overview, task: Task | None) -> str:
    session = lookup.load_rounds(where, overview)
    moment = overview.decided_at or overview.changed_at
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(moment))
    figures = session.figures
    is_run = session.overview.is_run
    cost = formatting.cost(figures.cost_usd, figures.cost_source, is_run)
    request = escaped((task.text if task else session.request)[:_LONGEST_TASK]) or "–"
    return f"""<tr><td class="when"><time>{when}</time></td>
<td class="mono">{place(overview, task)}</td>
<td class="state">{_state(session)}</td>
<td data-label="{heading("look.rounds")}">{figures.rounds}</td>
<td data-label="{heading("look.cost_usd")}">{escaped(cost)}</td>
<td class="wide"><a href="/session/{escaped(overview.session)}">{request}</a></td></tr>"""


def _state(session: Session) -> str:
    """Return what a session does, or how it ended, with a mark."""
    overview = session.overview
    if overview.is_busy:
        tone, mark, text = "busy", "▸", formatting.session_state(overview)
    else:
        mark = OUTCOMES[session.outcome].mark
        tone = TONES.get(mark, "warn")
        text = formatting.session_outcome(session).removeprefix(mark).strip()
    return f'<span class="mark {tone}" aria-hidden="true">{mark}</span> {escaped(text)}'


def _pages(last: int, search: Search) -> str:
    if last == 1:
        return ""
    query = escaped(search.text)
    parts = [f"<span>{say('web.page_of', n=search.page, last=last)}</span>"]
    for number, label in ((search.page - 1, "web.newer"), (search.page + 1, "web.older")):
        if 1 <= number <= last:
            fields = f'<input type="hidden" name="q" value="{query}">'
            fields += f'<input type="hidden" name="page" value="{number}">'
            button = f"<button>{say(label)}</button>"
            parts.append(f'<form method="get" action="/history">{fields}{button}</form>')
    label = say("web.turn_pages")
    return f'<nav class="pages" aria-label="{label}">{"".join(parts)}</nav>'
