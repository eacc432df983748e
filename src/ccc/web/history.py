"""Past sessions: a list that can be searched."""

import time

from ccc.sessions import lookup, overview_reader
from ccc.sessions.overview import Overview
from ccc.storage import sessions
from ccc.storage.paths import Paths, display_path
from ccc.text.values import dataclass
from ccc.ui import formatting
from ccc.ui.page.markup import TONES, escaped, say

_PAGE = 50
_MOST_READ = 3_000
_LONGEST_TASK = 200


@dataclass(frozen=True, slots=True)
class Search:
    """What the user looks for."""

    text: str = ""
    page: int = 1


def render(where: Paths, search: Search) -> str:
    """Return the list of supervised sessions that contain the text, newest first."""
    found = [each for each in _overviews(where) if _matches(each, search.text)]
    first = (search.page - 1) * _PAGE
    rows = "".join(_row(where, each) for each in found[first : first + _PAGE])
    if not rows:
        message = "web.not_found" if search.text else "history.none"
        rows = f'<tr><td colspan="6">{say(message)}</td></tr>'
    names = ("history.when", "look.project", "look.outcome", "look.rounds", "look.cost_usd")
    headings = "".join(f'<th scope="col">{say(n)}</th>' for n in (*names, "history.task"))
    text = escaped(search.text)
    return f"""<form class="search" method="get" action="/history" role="search">
<label for="q">{say("web.search")}</label><input id="q" name="q" type="search" value="{text}">
<button>{say("web.search")}</button></form>
<div class="scroll" tabindex="0" role="region" aria-label="{say("web.history")}"><table>
<thead><tr>{headings}</tr></thead><tbody>{rows}</tbody></table></div>
{_pages(len(found), search)}"""


def _overviews(where: Paths) -> list[Overview]:
    ids = sessions.ids(where)[:_MOST_READ]
    found = (overview_reader.read(where.state_dir, session) for session in ids)
    return [each for each in found if each and each.was_supervised]


def _matches(overview: Overview, text: str) -> bool:
    words_ = text.casefold().split()
    parts = (overview.request, overview.directory, overview.provider, overview.session)
    whole = " ".join((*parts, formatting.outcome(overview.outcome))).casefold()
    return all(word in whole for word in words_)


def _row(where: Paths, overview: Overview) -> str:
    session = lookup.load_rounds(where, overview)
    moment = overview.decided_at or overview.changed_at
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(moment))
    figures, mark = session.figures, overview.mark
    cost = formatting.money(figures.cost_usd, figures.cost_source)
    task = escaped(session.request[:_LONGEST_TASK]) or "–"
    return f"""<tr><td><time>{when}</time></td>
<td class="mono">{escaped(display_path(overview.directory))}</td>
<td><span class="mark {TONES.get(mark, "warn")}" aria-hidden="true">{mark}</span>
{escaped(formatting.session_outcome(session).removeprefix(mark).strip())}</td>
<td>{figures.rounds}</td><td>{escaped(cost)}</td>
<td class="wide"><a href="/session/{escaped(overview.session)}">{task}</a></td></tr>"""


def _pages(count: int, search: Search) -> str:
    if count <= _PAGE:
        return ""
    last = -(-count // _PAGE)
    query = escaped(search.text)
    parts = []
    for number, label in ((search.page - 1, "web.newer"), (search.page + 1, "web.older")):
        if 1 <= number <= last:
            fields = f'<input type="hidden" name="q" value="{query}">'
            fields += f'<input type="hidden" name="page" value="{number}">'
            button = f"<button>{say(label)}</button>"
            parts.append(f'<form method="get" action="/history">{fields}{button}</form>')
    return f'<div class="pages">{"".join(parts)}</div>'
