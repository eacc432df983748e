"""ISO 8601 durations: weeks, days and the time part."""

import re

_PATTERN = re.compile(
    r"P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?"
)


def parse(text):
    """Return the number of seconds in a duration such as P1DT1H30M."""
    match = _PATTERN.fullmatch(text)
    if not match or text in ("P", "PT"):
        raise ValueError(f"not a duration: {text!r}")
    weeks, days, hours, minutes, seconds = (int(group or 0) for group in match.groups())
    return weeks * 604800 + days * 86400 + hours * 3600 + minutes * 60 + seconds


def format(seconds):
    """Return the duration of so many seconds; the inverse of parse()."""
    days, rest = divmod(seconds, 86400)
    hours, rest = divmod(rest, 3600)
    minutes, rest = divmod(rest, 60)
    text = "P"
    if days:
        text += f"{days}D"
    text += "T"
    if hours:
        text += f"{hours}H"
    if minutes:
        text += f"{minutes}M"
    if rest or text == "PT":
        text += f"{rest}S"
    return text
