"""ISO 8601 durations: weeks, days and the time part."""

import re

_PATTERN = re.compile(
    r"P(?:(\d+)W|(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?)"
)
_SIZES = (604800, 86400, 3600, 60, 1)


def parse(text):
    """Return the number of seconds in a duration such as P1DT1H30M."""
    match = _PATTERN.fullmatch(text)
    if not match or text == "P":
        raise ValueError(f"not a duration: {text!r}")
    total = 0
    for group, size in zip(match.groups(), _SIZES):
        if group:
            total += (float(group) if "." in group else int(group)) * size
    return total


def format(seconds):
    """Return the duration of so many seconds; the inverse of parse()."""
    micros = round(seconds * 1_000_000)
    days, micros = divmod(micros, 86_400_000_000)
    hours, micros = divmod(micros, 3_600_000_000)
    minutes, micros = divmod(micros, 60_000_000)
    date = f"{days}D" if days else ""
    time = (f"{hours}H" if hours else "") + (f"{minutes}M" if minutes else "")
    if micros:
        time += f"{micros / 1_000_000:.6f}".rstrip("0").rstrip(".") + "S"
    if not date and not time:
        return "PT0S"
    return "P" + date + ("T" + time if time else "")
