"""The pages of one server, in the language of whoever asks."""

import time
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import replace
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response, StreamingResponse

from ccc import words
from ccc.storage.paths import Paths
from ccc.ui.page.markup import escaped, say
from ccc.web import browser, history, layout, queue
from ccc.web.access import Access
from ccc.web.feed import Feed
from ccc.web.layout import BOARD, NOW, SESSION, Frame
from ccc.web.threads import print_if_debugging
from ccc.web.views import Views

Make = Callable[[Views], str]


Form = Mapping[str, str]
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
_QUESTIONS = {
    "stop": ("web.ask_stop", "web.stop"),
    "cancel": ("web.ask_cancel", "web.do_cancel"),
}
"""The verbs that the user has to confirm, each with its question and its button."""


class Pages:
    """Makes the pages; browsers that ask for neither English nor Chinese get the usual language."""

    def __init__(self, where: Paths, access: Access, usual_language: str, feed: Feed) -> None:
        self._where, self._access, self._feed = where, access, feed
        self._usual_language = usual_language
        self._messages: dict[str, str] = {}
        """What the last action of each browser had to say, until its next page."""

    def cookie_of(self, request: Request) -> str:
        """Return the cookie of a browser; empty if it has none."""
        return request.cookies.get(self._access.cookie_name, "")

    def form_token(self, request: Request) -> str:
        """Return the token of a browser's forms; empty if it hasn't been let in."""
        return self._access.form_token(self.cookie_of(request))

    def language(self, request: Request) -> str:
        """Return the language of a browser's user."""
        return browser.language(request, self._usual_language)

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
        is_in = self._access.is_own_host(request.headers) and self.form_token(request)

        def make() -> str:
            told = words.say(text or usual)
            if not is_in:
                return layout.refusal(language, words.say(title), told, asks=status == 401)
            has_board = queue.exists(self._where)
            frame = Frame(words.say(title), language=language, path="", has_board=has_board)
            before, after = layout.around(frame)
            return before + layout.paragraphs(told) + after

        # at once, whatever the threads wait for
        return HTMLResponse(words.in_language(language, make), status)

    async def now(self, request: Request) -> Response:
        """Show what happens now."""
        return self._live(request, NOW, self._say(request, "web.now"))

    async def board(self, request: Request) -> Response:
        """Show the queue."""
        return self._live(request, BOARD, self._say(request, "web.board"))

    async def session(self, request: Request) -> Response:
        """Show a session."""
        session = request.path_params["session"]

        title = await self._feed.run(self.language(request), lambda views: views.title(session))
        if not title:
            raise HTTPException(404)
        return self._live(request, SESSION + session, title)

    def _say(self, request: Request, text: str, **params: object) -> str:
        return words.in_language(self.language(request), lambda: words.say(text, **params))

    def _live(self, request: Request, view: str, title: str) -> Response:
        def make(views: "Views") -> str:
            views.look()
            return views.render(view)

        # a session's own part has its heading
        has_heading = not view.startswith(SESSION)
        frame = Frame(view=view, title=title, has_heading=has_heading)
        return self._page(request, frame, make)

    async def history(self, request: Request) -> Response:
        """Show past sessions, those that contain the words that the user looks for."""
        given = request.query_params
        page = given.get("page", "1")
        number = int(page) if page.isascii() and page.isdigit() and len(page) < 5 else 1
        text = given.get("q", "")[:_LONGEST_SEARCH]

        def make(views: "Views") -> str:
            return history.render(self._where, text, number, views.tasks())

        frame = Frame(view=layout.HISTORY, title=self._say(request, "web.history"))
        return self._page(request, frame, make)

    async def ask(self, request: Request, form: Form) -> Response | None:
        """Ask a browser without scripts, which couldn't do so itself; None if nothing asks."""
        verb = request.path_params["verb"]
        if verb not in _QUESTIONS:
            return None
        question, label = _QUESTIONS[verb]

        def make(views: "Views") -> str:
            back = browser.own_path(form.get("back", ""), "/")
            address, seen = request.url.path, form.get("seen", "")
            button = layout.button(address, words.say(label), back=back, sure="yes", seen=seen)
            link = f'<a href="{escaped(back)}">{say("web.go_back")}</a>'
            return f'<div class="actions">{button}{link}</div>'

        title = self._say(request, question, id=request.path_params.get("task", ""))
        return self._page(request, Frame(title=title), make)

    def give_back(self, request: Request, text: str, back: str) -> Response:
        """Show what went wrong with a text, and the text, which nobody wants to type again."""

        def make(_: "Views") -> str:
            return f"""<label for="text">{say("web.you_wrote")}</label>
<textarea id="text" rows="6" readonly>{escaped(text)}</textarea>
<div class="actions"><a href="{escaped(back)}">{say("web.go_back")}</a></div>"""

        return self._page(request, Frame(title=self._say(request, "web.bad_title")), make)

    def _page(self, request: Request, frame: Frame, make: Make) -> Response:
        """Return a page whose content is made while the browser prepares the rest."""
        # a message is used up only when the user sees it: not by HEAD, nor by another site
        is_shown = request.method != "HEAD" and not browser.is_foreign(request)
        take = self._messages.pop if is_shown else self._messages.get
        query = urlencode(list(request.query_params.multi_items()))
        whole = replace(
            frame,
            language=self.language(request),
            path=request.url.path + (f"?{query}" if query else ""),
            message=take(self.cookie_of(request), ""),
            has_board=queue.exists(self._where),
        )
        before, after = words.in_language(whole.language, lambda: layout.around(whole))
        token = self.form_token(request)

        async def send() -> AsyncIterator[str]:
            # a browser that comes from another of our pages shows that until it has this one
            is_seen = browser.is_by_user(request)
            if is_seen:
                yield layout.with_token(before, token)
            body = layout.with_clocks(await self._make(whole.language, make), time.time())
            yield layout.with_token(("" if is_seen else before) + body + after, token)

        return StreamingResponse(send(), media_type="text/html")

    async def _make(self, language: str, make: Make) -> str:
        """Return the content of a page, or that there is none: its head has been sent."""

        try:
            return await self._feed.run(language, make)
        except Exception:
            print_if_debugging()
            failed = words.in_language(language, lambda: say("web.failed"))
            return f'<p class="told" role="alert">{failed}</p>'
