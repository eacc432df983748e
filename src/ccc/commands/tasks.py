"""A session's task: how far supervision has got with it, kept in the session's state."""

from dataclasses import dataclass, replace

from ccc import words
from ccc.domain import policy
from ccc.errors import CccError
from ccc.storage import state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ccc.domain.task import Task
    from ccc.storage.journal import Journal
    from ccc.storage.paths import Paths


@dataclass(slots=True)
class Tasks:
    """The task, kept in the session's state."""

    where: "Paths"
    session: str
    journal: "Journal"
    problem: str = ""
    aside: str = ""
    """Where a state was put that could not be read."""

    def load(self) -> state.State:
        """The state as it is; a corrupt one is set aside, and supervision is off."""
        return self._change(lambda before: before)

    def change(self, edit: "Callable[[Task], Task]") -> "Task":
        """Change the task under the lock."""
        return self._change(lambda before: before.with_task(edit(before.task))).task

    def settle(self, asked: str) -> state.State:
        """Where somebody else may have switched it off, let it be what the user asked for."""

        def settled(before: state.State) -> state.State:
            # one that could not be read says nothing of what the user wants
            meddled = before.meddled or bool(self.problem)
            on = policy.is_on(
                before.enabled, unconfirmed=before.unconfirmed, meddled=meddled, asked=asked
            )
            if before.unconfirmed and on:
                self.journal.log("supervisor-mode off is void", reason="not by the user")
            if before.meddled:
                self.journal.log("the state was changed, and not by ccc", enabled=before.enabled)
            return replace(before, enabled=on, unconfirmed=False, meddled=False)

        return self._change(settled)

    def keep(self, **changes: object) -> None:
        """Keep in the state what is only for people to look at: it must not decide a stop."""
        try:
            self._change(lambda before: replace(before, **changes))  # type: ignore[arg-type]
        except CccError as error:
            self.journal.problem = self.journal.problem or str(error)

    def _change(self, edit: "Callable[[state.State], state.State]") -> state.State:
        path = self.where.state(self.session)
        return state.change(self.where.state_dir, path, self.session, edit, self._corrupt)

    def _corrupt(self, aside: str) -> None:
        self.problem, self.aside = words.say("state.corrupt_off", file=aside), aside
        self.journal.log("state corrupt", file=aside)
