"""What reaches the person's terminal: stderr, with control characters taken out."""

import sys


def plain(text: str) -> str:
    """The text without control characters, so that no name or value can steer the terminal."""
    return "".join(c for c in text if c in "\n\t" or (c.isprintable() or c == " "))


def tell(text: str) -> None:
    """Print a line for the person on stderr; a closed stderr is not an error."""
    if sys.stderr is None:
        return  # print would take stdout in its place
    try:
        print(plain(text), file=sys.stderr, flush=True)
    except (OSError, ValueError):
        pass
