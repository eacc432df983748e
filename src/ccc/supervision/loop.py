"""The engine of an unattended run: agent, review, agent, … until the work is done."""

from collections.abc import Callable
from typing import Protocol

from msgspec import Struct

from ccc.claude.turn import Turn
from ccc.model.evidence import Evidence
from ccc.supervision.policy import Decision

CONTINUE = "Go on with the task where you left off."


class Agent(Protocol):
    """The claude that does the work."""

    def turn(self, message: str) -> Turn:
        """Send a message in the same session and wait for the turn to end."""

    def has_received(self, message: str) -> bool:
        """Return whether the message reached the session."""


class Progress(Protocol):
    """Shows the run's progress, and saves it so that the run can be continued."""

    def begin_turn(self, message: str) -> str:
        """Begin the agent phase with the message. Return the limit that forbids it, else ""."""

    def end_turn(self, turn: Turn) -> None:
        """Record the end of the agent's turn; unless it failed, begin the review phase."""

    def wait(self, turn: Turn, failures: int) -> str:
        """Wait before a retry. Return the run's outcome if it must end instead, else ""."""


class RunResult(Struct, frozen=True):
    """How the run ended, and why."""

    outcome: str
    detail: str = ""
    evidence: tuple[Evidence, ...] = ()  # evidence gathered although a limit was reached


def run_until_done(
    step: str | Turn, agent: Agent, judge: Callable[[Turn], Decision], progress: Progress
) -> RunResult:
    """Alternate between the agent's turns and `judge` until the run ends.

    The first step is a message to the agent, or a finished turn to judge.
    """
    while True:
        if isinstance(step, str):
            if limit := progress.begin_turn(step):
                return RunResult(limit)
            step, failed = _turn(step, agent, progress)
            if failed and not step.spent:
                return RunResult(failed, step.error)
        decision = judge(step)
        if decision.allowed:
            detail = decision.detail or decision.feedback
            return RunResult(decision.outcome, detail, decision.evidence)
        step = decision.feedback


def _turn(message: str, agent: Agent, progress: Progress) -> tuple[Turn, str]:
    """Retry after transient errors; return the turn, and the outcome if it ends the run."""
    failures, died, is_first = 0, False, True
    while True:
        if not is_first and agent.has_received(message):
            message = CONTINUE
        turn = agent.turn(message)
        progress.end_turn(turn)
        is_first = False
        # count consecutive failures of the same kind, without progress in between
        failures = 1 if turn.spoke or turn.died is not died else failures + 1
        died = turn.died
        if turn.final_outcome or not turn.error:
            return turn, turn.final_outcome
        if outcome := progress.wait(turn, failures):
            return turn, outcome
