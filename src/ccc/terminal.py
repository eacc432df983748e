"""What reaches the person's terminal: stderr, with control characters taken out."""

import os
import sys

# not printable for Python, and part of ordinary texts: wide and no-break spaces, joined emoji
_KEPT = "\n\t \u00a0\u3000\u200d\u200c"
# what a control sequence begins with
_INTRODUCERS = "\x1b\x90\x98\x9b\x9d\x9e\x9f"


def plain(text: str) -> str:
    """The text without control characters, so that no name or value can steer the terminal."""
    if text.isprintable():
        return text
    if any(c in text for c in _INTRODUCERS):
        text = _without_sequences(text)
    return "".join(c for c in text if c in _KEPT or c.isprintable())


def _without_sequences(text: str) -> str:
    """The text without whole control sequences, of which the letters would be left otherwise."""
    import re

    body = f"[^\x07\x9c{_INTRODUCERS}]*"
    texts = f"(?:\x1b[\\]PX^_]|[\x90\x98\x9d\x9e\x9f]){body}(?:\x07|\x1b\\\\|\x9c)"
    codes = "(?:\x1b\\[|\x9b)[0-?]*[ -/]*[@-~]"
    short = "\x1b[ -/]*[0-OQ-WYZ`-~]"
    return re.sub(f"{texts}|{codes}|{short}", "", text)


def tell(text: str) -> None:
    """Print a line for the person on stderr; a closed stderr is not an error."""
    if sys.stderr is None:
        return  # print would take stdout in its place
    try:
        print(plain(text), file=sys.stderr, flush=True)
    except (OSError, ValueError):
        pass


def as_json(value: object, indent: int | None = None) -> str:
    """The value as JSON, in which what would steer a terminal is escaped too."""
    import json

    text = json.dumps(value, ensure_ascii=False, indent=indent)
    if text.isprintable():
        return text
    # json leaves C1 controls and marks of direction as they are; they stand in strings only
    return "".join(
        c if c in _KEPT or c.isprintable() or 0xD800 <= ord(c) < 0xE000 else json.dumps(c)[1:-1]
        for c in text
    )


def width(text: str) -> int:
    """How many cells of a terminal the text takes: a Chinese character has two."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)


def cut(text: str, cells: int) -> str:
    """The text on one line and no wider than so many cells."""
    line = " ".join(text.split())
    if width(line) <= cells:
        return line
    line = line[:cells]
    while line and width(line) > cells - 1:
        line = line[:-1]
    return line + "…"


def in_foreground(stream: int) -> bool:
    """Whether the stream is a terminal that is ours now, not the shell's or another job's."""
    try:
        return os.tcgetpgrp(stream) == os.getpgrp()
    except OSError:
        return False
