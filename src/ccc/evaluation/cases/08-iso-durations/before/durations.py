"""ISO 8601 durations (time part only)."""

import re

_PATTERN = re.compile(r"PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?")


def parse(text):
    """Return the number of seconds in a duration such as PT1H30M."""
    match = _PATTERN.fullmatch(text)
    if not match or text == "PT":
        raise ValueError(f"not a duration: {text!r}")
    hours, minutes, seconds = (int(group or 0) for group in match.groups())
    return hours * 3600 + minutes * 60 + seconds
