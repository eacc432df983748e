"""The unattended engine, with in-memory ports."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from ccc.claude.turn import Turn
from ccc.model.cost import Cost
from ccc.model.evidence import receipt
from ccc.supervision.loop import CONTINUE, RunResult, run_until_done
from ccc.supervision.policy import Decision

DONE = Turn(text="done", cost=Cost(0.5))
BUSY = Turn(error="overloaded", status=529)
DIED = Turn(error="exit -9", died=True)
SPOKE = Turn(error="overloaded", status=529, spoke=True)
YES = Decision(True, "completed")
NO = Decision(False, "not_completed", "add a test")


@dataclass
class World:
    """Agent, reviewer and progress, and what happened in order."""

    turns: Sequence[Turn] = (DONE,)
    decisions: Sequence[Decision] = (YES,)
    limit: str = ""
    arrives: bool = True
    patience: int = 2
    failing: str = "agent_failed"
    events: list[str] = field(default_factory=list)
    counted: list[Turn] = field(default_factory=list)
    waited_for: list[Turn] = field(default_factory=list)

    def run(self, step: str | Turn = "task") -> RunResult:
        """Run until it ends."""
        return run_until_done(step, self, self.judge, self)

    def turn(self, message: str) -> Turn:
        self.events.append(f"agent: {message}")
        first, *self.turns = self.turns
        return first

    def has_received(self, message: str) -> bool:
        self.events.append(f"heard? {message}")
        return self.arrives

    def judge(self, turn: Turn) -> Decision:
        self.events.append(f"judge: {turn.text}")
        first, *self.decisions = self.decisions
        return first

    def begin_turn(self, message: str) -> str:
        self.events.append(f"kept: {message}")
        return self.limit

    def end_turn(self, turn: Turn) -> None:
        self.events.append("counted")
        self.counted.append(turn)

    def wait(self, turn: Turn, failures: int) -> str:
        self.events.append(f"wait {failures}")
        self.waited_for.append(turn)
        return "" if failures <= self.patience else self.failing


def test_feedback_is_the_next_message() -> None:
    """000/捕获 Supervisor 反馈: the agent gets the feedback, and its next stop is reviewed."""
    world = World([DONE, DONE], [NO, YES])
    assert world.run() == RunResult("completed")
    assert world.events == [
        *("kept: task", "agent: task", "counted", "judge: done"),
        *("kept: add a test", "agent: add a test", "counted", "judge: done"),
    ]


def test_a_judgement_first() -> None:
    """A run that was cut off in a review continues with the review."""
    world = World([], [YES])
    assert world.run(Turn(text="before")) == RunResult("completed")
    assert world.events == ["judge: before"]


@pytest.mark.parametrize(("arrives", "said"), [(True, CONTINUE), (False, "task")])
def test_an_error_that_passes(arrives: bool, said: str) -> None:
    """After a wait the session continues, and a message that did not arrive is sent again."""
    world = World([BUSY, BUSY, DONE], arrives=arrives)
    assert world.run() == RunResult("completed")
    assert [e for e in world.events if e.startswith("agent")] == [
        "agent: task",
        f"agent: {said}",
        f"agent: {said}",
    ]


def test_what_is_counted_and_waited_for() -> None:
    """Each turn is counted, even failed ones, and the message is looked for each time."""
    world = World([BUSY, DONE], arrives=False)
    assert world.run() == RunResult("completed")
    assert (world.counted, world.waited_for) == ([BUSY, DONE], [BUSY])
    assert world.events.count("heard? task") == 1


@pytest.mark.parametrize(
    ("turns", "waits"),
    [
        ([BUSY, BUSY, BUSY], [1, 2, 3]),
        ([DIED, DIED, DIED], [1, 2, 3]),
        # another kind of error, or progress, starts a new series
        ([BUSY, BUSY, DIED, BUSY], [1, 2, 1, 1]),
        ([BUSY, BUSY, SPOKE, BUSY], [1, 2, 1, 2]),
        ([DIED, SPOKE, SPOKE], [1, 1, 1]),
    ],
)
def test_failures_in_a_row(turns: list[Turn], waits: list[int]) -> None:
    """Failures in a row are of one kind, without progress in between."""
    world = World([*turns, DONE], patience=9)
    assert world.run() == RunResult("completed")
    assert [e for e in world.events if e.startswith("wait")] == [f"wait {n}" for n in waits]


@pytest.mark.parametrize(
    ("decision", "detail"),
    [
        (Decision(True, "stuck", "the feedback"), "the feedback"),
        (Decision(True, "not_judged", detail="the cause"), "the cause"),
        (Decision(True, "iterations", "the feedback", "10"), "10"),
    ],
)
def test_why_it_ended(decision: Decision, detail: str) -> None:
    """The outcome comes with its detail, else with the last feedback."""
    assert World(decisions=[decision]).run() == RunResult(decision.outcome, detail)


@pytest.mark.parametrize("failing", ["agent_failed", "minutes"])
def test_an_error_that_stays(failing: str) -> None:
    """When waiting ends, the run ends for that reason, and nothing is reviewed."""
    world = World([BUSY] * 3, failing=failing)
    assert world.run() == RunResult(failing, "overloaded")
    assert not [e for e in world.events if e.startswith("judge")]


def test_a_turn_that_ran_out_of_money() -> None:
    """Its work is still checked, and the result of the checks is part of the ending."""
    failed = receipt("make test", 2, 1.0)
    spent = Decision(True, "cost", detail="0.5", evidence=(failed,))
    world = World([Turn(error="error_max_budget_usd", spent=True)], [spent])
    assert world.run() == RunResult("cost", "0.5", (failed,))
    assert world.events[-2:] == ["counted", "judge: "]


@pytest.mark.parametrize(
    ("turn", "outcome"),
    [
        (Turn(error="stopped", late=True), "minutes"),
        (Turn(error="stopped", interrupted=True), "interrupted"),
    ],
)
def test_a_turn_that_was_ended(turn: Turn, outcome: str) -> None:
    """A turn that was ended from outside is neither waited for nor reviewed, but counted."""
    world = World([turn])
    assert world.run().outcome == outcome
    assert world.events == ["kept: task", "agent: task", "counted"]


def test_a_limit_before_the_agent_goes_on() -> None:
    """With the budget spent, the agent is not asked, and its next message is kept."""
    world = World(limit="cost")
    assert world.run() == RunResult("cost")
    assert world.events == ["kept: task"]
