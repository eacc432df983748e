"""Which waiting tasks may start now, and what keeps the others: one decision for all limits."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from ccc.backlog.budget import RESERVE_USD
from ccc.backlog.task import COMPLETED, ENDED, QueuedTask

PAUSED, LIMITED, BUSY, RATE = "paused", "limited", "busy", "rate"
BUDGET, AFTER, BLOCKED, HOST = "budget", "after", "blocked", "host"
PROVIDER, ORPHANED = "provider", "orphaned"
FOR_ALL = (PAUSED, BUDGET)  # what keeps every other task, too
FOREVER = 4_102_444_800.0  # the end of a provider's pause that the user ends: in the year 2100


@dataclass(frozen=True, slots=True)
class ProviderLimit:
    """How many tasks may run on a provider, and start per minute; 0 without a limit."""

    jobs: int = 0
    per_minute: int = 0


@dataclass(frozen=True, slots=True)
class AdmissionObstacle:
    """What keeps a task from starting."""

    name: str
    detail: str = ""  # the provider, the task or the machine that it waits for
    until: float = 0.0  # when it ends; 0 if nobody knows
    needed_usd: float = 0.0
    left_usd: float = 0.0  # of the budget, if that is the obstacle


@dataclass(frozen=True, slots=True)
class Start:
    """A task that may start."""

    task: QueuedTask
    provider: str
    reserved_usd: float = 0.0  # the part of the budget that it gets; also the limit of its cost


NO_LIMIT = ProviderLimit()


@dataclass(slots=True)
class Capacity:
    """What is running and what the limits are."""

    now: float
    default_provider: str = ""
    is_paused: bool = False
    limits: Mapping[str, ProviderLimit] = field(default_factory=dict)
    paused_until: Mapping[str, float] = field(default_factory=dict)
    """The providers whose usage limit was reached."""
    running: dict[str, int] = field(default_factory=dict)  # how many tasks run on each provider
    started: dict[str, int] = field(default_factory=dict)
    """How many tasks started on each provider in the last minute."""
    left_usd: float | None = None  # what is left of the budget; None without one
    budget_usd: float = 0.0  # the whole budget, per day or in total: whichever is smaller
    states: Mapping[int, str] = field(default_factory=dict)
    """The states of the tasks that others wait for."""
    known_providers: Collection[str] = ()  # those of this worker; empty if they don't matter
    host: str = ""  # the worker's machine; empty if it doesn't matter
    living_hosts: Collection[str] = ()  # the machines with a worker
    offered: Collection[str] = ()  # the providers that some worker has; empty if nobody knows
    shortage: AdmissionObstacle | None = None  # the task that is the next waits for more budget

    def choose_provider(self, task: QueuedTask) -> str:
        """Return the first provider of the task that isn't paused, or else the first."""
        names = self._usable(task) or [""]
        unpaused = [name for name in names if self.paused_until.get(name, 0.0) <= self.now]
        return (unpaused or names)[0]

    def can_run(self, task: QueuedTask) -> bool:
        """Return whether this worker has one of the task's providers, and its repository."""
        return bool(self._usable(task)) and self.has_place(task)

    def has_place(self, task: QueuedTask) -> bool:
        """Return whether the task can run on this machine.

        The worktree and the conversation of a task stay on the machine on which it started. If that
        one has no worker any more, the task starts again elsewhere from its repository's URL.
        """
        if not self.host or task.host in ("", self.host):
            return True
        return task.is_remote and task.host not in self.living_hosts

    def _usable(self, task: QueuedTask) -> list[str]:
        names = task.providers or (self.default_provider,)
        known = self.known_providers
        return [name for name in names if not known or name in known]

    def obstacle(self, task: QueuedTask) -> AdmissionObstacle | None:
        """Return what keeps the task from starting now; None if it may start."""
        for id_ in task.after:
            state = self.states.get(id_, "")
            if state != COMPLETED:
                return AdmissionObstacle(BLOCKED if state in (*ENDED, "") else AFTER, str(id_))
        if task.host and not task.is_remote and task.host not in self.living_hosts:
            return AdmissionObstacle(HOST, task.host)
        if self.is_paused:
            return AdmissionObstacle(PAUSED)
        if self.left_usd is not None:
            needed = self.reserve(task)
            if self.left_usd <= 0 or self.left_usd < needed:
                return AdmissionObstacle(BUDGET, needed_usd=needed, left_usd=self.left_usd)
        wanted = task.providers or (self.default_provider,)
        if self.offered and not {*wanted} & {*self.offered}:
            return AdmissionObstacle(PROVIDER, ", ".join(wanted))
        return self._provider_obstacle(task)

    def _provider_obstacle(self, task: QueuedTask) -> AdmissionObstacle | None:
        name = self.choose_provider(task)
        limit = self.limits.get(name, NO_LIMIT)
        if (until := self.paused_until.get(name, 0.0)) > self.now:
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
        return allowance(task) or min(RESERVE_USD, self.budget_usd)

    def blocked_provider_lists(self) -> list[tuple[str, ...]]:
        """Return the lists of providers with which no task can start now."""
        names = ((name,) for name in sorted({*self.limits, *self.paused_until}))
        blocked: list[tuple[str, ...]] = []
        blocked += (each for each in names if self._provider_obstacle(QueuedTask(providers=each)))
        return [(), *blocked] if (self.default_provider,) in blocked else blocked

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
