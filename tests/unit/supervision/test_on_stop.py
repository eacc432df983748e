"""The Stop hook's engine, with in-memory ports."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import pytest
from msgspec.structs import replace

from ccc.claude.formats.event import StopEvent
from ccc.config.schema import Supervisor
from ccc.model.cost import Cost
from ccc.model.evidence import Evidence, receipt
from ccc.model.state import Task
from ccc.supervision.on_stop import Situation, on_stop
from ccc.supervision.policy import Decision
from ccc.supervision.verdict import Review, Verdict

YES = Review(Verdict(True), cost=Cost(0.25), tree="tree")
NO = Review(Verdict(False, "add a test"), cost=Cost(0.25), tree="tree")
PASSED = receipt("make lint", 0, 1.0)
FAILED = receipt("make test", 2, 1.0, feedback="make test fails")


@dataclass
class World:
    """All four ports, and what happened in order."""

    reviews: Sequence[Review] = (YES,)
    pieces: Sequence[Evidence] = ()
    trees: Sequence[str] = ("tree",)
    task: Task = field(default_factory=Task)
    limits: Supervisor = field(default_factory=Supervisor)
    events: list[str] = field(default_factory=list)
    asked: list[tuple[Task, Sequence[Evidence]]] = field(default_factory=list)
    written: list[tuple[Task, Decision, Sequence[Evidence], Review | None]] = field(
        default_factory=list
    )

    def stop(self, prompt: str = "p", of_the_user: bool = True, **event: object) -> Decision:
        """Run one stop of the agent."""
        told = StopEvent(prompt_id=prompt, **event)
        at = Situation(told, self.limits, started=100.0, now=160.0, of_the_user=of_the_user)
        return on_stop(at, self, self, self, self)

    def change(self, edit: Callable[[Task], Task]) -> Task:
        self.events.append("change")
        self.task = edit(self.task)
        return self.task

    def note(self, edit: Callable[[Task], Task]) -> None:
        self.change(edit)

    def tree(self) -> str:
        first, *rest = self.trees
        self.trees = rest or [first]
        return first

    def evidence(self, at_limit: bool) -> Iterator[Evidence]:
        for each in self.pieces:
            self.events.append(each.name)
            yield each

    def review(self, task: Task, evidence: Sequence[Evidence]) -> Review:
        self.events.append("review")
        self.asked.append((task, tuple(evidence)))
        first, *rest = self.reviews
        self.reviews = rest or [first]
        return first

    def begin(self, task: Task) -> None:
        self.events.append(f"begun {task.count}")

    def add_evidence(self, evidence: Evidence) -> None:
        pass

    def begin_review(self) -> None:
        self.events.append("reviewing")

    def decide(
        self, task: Task, decision: Decision, evidence: Sequence[Evidence], review: Review | None
    ) -> None:
        self.events.append(f"decided {decision.outcome}")
        self.written.append((task, decision, tuple(evidence), review))


def test_completed() -> None:
    """002/State 文件 Enabled 为 true 时执行 Supervisor: counted, checked, reviewed, recorded."""
    world = World(pieces=[PASSED])
    assert world.stop() == Decision(True, "completed")
    assert world.events == [
        *("change", "begun 1", "make lint", "reviewing", "review"),
        *("change", "decided completed"),
    ]
    assert world.asked[0][1] == (PASSED,)
    assert world.task.count == 1
    assert world.task.cost_usd == 0.25
    assert world.task.started == 100.0


def test_a_clock_that_was_put_back() -> None:
    """A task can't start in the future, or its time would never be over."""
    world = World(task=Task("p", 1, started=500.0))
    world.stop()
    assert world.task.started == 160.0


def test_sent_back() -> None:
    """001/Supervisor 返回未完成: the feedback is the decision, and the next review knows it."""
    world = World(reviews=[NO, YES])
    assert world.stop() == Decision(False, "not_completed", "add a test")
    assert world.stop().allowed
    assert [task.feedback for task, _ in world.asked] == [(), ("add a test",)]
    assert (world.task.count, world.task.cost_usd) == (2, 0.5)


