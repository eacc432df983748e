"""The files that pages load: a fixed table, so that no address can name another file."""

import functools
import os

from ccc.ui import page

TYPES = {
    "report.css": "text/css",
    "web.css": "text/css",
    "web.js": "text/javascript",
    "icon.svg": "image/svg+xml",
}
_REPORT = os.path.dirname(page.__file__)
_OWN = os.path.join(os.path.dirname(__file__), "static")


@functools.cache
def read(name: str) -> bytes:
    """Return the content of a file in the table."""
    directory = _REPORT if name == "report.css" else _OWN
    with open(os.path.join(directory, name), "rb") as file:
        return file.read()
