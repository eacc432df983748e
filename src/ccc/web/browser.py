"""What a browser sends: who led it here, the user's language, and the values of a form."""

import re
from collections.abc import Mapping
from contextvars import ContextVar
from urllib.parse import parse_qs

from starlette.exceptions import HTTPException
from starlette.requests import Request

from ccc import words

LANGUAGE: ContextVar[str] = ContextVar("language", default="")
"""The language of whoever gets what is being made."""
LANGUAGE_COOKIE = "ccc_lang"
LONGEST_ANSWER = 16_000
_MOST_BYTES = 64 * 1024
_MOST_FIELDS = 20
_FORM = "application/x-www-form-urlencoded"
_OWN_PATH = re.compile(
    r"/(?:board|session/[A-Za-z0-9._-]{1,200}|history(?:\?[A-Za-z0-9=&%+._~-]{0,600})?)?"
)


def is_foreign(request: Request) -> bool:
    """Return whether another site sent the request, if the browser says so."""
    return request.headers.get("sec-fetch-site") in ("cross-site", "same-site")


def may_be_foreign(request: Request) -> bool:
    """Return whether another site may have sent the request: old browsers don't say."""
    return request.headers.get("sec-fetch-site") not in ("none", "same-origin")


def is_by_user(request: Request) -> bool:
    """Return whether the user opened the address, rather than a link on some page."""
    return request.headers.get("sec-fetch-site") == "none"


def language(request: Request, usual: str) -> str:
    """Return the language that the user chose on the page, else the browser's."""
    if (chosen := request.cookies.get(LANGUAGE_COOKIE)) in words.LANGUAGES:
        return str(chosen)
    for part in request.headers.get("accept-language", "").split(",")[:10]:
        if (tag := part.strip().casefold()[:2]) in words.LANGUAGES:
            return tag
    return usual


async def read_form(request: Request) -> Mapping[str, str]:
    """Return the values of a form; refuse other content, and forms larger than the page sends.

    `text`, what the user has typed, is always there.
    """
    if request.headers.get("content-type", "").partition(";")[0].strip().casefold() != _FORM:
        raise HTTPException(400)
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > _MOST_BYTES:
            raise HTTPException(413)
    try:
        values = parse_qs(body.decode(), keep_blank_values=True, max_num_fields=_MOST_FIELDS)
    except ValueError:
        raise HTTPException(400) from None
    form = {name: each[0] for name, each in values.items()}
    typed = form.get("text", "").replace("\r\n", "\n").strip()
    return {**form, "text": typed[:LONGEST_ANSWER]}


def own_path(path: str, usual: str) -> str:
    """Return a path if it is one of the page's own, else the usual one."""
    return path if _OWN_PATH.fullmatch(path) else usual
