"""Parse and format durations and sizes: 30d, 12h, 2w, 1.5 MB."""

import re

_SECONDS = {"m": 60, "h": 3600, "d": 86_400, "w": 604_800}
_FORM = re.compile(r"([0-9]{1,6})([mhdw])")


def seconds(text: str) -> float:
    """Parse a duration into seconds, or raise ValueError."""
    match = _FORM.fullmatch(text.strip().casefold())
    if not match:
        raise ValueError(text)
    return float(int(match[1]) * _SECONDS[match[2]])


def short(length: float) -> str:
    """Format a duration in its largest whole unit: 3d, 5h, 0m."""
    unit = next((unit for unit in "dh" if length >= _SECONDS[unit]), "m")
    return f"{int(length // _SECONDS[unit])}{unit}"


def size(count: int) -> str:
    """Format a number of bytes with a unit."""
    if count < 1000:
        return f"{count} B"
    for unit, worth in (("kB", 1e3), ("MB", 1e6)):
        if count < worth * 1000:
            return f"{count / worth:.1f} {unit}"
    return f"{count / 1e9:.1f} GB"
