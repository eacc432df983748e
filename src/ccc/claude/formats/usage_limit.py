"""When a usage limit ends, as providers and claude write it."""

import re
from datetime import datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

_LONGEST = 4_000
_FURTHEST = 2 * 366 * 86400
_LIMIT = re.compile(r"limit|quota|credits|上限|限额|额度|配额", re.IGNORECASE)
_AGAIN = re.compile(
    r"reset|renew|try again|retry|available again|重置|恢复|刷新|重试", re.IGNORECASE
)
_EPOCH = re.compile(r"\|(\d{10})\b")
_MOMENT = re.compile(
    r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(?:\.\d+)?\s*(Z|UTC|[+-]\d\d:?\d\d)?"
)
_SPAN = re.compile(
    r"\b(\d{1,9}(?:\.\d{1,9})?)\s*(d|h|m|s|days?|hours?|hrs?|minutes?|mins?|seconds?|secs?)\b|"
    r"(?<!\d)(\d{1,9}(?:\.\d{1,9})?)\s*(天|小时|分钟|分|秒)",
    re.IGNORECASE,
)
_IN = re.compile(
    r"\b(?:in|after)\s+(?=\d)|(?<!\d)(?=\d{1,9}\s*(?:天|小时|分钟|秒)\s*[\d天小时分钟秒 ]*后)",
    re.IGNORECASE,
)
_CLOCK = re.compile(
    r"resets?(?:\s+at)?\s+(?:(?P<month>[A-Z][a-z]{2})[a-z]*\.?\s+(?P<day>\d{1,2}),?\s*(?:at\s+)?)?"
    r"(?:(?P<hour>\d{1,2})(?::(?P<minute>\d\d))?\s*(?P<half>[ap]m)?)?"
    r"(?:\s*\((?P<zone>[A-Za-z_]+(?:/[A-Za-z_]+)*)\))?"
)
_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
_UNITS = {"d": 86400, "h": 3600, "m": 60, "s": 1, "天": 86400, "小": 3600, "分": 60, "秒": 1}


def stated_end(text: str, now: float) -> float | None:
    """The moment that the text names for the end of a limit; None where it names none."""
    end = _stated(text[:_LONGEST], now)
    return end if end is not None and end < now + _FURTHEST else None


def _stated(text: str, now: float) -> float | None:
    if not _LIMIT.search(text):
        return None
    if epoch := _EPOCH.search(text):
        return float(epoch.group(1))
    if not _AGAIN.search(text):
        return None
    if moment := _MOMENT.search(text):
        return _moment(*moment.groups())
    if start := _IN.search(text):
        return now + span if (span := _span(text[start.end() :])) else None
    return _clock(text, datetime.fromtimestamp(now).astimezone())


def _moment(day: str, clock: str, zone: str | None) -> float | None:
    """A full date and time; without a zone it is taken as local."""
    offset = {"Z": "+00:00", "UTC": "+00:00", None: ""}.get(zone, zone)
    try:
        return datetime.fromisoformat(f"{day}T{clock}{offset}").timestamp()
    except (ValueError, OverflowError, OSError):
        return None


def _span(text: str) -> float:
    """`2 hours 5 minutes`, `1h 30m`, `3 小时`: the amounts that follow each other."""
    seconds, at = 0.0, 0
    for part in _SPAN.finditer(text):
        if text[at : part.start()].strip(" ,and"):
            break
        amount, unit = (part.group(1), part.group(2)) if part.group(1) else part.group(3, 4)
        seconds += float(amount) * _UNITS[unit[0].lower()]
        at = part.end()
    return seconds


def _clock(text: str, now: datetime) -> float | None:
    """`resets 3pm (Asia/Shanghai)`, `resets Nov 20, 3:45pm`, `resets Aug 8`: the next such one."""
    for said in _CLOCK.finditer(text):
        month, day, hour = said["month"], said["day"], said["hour"]
        if hour is None and day is None:
            continue
        here = now.astimezone(_zone(said["zone"])) if said["zone"] else now
        try:
            at = here.replace(
                hour=_hour(int(hour or 0), said["half"]),
                minute=int(said["minute"] or 0),
                second=0,
                microsecond=0,
            )
            if month:
                at = at.replace(month=_MONTHS.index(month) + 1, day=int(day))
                return (at if at > here else at.replace(year=at.year + 1)).timestamp()
        except ValueError:
            continue
        return (at if at > here else at + timedelta(days=1)).timestamp()
    return None


def _hour(hour: int, half: str | None) -> int:
    return hour if half is None else hour % 12 + (12 if half == "pm" else 0)


def _zone(name: str) -> tzinfo | None:
    """The zone by that name, else the local one."""
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return None
