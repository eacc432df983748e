"""What reaches the person's terminal: stderr, with control characters taken out."""

import sys

# not printable for Python, and part of ordinary texts: wide and no-break spaces, joined emoji
_KEPT = "\n\t \u00a0\u3000\u200d\u200c"


def plain(text: str) -> str:
    """The text without control characters, so that no name or value can steer the terminal."""
    return "".join(c for c in text if c in _KEPT or c.isprintable())


def tell(text: str) -> None:
    """Print a line for the person on stderr; a closed stderr is not an error."""
    if sys.stderr is None:
        return  # print would take stdout in its place
    try:
        print(plain(text), file=sys.stderr, flush=True)
    except (OSError, ValueError):
        pass
