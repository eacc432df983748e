"""Text of users, models and checks in a page: escaped, without control characters."""

import html

from ccc import words
from ccc.system import terminal

LANGUAGES = {"zh": "zh-CN", "en": "en"}
"""The languages of the messages, as HTML names them."""
TONES = {"✓": "good", "✗": "bad"}
"""The class of each mark; others are warnings."""


def escaped(text: str) -> str:
    """Return the text for a page, whatever it contains."""
    return html.escape(terminal.plain(text))


def say(message: str, **params: object) -> str:
    """Return a message for a page."""
    return escaped(words.say(message, **params))