def test_the_first_failing_check_answers() -> None:
    """The first failing check sends the agent back; no other check and no reviewer runs."""
    world = World(pieces=[PASSED, FAILED, receipt("never", 0, 1.0)])
    assert world.stop() == Decision(False, "not_completed", "make test fails")
    assert world.asked == []
    assert world.events == [
        *("change", "begun 1", "make lint", "make test"),
        *("change", "decided not_completed"),
    ]
    _, _, receipts, review = world.written[0]
    assert (receipts, review) == ((PASSED, FAILED), None)
    assert world.task.cost_usd == 0


@pytest.mark.parametrize(
    ("second", "trees", "stuck"),
    [
        (FAILED, ["tree"], True),
        (replace(FAILED, seconds=9.0, output="took 9 s"), ["tree"], True),
        (FAILED, ["tree", "other"], False),
        (receipt("make test", 1, 1.0), ["tree"], False),
        (receipt("make check", 2, 1.0), ["tree"], False),
    ],
)
def test_the_same_failing_check_again(second: Evidence, trees: list[str], stuck: bool) -> None:
    """The same check with the same exit code and an unchanged tree is stuck."""
    world = World(pieces=[FAILED], trees=trees)
    assert not world.stop().allowed
    world.pieces = [second]
    found = world.stop()
    assert (found.allowed, found.outcome == "stuck") == (stuck, stuck)


@pytest.mark.parametrize(("key", "stuck"), [("2 TODOs", True), ("3 TODOs", False)])
def test_evidence_of_another_kind(key: str, stuck: bool) -> None:
    """The engine needs no exit code: only the key says whether a failure is the same."""
    world = World(pieces=[PASSED, Evidence("todos", False, "2 TODOs", "2 TODOs", "Remove them.")])
    assert world.stop() == Decision(False, "not_completed", "Remove them.")
    world.pieces = [Evidence("todos", False, key, "TODOs", "Remove them.")]
    assert (world.stop().outcome == "stuck") is stuck


@pytest.mark.parametrize(
    ("second", "stuck"),
    [
        (Review(Verdict(False, "ADD  a\nTest"), tree="tree"), True),
        (Review(Verdict(False, "ADD  a\nTest"), tree="other"), False),
        (Review(Verdict(False, "something else"), tree="tree"), False),
    ],
)
def test_the_same_feedback_again(second: Review, stuck: bool) -> None:
    """The same feedback and an unchanged tree is stuck, whatever its white space."""
    world = World(reviews=[NO, second])
    assert not world.stop().allowed
    assert world.stop().allowed is stuck


def test_a_failed_judgement_is_not_a_finding() -> None:
    """Without a verdict the stop is allowed, with the cause, and its cost counts."""
    world = World(reviews=[Review(failure="timeout after 10 s", cost=Cost(0.5))])
    assert world.stop() == Decision(True, "not_judged", detail="timeout after 10 s")
    assert (world.task.count, world.task.cost_usd, world.task.feedback) == (1, 0.5, ())
    assert world.events[-1] == "decided not_judged"


def test_a_failure_between_two_feedbacks_is_no_standstill() -> None:
    """Only the same feedback twice in a row is stuck."""
    world = World(reviews=[NO, Review(failure="x", tree="tree"), NO])
    assert [world.stop().outcome for _ in range(3)] == [
        "not_completed",
        "not_judged",
        "not_completed",
    ]


@pytest.mark.parametrize(
    ("event", "limits", "why"),
    [
        ({"permission_mode": "plan"}, Supervisor(), "plan"),
        ({}, Supervisor(max_minutes=1), "minutes"),
    ],
)
def test_allowed_early(event: dict[str, object], limits: Supervisor, why: str) -> None:
    """A stop that is allowed without a review runs no check, asks no model and is not counted."""
    world = World(pieces=[FAILED], limits=limits)
    decision = world.stop(**event)
    assert (decision.allowed, decision.outcome) == (True, why)
    assert world.events == ["change", "begun 0", f"decided {why}"]
    assert (world.task.count, world.asked) == (0, [])


