"""Which tasks of the queue may start, and what keeps the others."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccc.backlog import admission
from ccc.backlog.admission import (
    AdmissionObstacle,
    Budget,
    Capacity,
    ProviderLimit,
    Settings,
    Who,
    choose,
)
from ccc.backlog.task import CANCELLED, COMPLETED, FAILED, RUNNING, WAITING, QueuedTask

NOW = 1_000.0


def situation(**values: object) -> Capacity:
    """Return a situation in which everything may start on kimi."""
    whose = {"providers", "host", "living_hosts"}
    who = {name: values.pop(name) for name in whose & values.keys()}
    set_ = {name: values.pop(name) for name in Settings.__struct_fields__ if name in values}
    rules, worker = Settings(**set_), Who(default_provider="kimi", **who)  # type: ignore[arg-type]
    return Capacity(NOW, rules, worker, **values)  # type: ignore[arg-type]


def task(id_: int = 1, **values: object) -> QueuedTask:
    """Return a task."""
    return QueuedTask(id=id_, text="do it", repo="/repo", **values)  # type: ignore[arg-type]


def started(tasks: list[QueuedTask], free: int = 10, **values: object) -> list[int]:
    """Return the numbers of the tasks that start."""
    return [each.task.id for each in choose(tasks, situation(**values), free)]


def short(needed: float, left: float) -> AdmissionObstacle:
    """Return the obstacle of a task that needs more budget than is left."""
    return AdmissionObstacle(admission.BUDGET, needed_usd=needed, left_usd=left)


@pytest.mark.parametrize(
    ("given_task", "values", "obstacle"),
    [
        (task(), {}, None),
        (task(), {"is_paused": True}, AdmissionObstacle(admission.PAUSED)),
        (task(), {"left_usd": 4.99, "budget": Budget(20.0)}, short(5.0, 4.99)),
        (task(), {"left_usd": 5.0, "budget": Budget(20.0)}, None),
        # without a limit of its own, a task may use the whole of a small budget
        (task(), {"left_usd": 3.0, "budget": Budget(3.0)}, None),
        (task(), {"left_usd": 2.0, "budget": Budget(3.0)}, short(3.0, 2.0)),
        (task(), {"left_usd": 0.0, "budget": Budget(0.0)}, short(0.0, 0.0)),
        # another try of a task that has used up its limit gets as much again
        (task(cost_usd=7.0), {"left_usd": 4.0, "budget": Budget(20.0)}, short(5.0, 4.0)),
        (task(limits={"max_cost_usd": 2.0}, cost_usd=2.5), {"left_usd": 1.0}, short(2.0, 1.0)),
        (task(limits={"max_cost_usd": 2.0}), {"left_usd": 2.0}, None),
        (task(limits={"max_cost_usd": 2.0}), {"left_usd": 1.99}, short(2.0, 1.99)),
        (task(limits={"max_cost_usd": 2.0}, cost_usd=1.5), {"left_usd": 0.5}, None),
        (task(after=(7,)), {"states": {7: RUNNING}}, AdmissionObstacle(admission.AFTER, "7")),
        (task(after=(7,)), {"states": {7: WAITING}}, AdmissionObstacle(admission.AFTER, "7")),
        (task(after=(7,)), {"states": {7: COMPLETED}}, None),
        (task(after=(7,)), {"states": {7: FAILED}}, AdmissionObstacle(admission.BLOCKED, "7")),
        (task(after=(7,)), {"states": {7: CANCELLED}}, AdmissionObstacle(admission.BLOCKED, "7")),
        (task(after=(7,)), {}, AdmissionObstacle(admission.BLOCKED, "7")),
        (
            task(),
            {"limits": {"kimi": ProviderLimit(jobs=2)}, "running": {"kimi": 2}},
            AdmissionObstacle(admission.BUSY, "kimi"),
        ),
        (task(), {"limits": {"kimi": ProviderLimit(jobs=2)}, "running": {"kimi": 1}}, None),
        (
            task(),
            {"limits": {"kimi": ProviderLimit(per_minute=3)}, "started": {"kimi": 3}},
            AdmissionObstacle(admission.RATE, "kimi"),
        ),
        (
            task(),
            {"paused_until": {"kimi": NOW + 9}},
            AdmissionObstacle(admission.LIMITED, "kimi", NOW + 9),
        ),
        (task(), {"paused_until": {"kimi": NOW}}, None),
        (task(providers=("kimi", "glm")), {"paused_until": {"kimi": NOW + 9}}, None),
        (
            task(providers=("glm",)),
            {"offered": {"kimi"}},
            AdmissionObstacle(admission.PROVIDER, "glm"),
        ),
        (task(providers=("glm", "kimi")), {"offered": {"kimi"}}, None),
        (task(host="a"), {"living_hosts": {"b"}}, AdmissionObstacle(admission.HOST, "a")),
        (task(host="a"), {"living_hosts": {"a"}}, None),
    ],
)
def test_obstacles(
    given_task: QueuedTask, values: dict[str, object], obstacle: AdmissionObstacle | None
) -> None:
    """Each limit keeps a task exactly as long as it should."""
    assert situation(**values).obstacle(given_task) == obstacle


def test_turns() -> None:
    """Tasks start in their order, as many as are free, and one that waits lets others pass."""
    tasks = [task(1, after=(9,)), task(2), task(3), task(4)]
    assert started(tasks, free=2) == [2, 3]
    assert started(tasks, free=0) == []


def test_a_large_task_is_not_passed_for_the_budget() -> None:
    """Small tasks don't use up the budget that a large one waits for."""
    tasks = [task(1, limits={"max_cost_usd": 8.0}), task(2, limits={"max_cost_usd": 1.0})]
    assert started(tasks, left_usd=5.0) == []


