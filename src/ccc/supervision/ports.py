"""The ports: what the engines need of the world, in a few small protocols."""

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from ccc.supervision.policy import Decision
from ccc.supervision.receipt import Receipt
from ccc.supervision.review import Review
from ccc.supervision.task import Task
from ccc.supervision.turn import Turn


class Tasks(Protocol):
    """Where the task is kept between two stops."""

    def change(self, edit: Callable[[Task], Task]) -> Task:
        """Change the task under the lock; the task as it is then."""

    def note(self, edit: Callable[[Task], Task]) -> None:
        """The same, for what is decided: where it can't be kept it still holds."""


class Evidence(Protocol):
    """What ccc finds out itself."""

    def tree(self) -> str:
        """A text that changes when the working tree does."""

    def checks(self) -> Iterator[Receipt]:
        """The receipt of each check, run one after the other."""

    def complaint(self, receipt: Receipt) -> str:
        """The feedback for a check that failed."""


class Reviewer(Protocol):
    """Somebody who judges the work."""

    def review(self, task: Task, receipts: Sequence[Receipt]) -> Review:
        """Judge the work; a failure is a review without a verdict."""


class Record(Protocol):
    """What the person can see of it."""

    def begun(self, task: Task) -> None:
        """A supervised stop has begun."""

    def reviewing(self) -> None:
        """The reviewer has been asked."""

    def decided(
        self, task: Task, decision: Decision, receipts: Sequence[Receipt], review: Review | None
    ) -> None:
        """The stop is decided."""


class Agent(Protocol):
    """The claude that does the work."""

    def turn(self, message: str) -> Turn:
        """Send a message in the same session, and wait for the end of the turn."""

    def heard(self, message: str) -> bool:
        """Whether the message has arrived in the session."""


class Progress(Protocol):
    """A run as it goes: kept for a continuation, and shown."""

    def sending(self, message: str) -> str:
        """The agent phase begins with the message; the limit that forbids it, or nothing."""

    def ended(self, turn: Turn) -> None:
        """The agent's turn has ended; where that was no error the supervisor phase begins."""

    def wait(self, turn: Turn, failures: int) -> str:
        """Wait before the next try; where that is not to be, the outcome that the run has."""
