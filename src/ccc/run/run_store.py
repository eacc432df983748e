"""Stores the state of an unattended run: every change is written immediately."""

import threading
import time
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from ccc.config.schema import Supervisor
from ccc.errors import CccError
from ccc.model.cost import Cost, on_record
from ccc.model.state import AGENT, RunState, State, Task
from ccc.supervision.session_store import SessionStore

_SAVE_SECONDS = 2
_FREE = Cost()


class RunStore:
    """The run's current state, remaining time and budget; only `save` changes it."""

    def __init__(self, tasks: SessionStore, run: RunState, limits: Supervisor) -> None:
        self.run = run
        self.cost = Cost()
        """The saved cost of agent and reviews."""
        self.turn_cost: Callable[[], Cost] = Cost
        """Returns what the turn under way has cost so far."""
        self._review_cost = Cost()
        """What the review under way has cost so far."""
        self._killed_cost = on_record(run.turn_cost_usd, run.turn_cost_source)
        """What a turn or a review that was killed had cost, until `start` adds it."""
        self._unsaved = Cost()
        self._tasks = tasks
        self._limits = limits
        self._started = time.monotonic() - run.elapsed_seconds
        # the keyboard's thread also saves
        self._lock = threading.RLock()
        self._over = threading.Event()

    @property
    def elapsed(self) -> float:
        """How long the run has taken, including all continuations."""
        return time.monotonic() - self._started

    def seconds_left(self) -> float | None:
        """Return the remaining time, or None without a limit."""
        most = self._limits.max_minutes * 60
        return max(0.0, most - self.elapsed) if most else None

    def dollars_left(self) -> float | None:
        """Return the remaining budget, or None without a limit."""
        most = self._limits.max_cost_usd
        return max(0.000001, most - self.cost.usd) if most else None

    def load(self) -> State:
        """Load the session's state; if it can't be read, use what is in memory."""
        try:
            return self._tasks.load()
        except CccError as error:
            self._tasks.journal.problem = self._tasks.journal.problem or str(error)
            task = Task(count=self.run.count).add_cost(self.cost)
            return State(self._tasks.session, task=task)

    def save(self, agent: Cost = _FREE, reviews: Cost = _FREE, **changes: Any) -> None:
        """Change the run and write it, adding what the agent and the reviews have cost since."""
        with self._lock:
            total = on_record(self.run.agent_cost_usd, self.run.agent_cost_source) + agent
            changes |= {"agent_cost_usd": total.usd, "agent_cost_source": total.source}
            turn = self.under_way()
            changes |= {"turn_cost_usd": turn.usd, "turn_cost_source": turn.source}
            changes |= {"elapsed_seconds": self.elapsed, "saved_at": time.time()}
            self.run = replace(self.run, **changes)
            self._write(self.run, agent + reviews)

    def _write(self, run: RunState, spent: Cost) -> None:
        cost = self._unsaved + spent

        def update(before: State) -> State:
            return replace(before, run=run, task=before.task.add_cost(cost))

        try:
            after = self._tasks.update(update)
        except CccError as error:
            # a temporarily full disk must not end the work; the next write catches up
            self._unsaved = cost
            self.cost += spent
            self._tasks.journal.problem = self._tasks.journal.problem or str(error)
            return
        self._unsaved = _FREE
        self.cost = after.task.cost

    def under_way(self) -> Cost:
        """Return what has been spent and isn't part of the saved cost yet."""
        return self.turn_cost() + self._review_cost + self._killed_cost

    def note_review_cost(self, cost: Cost) -> None:
        """Note what the review under way has cost so far."""
        self._review_cost = cost
        self.note_cost()

    def note_cost(self) -> None:
        """Save what the turn or the review has cost so far, in case ccc is killed."""
        if self.under_way().usd != self.run.turn_cost_usd:
            self.save()

    def end_review(self) -> None:
        """Note that the review's cost is in the state, whoever wrote it."""
        self._review_cost = Cost()
        self.save()

    def start(self) -> None:
        """Add the cost of a turn or a review that was killed, and save often from now on."""
        lost, self._killed_cost = self._killed_cost, _FREE
        self._end(lost, outcome="")
        threading.Thread(target=self._keep_saving, daemon=True).start()

    def finish(self, outcome: str) -> None:
        """Save the run's outcome, with the cost of a turn or review that was interrupted."""
        self._over.set()
        lost = Cost()
        if outcome == "interrupted":
            lost, self.turn_cost = self.under_way(), Cost
            self._review_cost = self._killed_cost = Cost()
        self._end(lost, outcome)

    def _end(self, lost: Cost, outcome: str) -> None:
        costs = (lost, _FREE) if self.run.phase == AGENT else (_FREE, lost)
        self.save(*costs, outcome=outcome)

    def _keep_saving(self) -> None:
        # if the run is killed, its time counts until it was last saved
        while not self._over.wait(_SAVE_SECONDS):
            self.save()
