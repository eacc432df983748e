"""The page's addresses: who may ask for each, and what they answer."""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import Future

from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ccc import words
from ccc.backlog.task import LARGEST_ID
from ccc.errors import CccError
from ccc.storage.paths import Paths
from ccc.text import names
from ccc.web import actions, assets, browser
from ccc.web.access import Access
from ccc.web.entry import IS_FIRST, Entry, Handler
from ccc.web.feed import EventStream, Feed, Reader
from ccc.web.headers import headers
from ccc.web.known_keys import KnownKeys
from ccc.web.layout import BOARD, NOW, SESSION, explain
from ccc.web.pages import Form, Pages
from ccc.web.queue import Queue
from ccc.web.queue_watch import QueueWatch
from ccc.web.threads import Worker, print_if_debugging
from ccc.web.views import Views

_YEAR_SECONDS = 31_536_000
_BEGIN_SECONDS = 4.0
"""How long a page waits for a run to begin; a key command may take longer."""


class App:
    """The pages of one server."""

    def __init__(self, where: Paths, access: Access, usual_language: str) -> None:
        self._where, self._access = where, access
        self._keys = KnownKeys(where)
        self._queue = QueueWatch(where, self._keys)
        self.feed = Feed(self._make_views, self._queue)
        self._acting = Worker("actions")
        self._pages = Pages(where, access, usual_language, self.feed)
        self._entry = Entry(access, self._pages)
        routes = [
            Route("/", self._entry.open),
            Route("/enter", self._entry.enter, methods=["POST"]),
            Route("/board", self._entry.require_login(self._pages.board)),
            Route("/history", self._entry.require_login(self._pages.history)),
            Route("/session/{session}", self._entry.require_login(self._pages.session)),
            Route("/events", self._entry.require_login(self._events)),
            Route("/static/{name}", self._static),
            Route("/language", self._acts(self._language), methods=["POST"]),
            Route("/session/{session}/{verb}", self._acts(self._on_session), methods=["POST"]),
            Route("/queue/{verb}", self._acts(self._on_queue), methods=["POST"]),
            Route("/queue/{task:int}/{verb}", self._acts(self._on_task), methods=["POST"]),
        ]
        failures = {HTTPException: self._on_refusal, Exception: self._on_failure}
        inner = Starlette(routes=routes, exception_handlers=failures)
        inner.router.redirect_slashes = False
        self._inner: ASGIApp = inner

    def _make_views(self) -> Views:
        return Views(self._where, self._queue, self._keys)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request: only under the page's own name, and never without the headers."""
        if scope["type"] != "http":
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(headers(IS_FIRST in scope["state"]))
            await send(message)

        request = Request(scope)
        scope.setdefault("state", {})
        try:
            if self._access.is_own_host(request.headers):
                await self._inner(scope, receive, guarded)
            else:
                refusal = await self._pages.refuse(request, 400, "web.host")
                await refusal(scope, receive, guarded)
        except ClientDisconnect:
            pass  # there is nobody to answer
        except Exception:
            # the browser has its answer; this is for whoever looks for the reason
            print_if_debugging()

    async def _on_failure(self, request: Request, error: Exception) -> Response:
        return await self._pages.refuse(request, 500)

    async def _on_refusal(self, request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        text = error.detail if error.detail.startswith("web.") else ""
        refusal = await self._pages.refuse(request, error.status_code, text)
        refusal.headers.update(error.headers or {})
        return refusal

    def _acts(self, handler: Callable[[Request, Form], Awaitable[Response]]) -> Handler:
        """Return the handler for forms that this server made for this browser."""

        async def handle(request: Request) -> Response:
            if not self._access.is_own_origin(request.headers, must_be_named=True):
                return await self._pages.refuse(request, 403)
            if not self._pages.form_token(request):
                return await self._pages.refuse(request, 401)
            form = await browser.read_form(request)
            if not self._access.may_act(self._pages.cookie_of(request), form.get("token", "")):
                return await self._pages.refuse(request, 403)
            return await handler(request, form)

        return handle

    async def _static(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in assets.TYPES:
            raise HTTPException(404)
        return Response(assets.read(name), media_type=assets.TYPES[name])

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
        language = given if given in words.LANGUAGES else self._pages.language(request)
        reader = Reader(view, language, self._pages.form_token(request))
        if not self.feed.add(reader):
            raise HTTPException(503)
        return EventStream(self.feed, reader)

    async def _language(self, request: Request, form: Form) -> Response:
        answer = RedirectResponse(browser.own_path(form.get("back", ""), "/"), 303)
        if form.get("language") in words.LANGUAGES:
            answer.set_cookie(
                browser.LANGUAGE_COOKIE,
                form["language"],
                max_age=_YEAR_SECONDS,
                path="/",
                httponly=True,
                samesite="strict",
            )
        return answer

    async def _on_session(self, request: Request, form: Form) -> Response:
        session, verb = request.path_params["session"], request.path_params["verb"]
        if verb not in actions.SESSION_VERBS:
            raise HTTPException(404)

        async def act() -> None:
            begun = await self._acting.act(
                lambda: actions.act_on_session(self._where, session, verb, form),
                "web.locked",
                "web.locked_hint",
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
                self._tell(request, error)

        beginning.add_done_callback(tell_failure)
        raise CccError("web.is_starting", hint="web.starting_hint")

    def _tell(self, request: Request, error: CccError) -> None:
        """Say on the next page of the browser what went wrong."""
        message = words.in_language(self._pages.language(request), lambda: explain(error))
        self._pages.tell(request, self._keys.hide(message))

    async def _on_queue(self, request: Request, form: Form) -> Response:
        verb = request.path_params["verb"]
        if verb not in actions.QUEUE_VERBS:
            raise HTTPException(404)
        return await self._act(
            request, form, "/board", lambda: self._queue.act(lambda q: actions.pause(q, verb))
        )

    async def _on_task(self, request: Request, form: Form) -> Response:
        task, verb = request.path_params["task"], request.path_params["verb"]
        if verb not in actions.TASK_VERBS or task > LARGEST_ID:
            raise HTTPException(404)

        def change(queue: Queue) -> None:
            actions.act_on_task(queue, task, verb, form)

        return await self._act(request, form, "/board", lambda: self._queue.act(change))

    async def _act(
        self, request: Request, form: Form, usual: str, act: Callable[[], Awaitable[None]]
    ) -> Response:
        """Do what a form asks for, and go back to the page; it shows what went wrong."""
        language = self._pages.language(request)
        back = browser.own_path(form.get("back", ""), usual)
        if form.get("sure") != "yes" and (question := await self._pages.ask(request, form)):
            return question
        try:
            await act()
        except CccError as error:
            self._tell(request, error)
            if form.get("text", "").strip():
                return self._pages.give_back(request, form["text"], back)
        finally:
            await self.feed.run(language, lambda views: views.look(at_once=True))
        return RedirectResponse(back, 303)
