"""When a scheduled prompt of claude's fires next: its cron expression, in local time."""

from datetime import datetime, timedelta

_FIELDS = ((0, 59), (0, 23), (1, 31), (1, 12), (0, 7))
# 29 February
_MOST_DAYS = 8 * 366


def next_time(expression: str, now: float) -> float | None:
    """Return when the expression next holds after `now`; None if it never does or isn't one."""
    words = expression.split()
    try:
        fields = [_values(word, *bounds) for word, bounds in zip(words, _FIELDS, strict=True)]
    except ValueError:
        return None
    minutes, hours, days, months, weekdays = fields
    # if both are given, one of them is enough
    is_either = not words[2].startswith("*") and not words[4].startswith("*")
    start = datetime.fromtimestamp(now)
    for offset in range(_MOST_DAYS):
        day = (start + timedelta(offset)).replace(second=0, microsecond=0)
        by_day, by_weekday = day.day in days, day.isoweekday() % 7 in {n % 7 for n in weekdays}
        if day.month not in months or not (
            by_day or by_weekday if is_either else by_day and by_weekday
        ):
            continue
        times = (day.replace(hour=h, minute=m).timestamp() for h in hours for m in minutes)
        if later := [time for time in times if time > now]:
            return min(later)
    return None


def _values(field: str, lowest: int, highest: int) -> set[int]:
    """Return the numbers of a field such as `*`, `*/5`, `1-5` or `1,3`."""
    values: set[int] = set()
    for part in field.split(","):
        span, _, step = part.partition("/")
        first, _, last = span.partition("-")
        if span == "*":
            numbers = range(lowest, highest + 1)
        else:
            numbers = range(int(first), int(last or (highest if step else first)) + 1)
        if not numbers or numbers[0] < lowest or numbers[-1] > highest:
            raise ValueError(field)
        values.update(numbers[:: int(step or 1)])
    return values
