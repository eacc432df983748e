"""The headers of every answer: what a browser may load, and that it keeps nothing."""

import base64
import hashlib
from collections.abc import Mapping

from ccc.web import assets

_UNOPENED = ("none", "same-origin")
_STYLE = base64.b64encode(hashlib.sha256(assets.style().encode()).digest()).decode()
_POLICY = (
    f"default-src 'none'; style-src 'sha256-{_STYLE}'; script-src 'self'; connect-src 'self'; "
    "img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_USUAL = {
    "Content-Security-Policy": _POLICY,
    # not no-referrer, with which a browser hides the origin of a form
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
_ALONE = {**_USUAL, "Cross-Origin-Opener-Policy": "same-origin"}


def headers(asked_by: str) -> Mapping[str, str]:
    """Return the headers for a request by the user, by a page of ours or by a foreign one.

    A foreign page that opens one of ours gets no hold of its window. For that the browser starts
    another process, which would delay the first page by a fifth.
    """
    return _USUAL if asked_by in _UNOPENED else _ALONE
