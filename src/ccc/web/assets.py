"""The files of the pages: a fixed table, so that no address can name another file."""

import functools
import os

from ccc.ui import page

TYPES = {"web.js": "text/javascript", "icon.svg": "image/svg+xml"}
"""What a browser asks for; the style sheets are part of every page."""
_REPORT = os.path.dirname(page.__file__)
_OWN = os.path.join(os.path.dirname(__file__), "static")


@functools.cache
def read(name: str) -> bytes:
    """Return the content of a file in the table."""
    return _read(_OWN, name)


@functools.cache
def style() -> str:
    """Return the style sheet: that of the report, and what only these pages have.

    A browser that had to ask for it would show nothing until then.
    """
    return (_read(_REPORT, "report.css") + _read(_OWN, "web.css")).decode()


def _read(directory: str, name: str) -> bytes:
    with open(os.path.join(directory, name), "rb") as file:
        return file.read()
