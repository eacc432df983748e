"""How a stop or an unattended run can end: one table, light enough for a status line.

A new limit is a line here, a field of the configuration and its words (`stop.…`, `hook.…`,
`run.stop_…`, `look.…`); CONTRIBUTING.md goes through it.
"""


class Outcome:
    """A way to end, and what follows from it."""

    __slots__ = ("answerable", "ends_task", "exit_code", "is_limit", "mark", "name", "runs_checks")

    def __init__(
        self,
        name: str,
        mark: str = "!",
        exit_code: int | None = None,
        *,
        ends_task: bool = False,
        answerable: bool = False,
        is_limit: bool = False,
        runs_checks: bool = False,
    ) -> None:
        self.name = name
        self.mark = mark
        self.exit_code = exit_code
        """Of a run that ends so; None where none does."""
        self.ends_task = ends_task
        """The user is notified; plan mode and background work go on."""
        self.answerable = answerable
        """A further word of the user changes it."""
        self.is_limit = is_limit
        """The task has used up what it may take."""
        self.runs_checks = runs_checks
        """The checks run although no review is due.

        They cost neither a round nor money, and nobody has looked at the last work yet. They do
        take time: whoever limits that wants an end by then.
        """


OUTCOMES = {
    each.name: each
    for each in (
        Outcome("completed", "✓", 0, ends_task=True, answerable=True),
        Outcome("not_completed", "✗"),
        Outcome("needs_user", "?", 23, ends_task=True, answerable=True),
        Outcome("stuck", "!", 21, ends_task=True, answerable=True),
        Outcome("iterations", "!", 20, ends_task=True, is_limit=True, runs_checks=True),
        Outcome("minutes", "!", 22, ends_task=True, is_limit=True),
        Outcome("cost", "!", 22, ends_task=True, is_limit=True, runs_checks=True),
        Outcome("not_judged", "!", 24, ends_task=True, answerable=True),
        Outcome("plan", "–", 23, answerable=True),
        Outcome("background", "–", runs_checks=True),
        Outcome("agent_failed", "!", 25),
        Outcome("interrupted", "!", 130),
        Outcome("cut_off", "!"),
    )
}
INTERRUPTED, CUT_OFF = "interrupted", "cut_off"


def of(name: str) -> Outcome:
    """The outcome of a name; of a later ccc's one only the name is known."""
    return OUTCOMES.get(name) or Outcome(name, "!" if name else "")


def exit_code(name: str) -> int:
    """The exit code of a run that ends so."""
    code = OUTCOMES[name].exit_code
    assert code is not None, name
    return code


def is_round(name: str) -> bool:
    """Whether a record with that outcome is of a stop that was judged."""
    return name != INTERRUPTED and not of(name).is_limit