def test_the_limit() -> None:
    """001/迭代次数限制: after max_iterations reviews the stop is allowed without one."""
    reviews = [Review(Verdict(False, f"do {n}"), tree="t") for n in range(9)]
    world = World(reviews=reviews, limits=Supervisor(max_iterations=2))
    decisions = [world.stop() for _ in range(4)]
    assert [d.allowed for d in decisions] == [False, False, True, True]
    assert decisions[-1].outcome == "iterations"
    assert (len(world.asked), world.task.count) == (2, 2)


def test_the_cost_limit() -> None:
    """The cost of a task's reviews is added up, and ends it."""
    reviews = [Review(Verdict(False, f"do {n}"), cost=Cost(0.3), tree="t") for n in range(9)]
    world = World(reviews=reviews, limits=Supervisor(max_cost_usd=0.5))
    assert [world.stop().allowed for _ in range(3)] == [False, False, True]


def test_a_review_that_the_budget_ends() -> None:
    """The limit is named, with the checks that passed before, and the cost counts."""
    spent = Review(failure="no verdict", cost=Cost(0.6), is_over_budget=True)
    world = World(reviews=[spent], pieces=[PASSED], limits=Supervisor(max_cost_usd=0.5))
    assert world.stop() == Decision(True, "cost", detail="0.5", evidence=(PASSED,))
    assert world.task.cost_usd == 0.6


def test_a_new_prompt_starts_anew() -> None:
    """The user's next prompt has a new count and cost; a notification doesn't."""
    world = World(reviews=[NO, NO, YES], trees=["1"], limits=Supervisor(max_iterations=1))
    assert not world.stop("p").allowed
    assert world.stop("notification", of_the_user=False).outcome == "iterations"
    assert not world.stop("q").allowed
    assert (world.task.prompt_id, world.task.count, world.task.cost_usd) == ("q", 1, 0.25)


def test_a_change_during_the_review_is_kept() -> None:
    """Changes to the task by another process during a review are not lost."""
    world = World(reviews=[NO])
    ask = world.review

    def meanwhile(task: Task, evidence: Sequence[Evidence]) -> Review:
        world.task = replace(world.task, count=7)
        return ask(task, evidence)

    world.review = meanwhile  # type: ignore[method-assign]
    world.stop()
    assert (world.task.count, world.task.feedback) == (7, ("add a test",))


def test_what_is_on_record() -> None:
    """The record has the reviewed task, the decision, the receipts, and any review."""
    world = World(pieces=[PASSED], limits=Supervisor(max_iterations=1))
    first, second = world.stop(), world.stop()
    judged = Task("p", 1, 100.0)
    assert world.written == [
        (judged, first, (PASSED,), YES),
        (replace(judged, cost_usd=0.25, tree="tree"), second, (PASSED,), None),
    ]


@pytest.mark.parametrize("last", [PASSED, FAILED])
@pytest.mark.parametrize(
    ("limits", "why"),
    [(Supervisor(max_iterations=1), "iterations"), (Supervisor(max_cost_usd=1), "cost")],
)
def test_the_checks_run_at_a_limit(last: Evidence, limits: Supervisor, why: str) -> None:
    """At a limit, the checks run and are reported; the stop is allowed without a model."""
    task = Task("p", count=1, started=100.0, cost_usd=1.0)
    world = World(pieces=[PASSED, last], limits=limits, task=task)
    assert world.stop() == Decision(True, why, detail="1", evidence=(PASSED, last))
    assert world.events == ["change", "begun 1", *("make lint", last.name), f"decided {why}"]
    assert world.written[0][2] == (PASSED, last)
    assert (world.asked, world.task) == ([], task)
