"""A positive verdict is used again while another hook continues and the work stays the same."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import pytest
from msgspec.structs import replace

from ccc.claude.formats.event import Background, StopEvent
from ccc.config.schema import Supervisor
from ccc.model.cost import Cost
from ccc.model.evidence import Evidence, receipt
from ccc.model.state import Task
from ccc.supervision.on_stop import Situation, on_stop
from ccc.supervision.policy import Decision
from ccc.supervision.verdict import Review, Verdict

YES = Review(Verdict(True), cost=Cost(0.25), tree="tree", covers_all=True)
NO = Review(Verdict(False, "add a test"), tree="tree", covers_all=True)
PASSED = receipt("make lint", 0, 1.0)
FAILED = receipt("make test", 2, 1.0, feedback="make test fails")


@dataclass
class World:
    """All four ports of a session whose agent another hook keeps going."""

    review_now: Review = YES
    tree_now: str = "tree"
    whole: bool = True
    pieces: Sequence[Evidence] = ()
    limits: Supervisor = field(default_factory=Supervisor)
    task: Task = field(default_factory=Task)
    reviews: int = 0
    now: float = 160.0

    def stop(
        self, prompt: str = "p", subject: str = "the request", **event: object
    ) -> tuple[str, bool]:
        """Run one stop; return its outcome and whether it was reviewed."""
        before = self.reviews
        at = Situation(
            StopEvent(prompt_id=prompt, **{"stop_hook_active": True, **event}),
            self.limits,
            started=100.0,
            now=self.now,
            verdict_context=subject,
        )
        decision = on_stop(at, self, self, self, self)
        return decision.outcome, self.reviews > before

    def change(self, edit: Callable[[Task], Task]) -> Task:
        self.task = edit(self.task)
        return self.task

    def note(self, edit: Callable[[Task], Task]) -> None:
        self.change(edit)

    def tree(self) -> str:
        return self.tree_now

    def is_whole(self) -> bool:
        return self.whole

    def evidence(self, at_limit: bool) -> Iterator[Evidence]:
        yield from self.pieces

    def review(self, task: Task, evidence: Sequence[Evidence]) -> Review:
        self.reviews += 1
        return replace(self.review_now, tree=self.tree_now)

    def begin(self, task: Task) -> None: ...

    def add_evidence(self, evidence: Evidence) -> None:
        pass

    def begin_review(self) -> None: ...

    def decide(
        self, task: Task, decision: Decision, evidence: Sequence[Evidence], review: Review | None
    ) -> None: ...


@pytest.fixture
def world() -> World:
    """A session whose first stop was found complete."""
    world = World()
    assert world.stop(stop_hook_active=False) == ("completed", True)
    return world


def test_the_verdict_is_used_again(world: World) -> None:
    """However often another hook continues, the same work is reviewed once, in one round."""
    assert [world.stop() for _ in range(30)] == [("still_completed", False)] * 30
    assert (world.task.count, world.task.cost_usd) == (1, 0.25)


CHANGES: dict[str, Callable[[World], dict[str, object]]] = {
    "the tree": lambda world: setattr(world, "tree_now", "another") or {},
    "the requests": lambda world: {"subject": "two requests"},
    "a new prompt": lambda world: {"prompt": "q", "stop_hook_active": False},
    "no other hook": lambda world: {"stop_hook_active": False},
    "a tree that can't be compared": lambda world: setattr(world, "whole", False) or {},
    "a session without reuse": lambda world: {"subject": ""},
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_needs_a_review(world: World, change: str) -> None:
    """Anything that the verdict was not about is reviewed, and the new verdict counts."""
    event = CHANGES[change](world)
    world.review_now = NO
    assert world.stop(**event) == ("not_completed", True)


@pytest.mark.parametrize(
    "review",
    [
        NO,
        Review(Verdict(False, "which one?", needs_user=True), covers_all=True),
        Review(failure="the reviewer crashed", covers_all=True),
        replace(YES, covers_all=False),
        replace(YES, changed_tree=True),
    ],
)
def test_no_other_verdict_is_used_again(review: Review) -> None:
    """A no, a question, a failure, and a yes about more than the tree: always a new review."""
    world = World(review)
    world.stop(stop_hook_active=False)
    assert world.stop()[1]


def test_a_no_takes_the_yes_back(world: World) -> None:
    """After a no, the same tree as at the earlier yes is reviewed again."""
    world.tree_now, world.review_now = "another", NO
    assert world.stop() == ("not_completed", True)
    world.tree_now = "tree"
    assert world.stop() == ("not_completed", True)


def test_the_checks_run_again(world: World) -> None:
    """A check may depend on more than the tree: if it fails now, it sends the agent back."""
    world.pieces = [PASSED]
    assert world.stop() == ("still_completed", False)
    world.pieces = [PASSED, FAILED]
    assert world.stop() == ("not_completed", False)
    world.pieces = [PASSED]
    assert world.stop() == ("completed", True)


@pytest.mark.parametrize(
    "limits",
    [Supervisor(max_iterations=1), Supervisor(max_minutes=1), Supervisor(max_cost_usd=0.1)],
)
def test_a_limit_does_not_hide_the_verdict(limits: Supervisor) -> None:
    """Work that is complete stays so after a limit; a failing check shows the limit."""
    world = World(limits=limits, now=110.0)
    assert world.stop(stop_hook_active=False) == ("completed", True)
    world.now = 170.0
    assert world.stop() == ("still_completed", False)
    assert world.task.count == 1
    world.tree_now = "another"
    assert world.stop()[0] not in ("completed", "still_completed")


def test_a_pause_comes_first(world: World) -> None:
    """A background task may still change the tree."""
    running = (Background("build", "b", is_agent=True),)
    assert world.stop(background_tasks=running) == ("background", False)
