"""The page's addresses: who may ask for each, and what they answer."""

import asyncio
import functools
from collections.abc import Awaitable, Callable, Collection
from concurrent.futures import Future

from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Message, Receive, Scope, Send

from ccc import failure, words
from ccc.backlog.task import LARGEST_ID
from ccc.errors import CccError
from ccc.storage.paths import Paths
from ccc.text import names
from ccc.web import actions, browser, layout
from ccc.web.access import LONGEST_SECONDS, Access
from ccc.web.browser import LANGUAGE
from ccc.web.feed import OpenPage, PageFeed
from ccc.web.layout import BOARD, NOW, SESSION
from ccc.web.pages import Form, Pages
from ccc.web.threads import Worker

_Handler = Callable[[Request], Awaitable[Response]]
_YEAR_SECONDS = 31_536_000
_BEGIN_SECONDS = 4.0  # how long a page waits for a run to begin; a key command may take longer
_SESSION_VERBS = ("supervise", "stop", "answer")
_TASK_VERBS = ("answer", "cancel", "retry", "move")
_QUEUE_VERBS = ("pause", "resume")


class App:
    """The pages of one server, in the usual language for those who ask for none that it has."""

    def __init__(self, where: Paths, access: Access, usual_language: str) -> None:
        words.choose_by(LANGUAGE.get)
        self._where, self._access, self._usual_language = where, access, usual_language
        self.feed = PageFeed(where)
        self._acting = Worker("actions")
        self._pages = Pages(where, self.feed)
        on_session = self._require_form(self._on_session, _SESSION_VERBS)
        on_queue = self._require_form(self._on_queue, _QUEUE_VERBS)
        on_task = self._require_form(self._on_task, _TASK_VERBS)
        routes = [
            Route("/", self._open),
            Route("/enter", self._enter, methods=["POST"]),
            Route("/board", _require_login(self._pages.board)),
            Route("/history", _require_login(self._pages.history)),
            Route("/session/{session}", _require_login(self._pages.session)),
            Route("/events", _require_login(self._events)),
            Route("/static/{name}", self._static),
            Route("/language", self._require_form(self._language), methods=["POST"]),
            Route("/session/{session}/{verb}", on_session, methods=["POST"]),
            Route("/queue/{verb}", on_queue, methods=["POST"]),
            Route("/queue/{task:int}/{verb}", on_task, methods=["POST"]),
        ]
        failures = {HTTPException: self._on_refusal, Exception: self._on_failure}
        self._inner = Starlette(routes=routes, exception_handlers=failures)
        self._inner.router.redirect_slashes = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request: only under the page's own name, and never without the headers."""
        if scope["type"] != "http":
            return
        request = Request(scope)
        cookie = request.cookies.get(self._access.cookie_name, "")
        is_own = self._access.is_own_host(request.headers)
        form_token = self._access.form_token(cookie) if is_own else ""
        scope["state"] = {"cookie": cookie, "form_token": form_token, "is_first": False}
        LANGUAGE.set(browser.language(request, self._usual_language))

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                is_first = request.state.is_first
                own = layout.FIRST_HEADERS if is_first else layout.HEADERS
                MutableHeaders(scope=message).update(own)
            await send(message)

        app = self._inner if is_own else self._pages.refuse(request, 400, "web.host")
        try:
            await app(scope, receive, guarded)
        except ClientDisconnect:
            pass  # there is nobody to answer
        except Exception:
            # the browser has its answer; this is for whoever looks for the reason
            failure.print_if_debugging()

    async def _on_failure(self, request: Request, error: Exception) -> Response:
        return self._pages.refuse(request, 500)

    async def _on_refusal(self, request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        text = error.detail if error.detail.startswith("web.") else ""
        refusal = self._pages.refuse(request, error.status_code, text)
        refusal.headers.update(error.headers or {})
        return refusal

    async def _open(self, request: Request) -> Response:
        """Show what happens now, or let a browser in that has the token."""
        token = request.query_params.get("token")
        # who only asks for the headers, as some messengers do with a link, doesn't use it up
        if token is not None and request.method != "HEAD":
            return self._let_in(request, token)
        is_by_user = browser.is_by_user(request)
        request.state.is_first = is_by_user and self._access.is_first(request.state.cookie)
        return await _require_login(self._pages.now)(request)

    async def _enter(self, request: Request) -> Response:
        """Let a browser in whose user has typed the token, or pasted the link."""
        if not self._access.is_own_origin(request.headers, must_be_named=True):
            raise HTTPException(403)
        form = await browser.read_form(request)
        return self._let_in(request, form.get("token", "").strip().rpartition("token=")[2])

    def _let_in(self, request: Request, token: str) -> Response:
        cookie = self._access.enter(token)
        if cookie is None and not request.state.form_token:
            raise HTTPException(401, "web.used")
        answer: Response = RedirectResponse("/", 303)
        if browser.may_be_foreign(request):
            # if another site led here, the browser would send no cookie after a redirect
            answer = HTMLResponse(layout.redirect())
        request.state.is_first = browser.is_by_user(request)
        if cookie is not None:
            _set_cookie(answer, self._access.cookie_name, cookie, LONGEST_SECONDS)
        return answer

    def _require_form(
        self,
        handler: Callable[[Request, Form], Awaitable[Response]],
        verbs: Collection[str] = (),
    ) -> _Handler:
        """Return the handler for forms that this server made for this browser."""

        async def handle(request: Request) -> Response:
            if not self._access.is_own_origin(request.headers, must_be_named=True):
                raise HTTPException(403)
            if not request.state.form_token:
                raise HTTPException(401)
            form = await browser.read_form(request)
            if not self._access.may_act(request.state.cookie, form.get("token", "")):
                raise HTTPException(403)
            if verbs and request.path_params["verb"] not in verbs:
                raise HTTPException(404)
            return await handler(request, form)

        return handle

    async def _static(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in layout.FILES:
            raise HTTPException(404)
        return Response(layout.FILES[name], media_type=layout.TYPES[name])

    async def _events(self, request: Request) -> Response:
        view = request.query_params.get("view", "")
        session = view.removeprefix(SESSION)
        is_session = view.startswith(SESSION) and names.is_session_id(session)
        if not self._access.is_own_origin(request.headers, must_be_named=False):
            raise HTTPException(403)
        if view not in (NOW, BOARD) and not is_session:
            raise HTTPException(404)
        if request.method == "HEAD":
            return Response(media_type="text/event-stream")
        given = request.query_params.get("language", "")
        language = given if given in words.LANGUAGES else LANGUAGE.get()
        page = OpenPage(view, language, request.state.form_token)
        return StreamingResponse(self.feed.follow(page), media_type="text/event-stream")

    async def _language(self, request: Request, form: Form) -> Response:
        answer = RedirectResponse(browser.own_path(form.get("back", ""), "/"), 303)
        if form.get("language") in words.LANGUAGES:
            _set_cookie(answer, browser.LANGUAGE_COOKIE, form["language"], _YEAR_SECONDS)
        return answer

    async def _on_session(self, request: Request, form: Form) -> Response:
        session, verb = request.path_params["session"], request.path_params["verb"]

        async def act() -> None:
            begun = await self._acting.act(
                lambda: actions.act(self._where, session, verb, form),
                "web.locked",
                "web.locked",
            )
            if begun is not None:
                await self._wait_until_begun(request, begun)

        return await self._act(request, form, "/", act)

    async def _wait_until_begun(self, request: Request, begun: Future[None]) -> None:
        """Wait until a run has begun; if that takes long, a later page says that it failed."""
        beginning = asyncio.wrap_future(begun)
        done, _ = await asyncio.wait({beginning}, timeout=_BEGIN_SECONDS)
        if done:
            return beginning.result()

        def tell_failure(ended: asyncio.Future[None]) -> None:
            if not ended.cancelled() and isinstance(error := ended.exception(), CccError):
                self._pages.tell(request, error)

        beginning.add_done_callback(tell_failure)
        raise CccError("web.is_starting")

    async def _on_queue(self, request: Request, form: Form) -> Response:
        is_paused = request.path_params["verb"] == "pause"
        act = functools.partial(self.feed.queue.act, lambda queue: queue.pause(is_paused))
        return await self._act(request, form, "/board", act)

    async def _on_task(self, request: Request, form: Form) -> Response:
        task, verb = request.path_params["task"], request.path_params["verb"]
        if task > LARGEST_ID:
            raise HTTPException(404)
        value, seen = form["text"] if verb == "answer" else form.get("to", ""), form.get("seen", "")

        async def act() -> None:
            if verb == "answer" and not value:
                raise CccError("queue.no_answer", id=task)
            await self.feed.queue.act(lambda queue: queue.act(task, verb, seen, value))

        return await self._act(request, form, "/board", act)

    async def _act(
        self, request: Request, form: Form, usual: str, act: Callable[[], Awaitable[None]]
    ) -> Response:
        """Do what a form asks for, and go back to the page; it shows what went wrong."""
        if question := self._pages.ask(request, form):
            return question
        back = browser.own_path(form.get("back", ""), usual)
        try:
            await act()
        except CccError as error:
            self._pages.tell(request, error)
            if form["text"]:
                return self._pages.give_back(request, form["text"], back)
        finally:
            await self.feed.run(lambda views: views.look(at_once=True))
        return RedirectResponse(back, 303)


def _require_login(handler: _Handler) -> _Handler:
    """Return the handler for those who have a cookie."""

    async def handle(request: Request) -> Response:
        if not request.state.form_token:
            raise HTTPException(401)
        return await handler(request)

    return handle


def _set_cookie(answer: Response, name: str, value: str, seconds: int) -> None:
    """Give a cookie to the browser, which sends it only with requests of our own pages."""
    answer.set_cookie(name, value, seconds, path="/", httponly=True, samesite="strict")
