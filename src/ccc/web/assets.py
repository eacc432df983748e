"""The files of the pages, and the headers of every answer: what a browser may load and keep."""

import base64
import hashlib
from pathlib import Path

from ccc.ui import page

_OWN = Path(__file__).parent / "static"
TYPES = {"web.js": "text/javascript", "icon.svg": "image/svg+xml"}
"""What a browser asks for: a fixed table, so that no address can name another file."""
FILES = {name: (_OWN / name).read_bytes() for name in TYPES}
STYLE = (Path(page.__file__).parent / "report.css").read_text() + (_OWN / "web.css").read_text()
"""The style sheet: that of the report, and what only these pages have.

It is part of every page: a browser that had to ask for it would show nothing until then.
"""
_STYLE_HASH = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
_POLICY = (
    f"default-src 'none'; style-src 'sha256-{_STYLE_HASH}'; script-src 'self'; "
    "connect-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
FIRST_HEADERS = {
    "Content-Security-Policy": _POLICY,
    # not no-referrer, with which a browser hides the origin of a form
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
"""The headers of the first page after the link, which only the user has.

`Cross-Origin-Opener-Policy` would make the browser start another process, which is slow.
"""
HEADERS = {**FIRST_HEADERS, "Cross-Origin-Opener-Policy": "same-origin"}
"""The headers of all other answers; other sites can't control a window that shows our page."""
