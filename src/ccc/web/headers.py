"""The headers of every answer: what a browser may load, and that it keeps nothing."""

import base64
import hashlib
from collections.abc import Mapping

from ccc.web import assets

_STYLE = base64.b64encode(hashlib.sha256(assets.style().encode()).digest()).decode()
_POLICY = (
    f"default-src 'none'; style-src 'sha256-{_STYLE}'; script-src 'self'; connect-src 'self'; "
    "img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_FIRST = {
    "Content-Security-Policy": _POLICY,
    # not no-referrer, with which a browser hides the origin of a form
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
_USUAL = {**_FIRST, "Cross-Origin-Opener-Policy": "same-origin"}


def headers(is_first: bool) -> Mapping[str, str]:
    """Return the headers of an answer.

    `Cross-Origin-Opener-Policy` keeps other sites from controlling a window that shows our page. It
    makes the browser start another process, which is slow. The first page after the link doesn't
    need it, because only the user has the link.
    """
    return _FIRST if is_first else _USUAL
