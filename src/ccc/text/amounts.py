"""Lengths of time and sizes as people write them: 30d, 12h, 2w, 1.5 MB."""

import re

_SECONDS = {"m": 60, "h": 3600, "d": 86_400, "w": 604_800}
_FORM = re.compile(r"([0-9]{1,6})([mhdw])")


def seconds(text: str) -> float:
    """How many seconds the text stands for; ValueError where it is no such text."""
    found = _FORM.fullmatch(text.strip().casefold())
    if not found:
        raise ValueError(text)
    return float(int(found[1]) * _SECONDS[found[2]])


def short(length: float) -> str:
    """A length of time in its largest whole unit: 3d, 5h, 0m."""
    for unit in ("d", "h", "m"):
        if length >= _SECONDS[unit] or unit == "m":
            return f"{int(length // _SECONDS[unit])}{unit}"
    return ""


def size(count: int) -> str:
    """So many bytes."""
    if count < 1000:
        return f"{count} B"
    for unit, worth in (("kB", 1e3), ("MB", 1e6)):
        if count < worth * 1000:
            return f"{count / worth:.1f} {unit}"
    return f"{count / 1e9:.1f} GB"
