"""How a stop or an unattended run can end: one table.

CONTRIBUTING.md shows how to add a limit.
"""

from msgspec import Struct

NOTE = "note"  # the task continues
PAUSE = "pause"  # the task waits for the user
END = "end"  # the task has ended; another prompt from the user reopens it
LIMIT = "limit"  # the task has ended because it reached a limit

LABEL, TERMINAL, HOOK, SUMMARY = "look.", "stop.", "hook.", "run."
"""Where ccc names an outcome: in tables, in claude's terminal, in the hook's log, at the end of a
run. Each is the prefix of the messages for that place."""

_IN_LOG = ("completed", "not_completed")


class Outcome(Struct, frozen=True):
    """An outcome and its consequences."""

    name: str
    mark: str = "!"
    exit_code: int | None = None
    """The exit code of a run with this outcome; None if no run can end with it."""
    kind: str = NOTE
    runs_checks: bool = False
    """Whether the checks run although no review is due.

    They cost neither a round nor money, and nothing has checked the latest work yet. They do take
    time, so they don't run after a time limit.
    """
    is_decision: bool = True  # whether it can be the decision at a stop

    def message(self, place: str) -> str:
        """Return the key of its message for a place, such as `LABEL`.

        The hook's log has lines of its own only where they were asked for word by word.
        """
        if place == HOOK and self.name not in _IN_LOG:
            place = TERMINAL
        return place + self.name

    @property
    def ends_task(self) -> bool:
        """Whether the task is over, so that the user is notified."""
        return self.kind in (END, LIMIT)

    @property
    def answerable(self) -> bool:
        """Whether another message from the user can change it."""
        return self.kind in (PAUSE, END)

    @property
    def is_limit(self) -> bool:
        """Whether the task reached a limit."""
        return self.kind == LIMIT

    @property
    def is_round(self) -> bool:
        """Whether a record with this outcome describes a stop that was judged."""
        return not self.is_limit and self.name not in (INTERRUPTED, STILL_COMPLETED)


class _Table(dict[str, Outcome]):
    def __missing__(self, name: str) -> Outcome:
        """Return an outcome of a later ccc, of which only the name is known."""
        return Outcome(name, "!" if name else "")


INTERRUPTED, CUT_OFF, STILL_COMPLETED = "interrupted", "cut_off", "still_completed"
NOT_JUDGED = "not_judged"
OUTCOMES = _Table(
    (each.name, each)
    for each in (
        Outcome("completed", "✓", 0, END),
        Outcome(STILL_COMPLETED, "✓"),
        Outcome("not_completed", "✗"),
        Outcome("needs_user", "?", 23, END),
        Outcome("stuck", "!", 21, END),
        Outcome("iterations", "!", 20, LIMIT, runs_checks=True),
        Outcome("minutes", "!", 22, LIMIT),
        Outcome("cost", "!", 22, LIMIT, runs_checks=True),
        Outcome(NOT_JUDGED, "!", 24, END),
        Outcome("plan", "–", 23, PAUSE),
        Outcome("background", "–", runs_checks=True),
        Outcome("agent_failed", "!", 25, is_decision=False),
        Outcome(INTERRUPTED, "!", 130, is_decision=False),
        Outcome(CUT_OFF, "!", is_decision=False),
    )
)


def exit_code(name: str) -> int:
    """Return the exit code of a run with this outcome."""
    code = OUTCOMES[name].exit_code
    assert code is not None, name
    return code
