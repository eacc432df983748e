"""The input of claude's Stop hook."""

from datetime import datetime, timedelta

from msgspec import Struct

from ccc.errors import CccError
from ccc.text import lenient_json
from ccc.text.names import is_argument

_CRON_FIELDS = ((0, 59), (0, 23), (1, 31), (1, 12), (0, 7))
# 29 February
_MOST_DAYS = 8 * 366


class Background(Struct, frozen=True):
    """A task that is still running in the background."""

    name: str
    id: str = ""
    is_agent: bool = False
    """Whether it is a sub-agent, whose end wakes the agent. Anything else may run forever."""
    schedule: str = ""  # the cron expression of a scheduled prompt


class Choices(Struct, frozen=True):
    """Who chose the things that postpone a review."""

    agent_plans: bool = False
    """Whether the agent itself has entered plan mode since the user's last prompt."""
    in_background: frozenset[str] = frozenset()
    """The ids of the commands that the user sent to the background."""


class StopEvent(Struct, frozen=True):
    """The event of an agent that stops."""

    session_id: str = ""
    transcript_path: str = ""
    cwd: str = ""
    prompt_id: str = ""
    permission_mode: str = ""
    effort: str = ""
    stop_hook_active: bool = False
    last_assistant_message: str = ""
    background_tasks: tuple[Background, ...] = ()
    wakeups: tuple[Background, ...] = ()
    """The scheduled prompts that will wake the agent; the name is the prompt."""
    is_out_of_budget: bool = False
    """Whether claude ended an unattended agent because the budget was spent. No hook runs then."""


def parse(text: str) -> StopEvent:
    """Parse the hook's input. A field that is missing or has the wrong type is empty."""
    raw = lenient_json.parse_object(text)
    if raw is None:
        raise CccError("stop.no_event")
    return StopEvent(
        session_id=_argument(raw, "session_id"),
        transcript_path=_argument(raw, "transcript_path"),
        cwd=_argument(raw, "cwd"),
        prompt_id=lenient_json.text(raw, "prompt_id"),
        permission_mode=lenient_json.text(raw, "permission_mode"),
        effort=_argument(raw, "effort", "level"),
        stop_hook_active=raw.get("stop_hook_active") is True,
        last_assistant_message=lenient_json.text(raw, "last_assistant_message"),
        background_tasks=tuple(
            Background(
                str(task.get("description") or task.get("command") or task.get("id") or "?"),
                lenient_json.text(task, "id"),
                task.get("type") == "subagent",
            )
            for task in lenient_json.mappings(raw, "background_tasks")
            if task.get("status") == "running"
        ),
        wakeups=tuple(
            Background(
                " ".join(lenient_json.text(each, "prompt").split()),
                lenient_json.text(each, "id"),
                schedule=lenient_json.text(each, "schedule"),
            )
            for each in lenient_json.mappings(raw, "session_crons")
        ),
    )


def _argument(raw: object, *path: str) -> str:
    """Return the string at the path, if it can be used as a path or an argument."""
    value = lenient_json.text(raw, *path)
    return value if is_argument(value) else ""


def next_time(expression: str, now: float) -> float | None:
    """Return when a cron expression, in local time, next holds after `now`; None if never."""
    words = expression.split()
    try:
        fields = [_values(word, *bounds) for word, bounds in zip(words, _CRON_FIELDS, strict=True)]
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
