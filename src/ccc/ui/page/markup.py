"""Text of users, models and checks in a page: escaped, without control characters."""

import html

from ccc import words
from ccc.storage.paths import display_path
from ccc.system import terminal

LANGUAGES = {"zh": "zh-CN", "en": "en"}
"""The languages of the messages, as HTML names them."""
TONES = {"✓": "good", "✗": "bad"}
"""The class of each mark; others are warnings."""


def escaped(text: str) -> str:
    """Return the text for a page, whatever it contains."""
    return html.escape(terminal.plain(text))


def heading(message: str) -> str:
    """Return the heading of a terminal's column, which may be in capitals, for a page."""
    return escaped(words.say(message).capitalize())


def place(directory: str) -> str:
    """Return a directory for a page, where a line may break after each slash."""
    return escaped(display_path(directory)).replace("/", "/<wbr>")


def say(message: str, **params: object) -> str:
    """Return a message for a page."""
    return escaped(words.say(message, **params))
