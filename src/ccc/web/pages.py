"""The pages of one server, in the language of whoever asks."""

import functools
import time
from collections.abc import AsyncIterator, Callable, Mapping
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response, StreamingResponse

from ccc import failure, words
from ccc.backlog.task import QueuedTask
from ccc.errors import CccError
from ccc.model.overview import Overview
from ccc.model.record import SessionRecord
from ccc.sessions import lookup
from ccc.storage.paths import Paths
from ccc.ui import formatting
from ccc.ui.page.markup import escaped, heading, marked, say
from ccc.web import browser, layout
from ccc.web.cards import Tasks, find, place, standing
from ccc.web.feed import PageFeed
from ccc.web.layout import BOARD, NOW, SESSION
from ccc.web.threads import has_queue
from ccc.web.views import Views

Form = Mapping[str, str]
_LONGEST_SEARCH = 200
_LONGEST_MESSAGE = 1_000
_MOST_MESSAGES = 100
_PER_PAGE, _MOST_READ = 50, 3_000  # past sessions
_LONGEST_TASK = 200
_REFUSALS = {
    400: ("web.bad_title", "web.bad"),
    401: ("web.enter_title", "web.enter"),
    403: ("web.refused_title", "web.refused"),
    404: ("web.missing_title", "web.missing"),
    405: ("web.bad_title", "web.bad"),
    413: ("web.bad_title", "web.too_large"),
    500: ("web.bad_title", "web.failed"),
}
"""The words of each refusal."""
_QUESTIONS = {
    "stop": ("web.ask_stop", "web.stop"),
    "cancel": ("web.ask_cancel", "web.do_cancel"),
}
"""The verbs that the user has to confirm, each with its question and its button."""


class Pages:
    """Makes the pages. A request's state has its cookie and the token of its forms, if any."""

    def __init__(self, where: Paths, feed: PageFeed) -> None:
        self._where, self._feed = where, feed
        self._messages: dict[str, str] = {}
        """What the last action of each browser had to say, until its next page."""

    def tell(self, request: Request, error: CccError) -> None:
        """Say on the next page of the browser what went wrong."""
        while len(self._messages) >= _MOST_MESSAGES:
            del self._messages[next(iter(self._messages))]
        message = self._feed.keys.hide(error.explanation)
        self._messages[request.state.cookie] = message[:_LONGEST_MESSAGE]

    def refuse(self, request: Request, status: int, text: str = "") -> Response:
        """Return a page that says why there is no other; at once, whatever the threads wait for."""
        title, usual = map(words.say, _REFUSALS.get(status, _REFUSALS[400]))
        told = words.say(text) if text else usual
        if not request.state.form_token:
            return HTMLResponse(layout.refusal(title, told, asks=status == 401), status)
        # whoever was let in finds the way back
        before, after = layout.around(title, has_board=has_queue(self._where))
        return HTMLResponse(before + layout.paragraphs(told) + after, status)

    async def now(self, request: Request) -> Response:
        """Show what happens now."""
        return self._live(request, words.say("web.now"), NOW)

    async def board(self, request: Request) -> Response:
        """Show the queue."""
        return self._live(request, words.say("web.board"), BOARD)

    async def session(self, request: Request) -> Response:
        """Show a session."""
        session = request.path_params["session"]
        title = await self._feed.run(lambda views: views.title(session))
        if not title:
            raise HTTPException(404)
        return self._live(request, title, SESSION + session)

    def _live(self, request: Request, title: str, view: str) -> Response:
        def make(views: Views) -> str:
            views.look()
            return views.render(view)

        return self._page(request, title, make, view)

    async def history(self, request: Request) -> Response:
        """Show past sessions, those that contain the words that the user looks for."""
        page = request.query_params.get("page", "1")
        number = int(page) if page.isascii() and page.isdigit() and len(page) < 5 else 1
        text = request.query_params.get("q", "")[:_LONGEST_SEARCH]

        def make(views: Views) -> str:
            return _past_sessions(self._where, text, number, views.tasks())

        return self._page(request, words.say("web.history"), make, layout.HISTORY)

    def ask(self, request: Request, form: Form) -> Response | None:
        """Ask a browser without scripts, which couldn't do so itself; None if nothing asks."""
        verb = request.path_params["verb"]
        if form.get("sure") == "yes" or verb not in _QUESTIONS:
            return None
        question, label = _QUESTIONS[verb]
        back = browser.own_path(form.get("back", ""), "/")
        given = {"back": back, "sure": "yes", "seen": form.get("seen", "")}
        button = layout.button(request.url.path, words.say(label), **given)
        title = words.say(question, id=request.path_params.get("task", ""))
        return self._page(request, title, lambda _: _actions(button, back))

    def give_back(self, request: Request, text: str, back: str) -> Response:
        """Show what went wrong with a text, and the text, which nobody wants to type again."""
        field = f"""<label for="text">{say("web.you_wrote")}</label>
<textarea id="text" rows="6" readonly>{escaped(text)}</textarea>
{_actions("", back)}"""
        return self._page(request, words.say("web.bad_title"), lambda _: field)

    def _page(
        self, request: Request, title: str, make: Callable[[Views], str], view: str = ""
    ) -> Response:
        """Return a page whose content is made while the browser prepares the rest."""
        # a message is used up only when the user sees it: not by HEAD, nor by another site
        is_shown = request.method != "HEAD" and not browser.is_foreign(request)
        take = self._messages.pop if is_shown else self._messages.get
        query = urlencode(list(request.query_params.multi_items()))
        path = request.url.path + (f"?{query}" if query else "")
        told = take(request.state.cookie, "")
        has_board = has_queue(self._where)
        before, after = layout.around(title, view, path=path, has_board=has_board, message=told)
        fill = functools.partial(layout.with_forms, form_token=request.state.form_token, path=path)

        async def send() -> AsyncIterator[str]:
            # a browser that comes from another of our pages shows that until it has this one
            is_seen = browser.is_by_user(request)
            if is_seen:
                yield fill(before)
            try:
                body = await self._feed.run(make)
            except Exception:  # the head has been sent
                failure.print_if_debugging()
                body = f'<p class="told" role="alert">{say("web.failed")}</p>'
            body = layout.with_clocks(body, time.time())
            yield fill(("" if is_seen else before) + body + after)

        return StreamingResponse(send(), media_type="text/html")


def _actions(button: str, back: str) -> str:
    link = f'<a href="{escaped(back)}">{say("web.go_back")}</a>'
    return f'<div class="actions">{button}{link}</div>'


def _past_sessions(where: Paths, text: str, page: int, tasks: Tasks) -> str:
    """Return a page of the supervised sessions that contain the text, newest first."""
    past = lookup.find_supervised(where, _MOST_READ)
    found = [each for each in past if _matches(each, find(tasks, each), text)]
    last = max(1, -(-len(found) // _PER_PAGE))
    page = min(max(page, 1), last)
    shown = found[(page - 1) * _PER_PAGE :][:_PER_PAGE]
    rows = "".join(_row(where, each, find(tasks, each)) for each in shown)
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
{_turn_pages(text, page, last)}"""


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


def _turn_pages(text: str, page: int, last: int) -> str:
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
