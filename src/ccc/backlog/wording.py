"""The queue in the user's words: the rows of its tasks, the questions, and the lines about it."""

import time
from typing import TYPE_CHECKING

from ccc import words
from ccc.backlog.admission import BUDGET, FOREVER, LIMITED, AdmissionObstacle
from ccc.backlog.task import (
    CANCELLED,
    COMPLETED,
    FAILED,
    MARKS,
    NEEDS_INPUT,
    RUNNING,
    STATES,
    WAITING,
    QueuedTask,
)
from ccc.config import schema
from ccc.model.outcome import OUTCOMES
from ccc.system import terminal
from ccc.ui import formatting

if TYPE_CHECKING:  # SQLAlchemy takes 0.15 s, and the page may have no queue
    from ccc.backlog.snapshot import Snapshot

_SHARED = {"provider": "look.provider", "cost": "look.cost_usd", "outcome": "look.outcome"}
HEADINGS = ("id", "state", "provider", "time", "cost", "task")
_ID, STATE, PROVIDER, _TIME, _COST, TASK = range(1, 7)
LEAST = {STATE: 14, PROVIDER: 5, TASK: 16}  # the columns that may shrink, and to how many cells
_STYLES = {
    COMPLETED: "green",
    FAILED: "red",
    NEEDS_INPUT: "yellow",
    CANCELLED: "dim",
    RUNNING: "cyan",
    WAITING: "",
}
_DAY = 86_400
_MOST_PIDS = 4


def headings() -> list[str]:
    """Return the headings of the table; the mark has none."""
    return ["", *(words.say(heading(name)) for name in HEADINGS)]


def row(snapshot: "Snapshot", task: QueuedTask) -> list[str]:
    """Return the cells of a task; a completed one begins with its branch."""
    return [
        MARKS[task.state],
        str(task.id),
        state(task, snapshot.obstacles.get(task.id)),
        task.provider or ",".join(task.providers) or "-",
        duration(task, snapshot.now),
        formatting.money(task.cost_usd, task.cost_source) if task.runs else "-",
        f"{task.branch_name} {task.title}" if task.state == COMPLETED else task.title,
    ]


def styles(task: QueuedTask) -> dict[int, str]:
    """Return the styles of a task's cells, by their columns."""
    return dict.fromkeys((0, STATE), _STYLES[task.state])


def heading(name: str) -> str:
    """Return the key of a column's heading."""
    return _SHARED.get(name, f"queue.head_{name}")


def state(task: QueuedTask, obstacle: AdmissionObstacle | None = None) -> str:
    """Return the state of a task: what keeps a waiting one, why another has failed."""
    if obstacle is not None:
        return describe(obstacle)
    if task.state == RUNNING and task.is_cancelled:
        return words.say("queue.cancelling")
    if task.state == FAILED and task.outcome:
        return words.say("queue.failed", outcome=outcome(task.outcome))
    return words.say(f"queue.state_{task.state}")


def describe(obstacle: AdmissionObstacle) -> str:
    """Return what keeps a task."""
    name = obstacle.name
    if name == LIMITED and obstacle.until >= FOREVER:
        name = "held"
    if name == BUDGET and obstacle.left_usd > 0:
        needed, left = usd(obstacle.needed_usd), usd(obstacle.left_usd)
        return words.say("queue.obstacle_shortage", needed=needed, left=left)
    return words.say(f"queue.obstacle_{name}", detail=obstacle.detail, until=moment(obstacle.until))


def outcome(name: str) -> str:
    """Return the outcome of a run: one of `ccc run`, or one of the queue's own."""
    if name in OUTCOMES:
        return formatting.outcome(name)
    own = f"queue.state_{name}" if name == CANCELLED else f"queue.outcome_{name}"
    return words.find(own) or name


