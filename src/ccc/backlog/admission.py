"""Which waiting tasks may start now, and what keeps the others: one decision for all limits."""

import re
from collections.abc import Collection, Iterable, Mapping

import msgspec
from msgspec import Struct, field

from ccc.backlog.task import COMPLETED, ENDED, QueuedTask

PAUSED, LIMITED, BUSY, RATE = "paused", "limited", "busy", "rate"
BUDGET, AFTER, BLOCKED, HOST = "budget", "after", "blocked", "host"
PROVIDER, ORPHANED = "provider", "orphaned"
FOR_ALL = (PAUSED, BUDGET)  # what keeps every other task, too
FOREVER = 4_102_444_800.0  # the end of a provider's pause that the user ends: in the year 2100
DAY_SECONDS = 86_400.0
_RESERVE_USD = 5.0  # what a task may cost if it has no limit of its own and there is a budget
_AMOUNT = re.compile(r"\$?(\d+(?:\.\d+)?)(/day)?", re.IGNORECASE)
_LARGEST_USD = 1_000_000.0


class Budget(Struct, frozen=True):
    """What all tasks together may cost; None without a limit."""

    per_day: float | None = None  # in any 24 hours
    total: float | None = None

    def left(self, spent: "Spent") -> float | None:
        """Return what is left; None without a budget."""
        pairs = ((self.per_day, spent.today), (self.total, spent.total))
        left = [limit - used for limit, used in pairs if limit is not None]
        return max(0.0, min(left)) if left else None


class Spent(Struct, frozen=True):
    """What was spent or is reserved for running tasks."""

    today: float = 0.0  # in the last 24 hours
    total: float = 0.0
    reserved: float = 0.0  # the part of it that running tasks have not spent yet


def parse_budget(text: str) -> tuple[str, float] | None:
    """Parse `20/day` or `100`: the field of `Budget` and the dollars. None if it is neither."""
    match = _AMOUNT.fullmatch(text.strip())
    if not match or not 0 <= (amount := float(match[1])) <= _LARGEST_USD:
        return None
    return ("per_day" if match[2] else "total"), amount


class ProviderLimit(Struct, frozen=True):
    """How many tasks may run on a provider, and start per minute; 0 without a limit."""

    jobs: int = 0
    per_minute: int = 0


class Settings(
    msgspec.Struct,
    frozen=True,
    rename={"is_paused": "paused", "paused_until": "providers_paused"},
):
    """What the user has set for the whole queue."""

    is_paused: bool = False
    budget: Budget = Budget()
    limits: dict[str, ProviderLimit] = {}  # the limits of each provider
    paused_until: dict[str, float] = {}  # when the usage limit of a provider ends
    keep_days: float = 7.0  # how long the worktree of a completed task is kept


class Who(Struct, frozen=True):
    """A worker, and what it can run; by default, any worker."""

    worker: str = ""
    host: str = ""  # its machine; empty if it doesn't matter
    default_provider: str = ""
    providers: Collection[str] = ()  # those that it has; empty if they don't matter
    living_hosts: Collection[str] = ()  # the machines with a worker


class AdmissionObstacle(Struct, frozen=True):
    """What keeps a task from starting."""

    name: str
    detail: str = ""  # the provider, the task or the machine that it waits for
    until: float = 0.0  # when it ends; 0 if nobody knows
    needed_usd: float = 0.0
    left_usd: float = 0.0  # of the budget, if that is the obstacle


class Start(Struct, frozen=True):
    """A task that may start."""

    task: QueuedTask
    provider: str
    reserved_usd: float = 0.0  # the part of the budget that it gets; also the limit of its cost


NO_LIMIT = ProviderLimit()


