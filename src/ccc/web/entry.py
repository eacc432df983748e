"""The way in: from the link with its token to the first page."""

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from ccc import words
from ccc.web import browser, layout
from ccc.web.access import LONGEST_SECONDS, Access
from ccc.web.pages import Pages

Handler = Callable[[Request], Awaitable[Response]]
IS_FIRST = "is_first"
"""What a request's state has on the way from the link to the first page."""


def _token_in(text: str) -> str:
    """Return the token that a user has typed or pasted, alone or in its link."""
    _, mark, token = text.strip().rpartition("token=")
    return token if mark else text.strip()


class Entry:
    """Lets in the browsers that have the token."""

    def __init__(self, access: Access, pages: Pages) -> None:
        self._access = access
        self._pages = pages

    def require_login(self, handler: Handler) -> Handler:
        """Return the handler for those who have a cookie."""

        async def handle(request: Request) -> Response:
            if not self._pages.form_token(request):
                return await self._pages.refuse(request, 401)
            return await handler(request)

        return handle

    async def open(self, request: Request) -> Response:
        """Show what happens now, or let a browser in that has the token."""
        token = request.query_params.get("token")
        # who only asks for the headers, as some messengers do with a link, doesn't use it up
        if token is not None and request.method != "HEAD":
            return await self._let_in(request, token)
        if browser.is_by_user(request) and self._access.is_first(self._pages.cookie_of(request)):
            request.scope["state"][IS_FIRST] = True
        return await self.require_login(self._pages.now)(request)

    async def enter(self, request: Request) -> Response:
        """Let a browser in whose user has typed the token."""
        if not self._access.is_own_origin(request.headers, must_be_named=True):
            return await self._pages.refuse(request, 403)
        form = await browser.read_form(request)
        return await self._let_in(request, _token_in(form.get("token", "")))

    async def _let_in(self, request: Request, token: str) -> Response:
        cookie = self._access.enter(token)
        if cookie is None and not self._pages.form_token(request):
            return await self._pages.refuse(request, 401, "web.used")
        answer = self._lead_in(request)
        if cookie is not None:
            answer.set_cookie(
                self._access.cookie_name,
                cookie,
                max_age=LONGEST_SECONDS,
                path="/",
                httponly=True,
                samesite="strict",
            )
        return answer

    def _lead_in(self, request: Request) -> Response:
        """Send the browser to the first page.

        If another site led here, the browser would send no cookie after a redirect.
        """
        if browser.may_be_foreign(request):
            language = self._pages.language(request)
            return HTMLResponse(words.in_language(language, lambda: layout.door(language)))
        if browser.is_by_user(request):
            request.scope["state"][IS_FIRST] = True
        return RedirectResponse("/", 303)
