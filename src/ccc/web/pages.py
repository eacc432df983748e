"""The pages of one server, in the language of whoever asks."""

import time
from collections.abc import Callable, Mapping
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from ccc import words
from ccc.storage.paths import Paths
from ccc.text.values import dataclass, replace
from ccc.ui.page.markup import escaped, say
from ccc.web import browser, layout, queue
from ccc.web.access import Access
from ccc.web.feed import Feed
from ccc.web.layout import Frame
from ccc.web.views import BOARD, NOW, SESSION, Views

Form = Mapping[str, str]
_MOST_PAGE = 1_000
_LONGEST_SEARCH = 200
_LONGEST_MESSAGE = 1_000
_MOST_MESSAGES = 100
_WORDS = {
    400: ("web.bad_title", "web.bad"),
    401: ("web.enter_title", "web.enter"),
    403: ("web.refused_title", "web.refused"),
    404: ("web.missing_title", "web.missing"),
    405: ("web.bad_title", "web.bad"),
    413: ("web.bad_title", "web.too_large"),
    500: ("web.bad_title", "web.failed"),
    503: ("web.bad_title", "web.full"),
}
"""The words of each refusal."""
_LABELS = {"stop": "web.stop", "cancel": "web.do_cancel"}
"""What the button that confirms each verb says."""


def token_in(text: str) -> str:
    """Return the token that a user has typed or pasted, alone or in its link."""
    _, mark, token = text.strip().rpartition("token=")
    return token if mark else text.strip()


@dataclass(frozen=True, slots=True)
class Site:
    """What all pages of a server share."""

    where: Paths
    access: Access
    language: str
    """The language of the terminal, for browsers that ask for neither English nor Chinese."""


class Pages:
    """Makes the pages."""

    def __init__(self, site: Site, views: Views, feed: Feed) -> None:
        self._site = site
        self._views = views
        self._feed = feed
        self._messages: dict[str, str] = {}
        """What the last action of each browser had to say, until its next page."""

    def cookie_of(self, request: Request) -> str:
        """Return the cookie of a browser; empty if it has none."""
        return request.cookies.get(self._site.access.cookie_name, "")

    def form_token(self, request: Request) -> str:
        """Return the token of a browser's forms; empty if it hasn't been let in."""
        return self._site.access.form_token(self.cookie_of(request))

    def language(self, request: Request) -> str:
        """Return the language of a browser's user."""
        return browser.language(request, self._site.language)

    def tell(self, request: Request, message: str) -> None:
        """Show a message on the next page of the browser."""
        while len(self._messages) >= _MOST_MESSAGES:
            del self._messages[next(iter(self._messages))]
        self._messages[self.cookie_of(request)] = message[:_LONGEST_MESSAGE]

    async def refuse(self, request: Request, status: int, text: str = "") -> Response:
        """Return a page that says why there is no other."""
        language = self.language(request)
        title, usual = _WORDS.get(status, _WORDS[400])
        # whoever was let in finds the way back; a page under a foreign name shows nothing
        is_in = self._site.access.is_own_host(request.headers) and self.form_token(request)

        def make() -> str:
            told = words.say(text or usual)
            if not is_in:
                return layout.refusal(language, words.say(title), told, asks=status == 401)
            frame = Frame(language=language, path="", has_board=queue.exists(self._site.where))
            return layout.page(frame, words.say(title), layout.paragraphs(told))

        # at once, whatever the threads wait for
        return HTMLResponse(words.in_language(language, make), status)

    async def now(self, request: Request) -> Response:
        """Show what happens now."""
        return await self._live(request, NOW, lambda: words.say("web.now"))

    async def board(self, request: Request) -> Response:
        """Show the queue."""
        return await self._live(request, BOARD, lambda: words.say("web.board"))

    async def session(self, request: Request) -> Response:
        """Show a session."""
        session = request.path_params["session"]

        def title() -> str:
            if not (found := self._views.title(session)):
                raise HTTPException(404)
            return found

        return await self._live(request, SESSION + session, title)

    async def _live(self, request: Request, view: str, title: Callable[[], str]) -> Response:
        def make() -> tuple[str, str]:
            name = title()
            self._views.look()
            return name, self._views.render(view)

        await self._feed.look_at_queue()
        # a session's own part has its heading
        has_heading = not view.startswith(SESSION)
        return await self._page(request, Frame(view=view, live=view, has_heading=has_heading), make)

    async def history(self, request: Request) -> Response:
        """Show past sessions, those that contain the words that the user looks for."""
        from ccc.web import history  # here: the first page doesn't need it

        given = request.query_params
        page = given.get("page", "1")
        number = int(page) if page.isascii() and page.isdigit() and len(page) < 5 else 1
        text = given.get("q", "")[:_LONGEST_SEARCH]
        search = history.Search(text, min(max(number, 1), _MOST_PAGE))

        def make() -> tuple[str, str]:
            tasks = self._views.tasks()
            return words.say("web.history"), history.render(self._site.where, search, tasks)

        await self._feed.look_at_queue()
        return await self._page(request, Frame(view="history"), make)

    async def ask(self, request: Request, form: Form, question: str) -> Response:
        """Ask a browser without scripts, which couldn't do so itself."""
        task = request.path_params.get("task", "")

        def make() -> tuple[str, str]:
            back = browser.own_path(form.get("back", ""), "/")
            label = words.say(_LABELS[request.path_params["verb"]])
            button = layout.button(request.url.path, label, back=back, sure="yes")
            link = f'<a href="{escaped(back)}">{say("web.go_back")}</a>'
            return words.say(question, id=task), f'<div class="actions">{button}{link}</div>'

        return await self._page(request, Frame(), make)

    async def _page(
        self, request: Request, frame: Frame, make: Callable[[], tuple[str, str]]
    ) -> Response:
        """Return a page with its frame."""
        language = self.language(request)
        # who only asks for the headers doesn't see it
        take = self._messages.get if request.method == "HEAD" else self._messages.pop
        message = take(self.cookie_of(request), "")
        query = urlencode(list(request.query_params.multi_items()))
        path = request.url.path + (f"?{query}" if query else "")

        def whole() -> str:
            self._views.look_for_keys()
            title, body = make()
            own = replace(frame, language=language, path=path, message=message)
            own = replace(own, has_board=queue.exists(self._site.where))
            return layout.with_clocks(layout.page(own, title, body), time.time())

        text = await self._feed.run(language, whole)
        return HTMLResponse(layout.with_token(text, self.form_token(request)))