class Capacity(Struct):
    """What is running and what the limits are."""

    now: float
    rules: Settings = field(default_factory=Settings)
    who: Who = Who()
    running: dict[str, int] = field(default_factory=dict)  # how many tasks run on each provider
    started: dict[str, int] = field(default_factory=dict)
    """How many tasks started on each provider in the last minute."""
    left_usd: float | None = None  # what is left of the budget; None without one
    states: Mapping[int, str] = field(default_factory=dict)
    """The states of the tasks that others wait for."""
    offered: Collection[str] = ()  # the providers that some worker has; empty if nobody knows
    shortage: AdmissionObstacle | None = None  # the task that is the next waits for more budget

    def choose_provider(self, task: QueuedTask) -> str:
        """Return the first provider of the task that isn't paused, or else the first."""
        names = self._usable(task) or [""]
        unpaused = [name for name in names if self._paused_until(name) <= self.now]
        return (unpaused or names)[0]

    def can_run(self, task: QueuedTask) -> bool:
        """Return whether this worker has one of the task's providers, and its repository.

        The worktree and the conversation of a task stay on the machine on which it started. If that
        one has no worker any more, the task starts again elsewhere from its repository's URL.
        """
        is_here = not self.who.host or task.host in ("", self.who.host)
        is_free = task.is_remote and task.host not in self.who.living_hosts
        return bool(self._usable(task)) and (is_here or is_free)

    def _wanted(self, task: QueuedTask) -> tuple[str, ...]:
        return task.providers or (self.who.default_provider,)

    def _usable(self, task: QueuedTask) -> list[str]:
        known = self.who.providers
        return [name for name in self._wanted(task) if not known or name in known]

    def _paused_until(self, provider: str) -> float:
        return self.rules.paused_until.get(provider, 0.0)

    def obstacle(self, task: QueuedTask) -> AdmissionObstacle | None:
        """Return what keeps the task from starting now; None if it may start."""
        for id_ in task.after:
            state = self.states.get(id_, "")
            if state != COMPLETED:
                return AdmissionObstacle(BLOCKED if state in (*ENDED, "") else AFTER, str(id_))
        if task.host and not task.is_remote and task.host not in self.who.living_hosts:
            return AdmissionObstacle(HOST, task.host)
        if self.rules.is_paused:
            return AdmissionObstacle(PAUSED)
        if self.left_usd is not None:
            needed = self.reserve(task)
            if self.left_usd <= 0 or self.left_usd < needed:
                return AdmissionObstacle(BUDGET, needed_usd=needed, left_usd=self.left_usd)
        if self.offered and not {*self._wanted(task)} & {*self.offered}:
            return AdmissionObstacle(PROVIDER, ", ".join(self._wanted(task)))
        return self._provider_obstacle(task)

    def _provider_obstacle(self, task: QueuedTask) -> AdmissionObstacle | None:
        name = self.choose_provider(task)
        limit = self.rules.limits.get(name, NO_LIMIT)
        if (until := self._paused_until(name)) > self.now:
            return AdmissionObstacle(LIMITED, name, until)
        if limit.jobs and self.running.get(name, 0) >= limit.jobs:
            return AdmissionObstacle(BUSY, name)
        if limit.per_minute and self.started.get(name, 0) >= limit.per_minute:
            return AdmissionObstacle(RATE, name)
        return None

    def reserve(self, task: QueuedTask) -> float:
        """Return what the task takes from the budget when it starts; 0 without a budget."""
        if self.left_usd is None:
            return 0.0
        budget = self.rules.budget
        limits = [limit for limit in (budget.per_day, budget.total) if limit is not None]
        return allowance(task) or min([_RESERVE_USD, *limits])

    def blocked_provider_lists(self) -> list[tuple[str, ...]]:
        """Return the lists of providers with which no task can start now."""
        limited = sorted({*self.rules.limits, *self.rules.paused_until})
        blocked: list[tuple[str, ...]] = [
            (name,) for name in limited if self._provider_obstacle(QueuedTask(providers=(name,)))
        ]
        return [(), *blocked] if (self.who.default_provider,) in blocked else blocked

    def start(self, task: QueuedTask) -> Start:
        """Count the task as running."""
        start = Start(task, self.choose_provider(task), self.reserve(task))
        for counts in (self.running, self.started):
            counts[start.provider] = counts.get(start.provider, 0) + 1
        if self.left_usd is not None:
            self.left_usd -= start.reserved_usd
        return start


def allowance(task: QueuedTask) -> float:
    """Return what a task's next run may cost by the task's own limit; 0 without one.

    Whoever retries a task that has used up its limit allows as much again.
    """
    limit = task.limits.get("max_cost_usd", 0.0)
    left = limit - task.cost_usd
    return left if left > 0 else limit


def choose(waiting: Iterable[QueuedTask], capacity: Capacity, free: int) -> list[Start]:
    """Return the tasks to start, at most `free`; `waiting` is in the order of their turns.

    A task that has to wait doesn't hold up the next, except for the budget: otherwise small tasks
    would use it up, and a large one would never start.
    """
    starts: list[Start] = []
    for task in waiting:
        if len(starts) >= free:
            break
        if not capacity.can_run(task):
            continue
        obstacle = capacity.obstacle(task)
        if obstacle is None:
            starts.append(capacity.start(task))
        elif obstacle.name in FOR_ALL:
            capacity.shortage = obstacle if obstacle.name == BUDGET else None
            break
    return starts
