"""Moments as the records write them."""

import time


def stamp(moment: float | None = None) -> str:
    """A moment, else this one, in ISO 8601 with the local offset."""
    text = time.strftime("%Y-%m-%dT%H:%M:%S%z", time.localtime(moment))
    return f"{text[:-2]}:{text[-2:]}"
