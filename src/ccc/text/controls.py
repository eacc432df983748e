"""Text without control characters, which could control a terminal or hide something."""

import re

# not printable for Python but part of ordinary text: wide and no-break spaces, joined emoji
KEPT = "\n\t \u00a0\u3000\u200d\u200c"
# the first characters of control sequences
_INTRODUCERS = "\x1b\x90\x98\x9b\x9d\x9e\x9f"


def plain(text: str) -> str:
    """Return the text without control characters, so that no value can control the terminal."""
    if text.isprintable():
        return text
    if any(c in text for c in _INTRODUCERS):
        text = _without_sequences(text)
    return "".join(c for c in text if c in KEPT or c.isprintable())


def _without_sequences(text: str) -> str:
    """Return the text without complete control sequences, including their letters."""
    body = f"[^\x07\x9c{_INTRODUCERS}]*"
    texts = f"(?:\x1b[\\]PX^_]|[\x90\x98\x9d\x9e\x9f]){body}(?:\x07|\x1b\\\\|\x9c)"
    codes = "(?:\x1b\\[|\x9b)[0-?]*[ -/]*[@-~]"
    short = "\x1b[ -/]*[0-OQ-WYZ`-~]"
    return re.sub(f"{texts}|{codes}|{short}", "", text)
