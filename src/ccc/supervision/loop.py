"""The engine without a person: agent, supervisor, agent, … until the work is done."""

from collections.abc import Callable
from dataclasses import dataclass

from ccc.supervision.policy import Decision
from ccc.supervision.ports import Agent, Progress
from ccc.supervision.receipt import Receipt
from ccc.supervision.turn import Turn

CONTINUE = "Go on with the task where you left off."


@dataclass(frozen=True, slots=True)
class Ending:
    """How the run ended, and why."""

    outcome: str
    detail: str = ""
    receipts: tuple[Receipt, ...] = ()
    """Of the checks that ran although a limit was reached."""


def run_until_done(
    step: str | Turn, agent: Agent, judge: Callable[[Turn], Decision], progress: Progress
) -> Ending:
    """Let the agent work and the supervisor judge, in turns; kept after each step.

    It begins with a message to the agent, or with the judgement of a turn that has ended.
    """
    while True:
        if isinstance(step, str):
            if limit := progress.sending(step):
                return Ending(limit)
            step, failed = _through_errors(step, agent, progress)
            if failed and not step.spent:
                return Ending(failed, step.error)
        decision = judge(step)
        if decision.allowed:
            detail = decision.detail or decision.feedback
            return Ending(decision.outcome, detail, decision.receipts)
        step = decision.feedback


def _through_errors(message: str, agent: Agent, progress: Progress) -> tuple[Turn, str]:
    """The first turn that came to an end, errors that pass being waited out; else how it failed."""
    failures, died = 0, False
    first = True
    while True:
        if not first and agent.heard(message):
            message = CONTINUE
        turn = agent.turn(message)
        progress.ended(turn)
        first = False
        # in a row: of the same kind, and with nothing got done in between
        failures = 1 if turn.spoke or turn.died is not died else failures + 1
        died = turn.died
        ended = turn.ended
        if ended or not turn.error:
            return turn, ended
        if failed := progress.wait(turn, failures):
            return turn, failed
