"""The board of `ccc queue`: what fits the terminal, and what the rows say."""

import os
import time
from collections.abc import Iterator

import pytest

from ccc import words
from ccc.backlog import snapshot, wording
from ccc.backlog.admission import (
    AFTER,
    BLOCKED,
    BUDGET,
    BUSY,
    FOREVER,
    HOST,
    LIMITED,
    PAUSED,
    RATE,
    AdmissionObstacle,
    Budget,
    Capacity,
    ProviderLimit,
    Settings,
    Spent,
)
from ccc.backlog.snapshot import Snapshot
from ccc.backlog.task import STATES, QueuedTask
from ccc.commands.queue import board
from ccc.system import terminal

NOW = time.time()
LONG = "Rewrite the importer so that it reads the new format 并更新所有相关的文档和测试 " * 5


@pytest.fixture(autouse=True)
def _language_as_before() -> Iterator[None]:
    yield
    words.use(os.environ)


def look(tasks: list[QueuedTask], more: int = 0, **rules: object) -> Snapshot:
    """Return a queue with these tasks, and more waiting ones that aren't loaded."""
    totals = {state: sum(task.state == state for task in tasks) for state in STATES}
    totals["waiting"] += more
    return Snapshot(
        now=NOW,
        tasks=tasks,
        totals=totals,
        obstacles={},
        rules=Settings(**rules),  # type: ignore[arg-type]
        spent=Spent(today=7.5, total=30.0, reserved=5.0),
        workers=[{"name": "desk-1-abc", "host": "desk", "pid": 7}] * 2,
    )


def many(number: int) -> list[QueuedTask]:
    """Return tasks in every state, with long texts."""
    ran = {"runs": 1, "provider": "a-provider-with-a-long-name", "cost_usd": 123.4}
    ran |= {"started_at": NOW - 90_000, "ended_at": NOW}
    states = [STATES[n % len(STATES)] for n in range(number)]
    return [
        QueuedTask(id=10_000 + n, text=LONG, state=state, detail=LONG, **ran)
        for n, state in enumerate(sorted(states, key=STATES.index))
    ]


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("width", [40, 80, 120])
@pytest.mark.parametrize("height", [5, 24, 50])
@pytest.mark.parametrize("number", [0, 1, 6, 60])
def test_it_fits(language: str, width: int, height: int, number: int) -> None:
    """No line is wider than the terminal, and the screen is as high as the terminal."""
    words.use({"CCC_LANG": language})
    paused = {"kimi": FOREVER, "glm": NOW + 60, "over": NOW - 1}
    rules = {"is_paused": True, "paused_until": paused, "budget": Budget(20.0, 100.0)}
    drawn = board.screen(look(many(number), **rules), width, height)
    assert [line.plain for line in drawn if terminal.width(line.plain) > width] == []
    if height > 5:
        assert len(drawn) == height


def test_what_does_not_fit_is_counted() -> None:
    """A long list is cut, and the rest is counted, also what wasn't loaded."""
    words.use({"CCC_LANG": "en"})
    tasks = [QueuedTask(id=n, text="x") for n in range(1, 25)]
    drawn = [line.plain for line in board.screen(look(tasks, more=30), 80, 24)]
    shown = sum(line.startswith("·") for line in drawn)
    assert f"… {54 - shown} more" in drawn
    assert shown > 15
    whole = [line.plain for line in board.screen(look(tasks[:3]), 80, 24)]
    assert sum(line.startswith("·") for line in whole) == 3
    assert not any(line.startswith("…") for line in whole)


def test_the_head() -> None:
    """The head has the counts, the workers, the budget and the pauses."""
    words.use({"CCC_LANG": "en"})
    paused = {"kimi": FOREVER, "glm": NOW + 60, "over": NOW - 1}
    seen = look([QueuedTask(id=1)], is_paused=True, paused_until=paused, budget=Budget(20.0, 100.0))
    counts, budget, pauses = wording.head(seen)
    assert counts == "1 waiting · 2 workers (pid 7, 7)"
    assert budget == (
        "Budget: $2.50 of $20.00 used in 24 hours, $25.00 of $100.00 used in total, "
        "$5.00 reserved, $12.50 left"
    )
    until = time.strftime("%H:%M", time.localtime(NOW + 60))
    assert pauses == f"Paused: the whole queue, kimi, glm until {until}"
    assert wording.head(look([])) == ["2 workers (pid 7, 7)"]


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", [PAUSED, LIMITED, BUSY, RATE, BUDGET, AFTER, BLOCKED, HOST])
def test_every_obstacle_has_words(name: str, language: str) -> None:
    """What keeps a task is said in the user's language, and names the provider or the task."""
    words.use({"CCC_LANG": language})
    said = wording.state(QueuedTask(), AdmissionObstacle(name, "kimi", NOW + 60))
    assert ("kimi" in said) == (name not in (PAUSED, BUDGET))
    assert wording.describe(AdmissionObstacle(LIMITED, "kimi", FOREVER)) != said


def test_the_times() -> None:
    """A running task's time goes on, an ended one's stays, a waiting one has none."""
    running = QueuedTask(state="running", started_at=NOW - 65)
    assert wording.duration(running, NOW) == "1:05"
    ended = QueuedTask(state="failed", started_at=NOW - 100, ended_at=NOW - 40)
    assert wording.duration(ended, NOW) == "1:00"
    assert wording.duration(QueuedTask(), NOW) == "-"
    retried = QueuedTask(started_at=NOW - 100, ended_at=0.0)
    assert wording.duration(retried, NOW) == "-"


def test_outcomes() -> None:
    """An outcome is one of a run, one of the queue, or the name of an unknown one."""
    words.use({"CCC_LANG": "en"})
    assert wording.outcome("stuck") == "stuck"
    assert wording.outcome("not_delivered") == "not pushed"
    assert wording.outcome("of_the_future") == "of_the_future"
    assert wording.state(QueuedTask(state="failed", outcome="iterations")) == "failed: round limit"
    assert wording.state(QueuedTask(state="running", is_cancelled=True)) == "being cancelled"


def test_the_budget_keeps_all_that_follow() -> None:
    """A task without a budget keeps those after it, as it does when workers choose."""
    situation = Capacity(NOW, Settings(limits={"kimi": ProviderLimit(jobs=1)}), left_usd=2.0)
    situation.running["kimi"] = 1
    tasks = [
        QueuedTask(id=1, limits={"max_cost_usd": 1.0}),
        QueuedTask(id=2, limits={"max_cost_usd": 3.0}),
        QueuedTask(id=3, limits={"max_cost_usd": 1.0}),
        QueuedTask(id=4, limits={"max_cost_usd": 1.0}, providers=("kimi",)),
        QueuedTask(id=5, state="running"),
    ]
    found = snapshot.find_obstacles(tasks, situation)
    assert {id_: each.name for id_, each in found.items()} == {2: BUDGET, 3: BUDGET, 4: BUSY}