def detail(outcome: str, given: str) -> str:
    """Return the detail of a run's outcome; that of a limit is a number."""
    limit = next((name for name in schema.LIMITS if name.split("_")[1] == outcome), "")
    try:
        return words.say("queue.after_limit", limit=words.count(limit, float(given)))
    except (KeyError, ValueError):
        return given


def answer_command(task: QueuedTask) -> str:
    """Return the command with which the user answers a task, or gives its agent a hint."""
    return f'ccc queue answer {task.id} "…"'


def duration(task: QueuedTask, now: float) -> str:
    """Return how long a task has run, or its last run took."""
    if not task.started_at:
        return "-"
    end = task.ended_at if task.ended_at >= task.started_at else now
    return formatting.clock(end - task.started_at) if end != now or task.state == RUNNING else "-"


def moment(at: float) -> str:
    """Return a time of today or tomorrow, or a date with a time."""
    if not at:
        return "?"
    when, now = time.localtime(at), time.time()
    days = [time.localtime(now)[:3], time.localtime(now + _DAY)[:3]]
    if when[:3] not in days:
        return time.strftime("%Y-%m-%d %H:%M", when)
    clock = time.strftime("%H:%M", when)
    return clock if when[:3] == days[0] else words.say("queue.tomorrow", time=clock)


def question(task: QueuedTask) -> tuple[str, str]:
    """Return what the agent asks, and the command with which the user answers."""
    asked = words.say("queue.asks", id=task.id, question=task.detail or task.title)
    return asked, answer_command(task)


def head(snapshot: "Snapshot", width: int = 0) -> list[str]:
    """Return the lines above the tasks: counts and workers, the budget, the pauses.

    The workers' pids are left out if they don't fit into the width.
    """
    known = len(snapshot.workers)
    workers = words.count("workers", known) if known else words.say("queue.no_worker")
    totals = [(state, n) for state in STATES if (n := snapshot.totals.get(state, 0))]
    counts = " · ".join(
        words.count("asking", n)
        if state == NEEDS_INPUT
        else f"{n} {words.say(f'queue.state_{state}')}"
        for state, n in totals
    )
    counts = " · ".join(filter(None, [counts, workers]))
    pids = f" (pid {', '.join(str(each['pid']) for each in snapshot.workers)})"
    if 0 < known <= _MOST_PIDS and not 0 < width < terminal.width(counts + pids):
        counts += pids
    return list(filter(None, [counts, budget_line(snapshot), pauses(snapshot)]))


def budget_line(snapshot: "Snapshot") -> str:
    """Return what is used and left of the budget; empty without one."""
    rules, spent = snapshot.rules.budget, snapshot.spent
    limits: list[str] = []
    if rules.per_day is not None:
        used = spent.today - spent.reserved
        limits.append(words.say("queue.used_today", used=usd(used), limit=usd(rules.per_day)))
    if rules.total is not None:
        used = spent.total - spent.reserved
        limits.append(words.say("queue.used", used=usd(used), limit=usd(rules.total)))
    if not limits:
        return ""
    left = rules.left(spent) or 0.0
    parts = [*limits, words.say("queue.left", left=usd(left))]
    if spent.reserved > 0:
        parts.insert(-1, words.say("queue.reserved", reserved=usd(spent.reserved)))
    return words.say("queue.budget", facts=words.say("clause").join(parts))


def pauses(snapshot: "Snapshot") -> str:
    """Return what is paused, and until when; empty if nothing is."""
    found = [words.say("queue.all_tasks")] if snapshot.rules.is_paused else []
    for provider, until in snapshot.rules.paused_until.items():
        if until >= FOREVER:
            found.append(provider)
        elif until > snapshot.now:
            found.append(words.say("queue.until", provider=provider, until=moment(until)))
    names = terminal.plain(words.say("comma").join(found))
    return words.say("queue.paused", names=names) if found else ""


def usd(amount: float) -> str:
    """Return an amount in dollars and cents."""
    return f"${max(0.0, amount):.2f}"
