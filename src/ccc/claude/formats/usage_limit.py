"""What claude and providers say about limits: when it tries again, and when a limit ends."""

import re
from datetime import datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

from msgspec import Struct

from ccc.claude.formats.stream import Message
from ccc.text import lenient_json

_LONGEST = 4_000
_FURTHEST = 2 * 366 * 86400
_LIMIT = re.compile(r"limit|quota|credits|上限|限额|额度|配额", re.IGNORECASE)
_AGAIN = re.compile(
    r"reset|renew|try again|retry|available again|重置|恢复|刷新|重试", re.IGNORECASE
)
_EPOCH = re.compile(r"\|(\d{10})\b")
_DATE_AND_TIME = re.compile(
    r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(?:\.\d+)?\s*(Z|UTC|[+-]\d\d:?\d\d)?"
)
_AMOUNT = re.compile(
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
_SECONDS = {"d": 86400, "h": 3600, "m": 60, "s": 1, "天": 86400, "小": 3600, "分": 60, "秒": 1}


class Retry(Struct, frozen=True):
    """A retry by claude itself after an error."""

    seconds: float = 0.0
    attempt: int = 0
    most: int = 0
    cause: str = ""

    @property
    def is_last(self) -> bool:
        """Return whether claude would give up here if it weren't patient, so that ccc waits."""
        is_long = self.seconds > 60 or self.attempt > self.most
        return is_long and self.cause in ("429", "529")

    @property
    def is_providers(self) -> bool:
        """Return whether the provider asked for this pause: claude's own ones double from 0.6 s."""
        return self.seconds > 0.625 * 2.0 ** max(0, min(self.attempt - 1, 20))


def parse_retry(raw: Message) -> Retry | None:
    """Parse the retry that claude announces for the agent or an awaited sub-agent, else None."""
    if (raw.get("type"), raw.get("subtype")) != ("system", "api_retry"):
        raw = lenient_json.mapping(raw, "subagent_retry")
    if not raw:
        return None
    delay, attempt, most = (raw.get(k) for k in ("retry_delay_ms", "attempt", "max_retries"))
    return Retry(
        seconds=delay / 1000 if isinstance(delay, int | float) and 0 <= delay < 1e9 else 0.0,
        attempt=attempt if isinstance(attempt, int) else 0,
        most=most if isinstance(most, int) else 0,
        cause=str(raw.get("error_status") or raw.get("error") or raw.get("error_category") or ""),
    )


def limit_end(raw: Message) -> float:
    """Return when the usage limit that was reached ends; 0 if the message doesn't say."""
    info = lenient_json.mapping(raw, "rate_limit_info")
    end = info.get("resetsAt") if info.get("status") == "rejected" else None
    return float(end) if isinstance(end, int | float) and 0 < end < 1e11 else 0.0


def stated_end(text: str, now: float) -> float | None:
    """Return when the usage limit in the text ends; None if the text doesn't say."""
    end = _end(text[:_LONGEST], now)
    return end if end is not None and end < now + _FURTHEST else None


def _end(text: str, now: float) -> float | None:
    if not _LIMIT.search(text):
        return None
    if epoch := _EPOCH.search(text):
        return float(epoch[1])
    if not _AGAIN.search(text):
        return None
    if match := _DATE_AND_TIME.search(text):
        return _timestamp(*match.groups())
    if start := _IN.search(text):
        seconds = _duration(text[start.end() :])
        return now + seconds if seconds else None
    here = datetime.fromtimestamp(now).astimezone()
    times = (_next_time(match, here) for match in _CLOCK.finditer(text))
    return next((time.timestamp() for time in times if time), None)


def _timestamp(day: str, clock: str, zone: str | None) -> float | None:
    """Parse a full date and time, in local time if it has no zone."""
    offset = {"Z": "+00:00", "UTC": "+00:00", None: ""}.get(zone, zone)
    try:
        return datetime.fromisoformat(f"{day}T{clock}{offset}").timestamp()
    except (ValueError, OverflowError, OSError):
        return None


def _duration(text: str) -> float:
    """Add up consecutive amounts: `2 hours 5 minutes`, `1h 30m`, `3 小时`."""
    seconds, at = 0.0, 0
    for match in _AMOUNT.finditer(text):
        if text[at : match.start()].strip(" ,and"):
            break
        amount, unit = match.group(1, 2) if match[1] else match.group(3, 4)
        seconds += float(amount) * _SECONDS[unit[0].lower()]
        at = match.end()
    return seconds


def _next_time(match: re.Match[str], now: datetime) -> datetime | None:
    """Return the next occurrence of `3pm (Asia/Shanghai)`, `Nov 20, 3:45pm` or `Aug 8`."""
    month, day, hour, half = match.group("month", "day", "hour", "half")
    if hour is None and day is None:
        return None
    here = now.astimezone(_zone(match["zone"])) if match["zone"] else now
    hours = int(hour or 0)
    if half:
        hours = hours % 12 + (12 if half == "pm" else 0)
    try:
        at = here.replace(hour=hours, minute=int(match["minute"] or 0), second=0, microsecond=0)
        if month:
            at = at.replace(month=_MONTHS.index(month) + 1, day=int(day))
            return at if at > here else at.replace(year=at.year + 1)
    except ValueError:
        return None
    return at if at > here else at + timedelta(days=1)


def _zone(name: str) -> tzinfo | None:
    """Return the zone with that name; None, meaning local time, if it is unknown."""
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return None