def test_limits_count_what_starts_together() -> None:
    """The second task of the same look sees what the first one took."""
    tasks = [task(n, limits={"max_cost_usd": 2.0}) for n in range(1, 6)]
    assert started(tasks, left_usd=5.0) == [1, 2]
    assert started(tasks, limits={"kimi": ProviderLimit(jobs=3)}) == [1, 2, 3]
    assert started(tasks, limits={"kimi": ProviderLimit(per_minute=1)}) == [1]


def test_fail_over() -> None:
    """The next provider takes over while the first is paused; without one, the task waits."""
    paused = situation(paused_until={"kimi": NOW + 9})
    assert paused.choose_provider(task(providers=("kimi", "glm"))) == "glm"
    assert paused.choose_provider(task(providers=("kimi",))) == "kimi"
    assert situation().choose_provider(task(providers=("kimi", "glm"))) == "kimi"


def test_a_worker_takes_what_it_can_run() -> None:
    """A worker leaves tasks to others if it has neither the provider nor the worktree."""
    own = {"providers": ("glm",), "host": "a", "living_hosts": {"a", "b"}}
    tasks = [
        task(1, providers=("kimi",)),
        task(2, providers=("kimi", "glm")),
        task(3, providers=("glm",), host="b"),
        task(4, providers=("glm",), host="a"),
    ]
    assert started(tasks, **own) == [2, 4]
    remote = QueuedTask(
        id=5, text="x", repo="https://forge.example/r.git", providers=("glm",), host="b"
    )
    assert started([remote], **own) == []
    assert started([remote], **{**own, "living_hosts": {"a"}}) == [5]


def test_providers_that_take_nothing() -> None:
    """A provider is blocked while it is paused, busy or has had its starts."""
    limits = {"a": ProviderLimit(jobs=1), "b": ProviderLimit(per_minute=1), "c": ProviderLimit()}
    busy = situation(limits=limits, running={"a": 1, "c": 9}, paused_until={"d": NOW + 1})
    assert busy.blocked_provider_lists() == [("a",), ("d",)]


@given(
    costs=st.lists(st.floats(0.01, 20), max_size=20),
    left=st.floats(0, 50),
    jobs=st.integers(0, 5),
    free=st.integers(0, 20),
)
def test_no_limit_is_exceeded(costs: list[float], left: float, jobs: int, free: int) -> None:
    """Whatever waits, the tasks that start fit into all limits together."""
    tasks = [task(n, limits={"max_cost_usd": cost}) for n, cost in enumerate(costs, 1)]
    limits = {"kimi": ProviderLimit(jobs=jobs)}
    starts = choose(tasks, situation(left_usd=left, limits=limits), free)
    assert len(starts) <= free
    assert sum(each.reserved_usd for each in starts) <= left + 1e-9
    assert not jobs or len(starts) <= jobs
