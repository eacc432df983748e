"""An overview of a session: its state, and which of its processes are alive."""

from collections.abc import Callable, Iterable, Mapping

from ccc.model import cost
from ccc.model.outcome import CUT_OFF, OUTCOMES
from ccc.model.round import Round
from ccc.model.state import AGENT, RunState, State

ENDED = "ended"
OPEN = "open"
WORKING = "working"
WAITING = "waiting"
CHECKING = "checking"
REVIEWING = "reviewing"
_DIALOG_SECONDS = 5  # how long before claude records a dialog its hook may have told what is asked


class Overview:
    """A session in one line."""

    def __init__(
        self,
        session: str,
        state: State,
        changed_at: float,
        is_alive: Callable[[int], bool],
        client: Mapping[str, object] | None = None,
    ) -> None:
        """Read the state; `client` is claude's own record of the process."""
        task, run = state.task, state.run or RunState()
        self.session = session
        # claude's id, which resumes it
        self.conversation = run.session_id or state.conversation or session
        self.directory = state.cwd or run.cwd
        self.provider = state.provider
        self.model = state.model
        self.is_run = state.run is not None
        self.is_on = state.enabled
        self.round = task.count
        self.limit = state.limit
        self.outcome = run.outcome or state.outcome
        # the turn under way is in no total yet
        self.cost_usd = task.cost_usd + run.turn_cost_usd
        source = task.cost_source or run.turn_cost_source
        self.cost_source = cost.on_record(self.cost_usd, source).source
        # a new task's request is recorded at its first stop
        self.request = run.task or state.request or state.earlier_request
        self.requests = run.requests or state.requests
        self._was_supervised = state.was_supervised
        self.not_run = task.not_run
        self.checks = tuple(name.rpartition("\n")[0] for name in state.checks)
        self.created_at = state.created_at
        self.decided_at = state.decided_at
        self.changed_at = changed_at
        # only for an unattended run: the agent's own cost, the time it took, its own cost limit
        self.agent_cost_usd = run.agent_cost_usd + run.turn_cost_usd
        source = run.agent_cost_source or run.turn_cost_source
        self.agent_cost_source = cost.on_record(self.agent_cost_usd, source).source
        self.elapsed = run.elapsed_seconds
        self.limit_usd = float(run.limits.get("max_cost_usd", 0.0))
        # the directory of an unfinished run, and when it was saved
        is_unfinished = self.is_run and not run.is_finished
        self.unfinished = (run.cwd, run.saved_at) if is_unfinished else None
        self.stop = state.stop
        self.since = self.decided_at
        self._client = client or {}
        self.phase = self._find_phase(state, is_alive)
        self.waits_for, self.question = self._find_question(state)

    def _find_phase(self, state: State, is_alive: Callable[[int], bool]) -> str:
        run = state.run
        if self.stop.phase in (CHECKING, REVIEWING):
            if is_alive(self.stop.pid):
                self.since = self.stop.since
                return self.stop.phase
            if not run:
                # a review that ends normally completes its record
                self.outcome = CUT_OFF
        if not is_alive(state.pid):
            return ENDED
        status = self._client.get("status")
        if run:
            is_working = run.phase == AGENT and not run.outcome
        elif status == WAITING:
            return WAITING
        else:
            was_sent_back = self.outcome == "not_completed"
            is_working = self.is_on and (status == "busy" if status else was_sent_back)
        return WORKING if is_working else OPEN

    def _find_question(self, state: State) -> tuple[str, str]:
        """Return what it waits for, and the question if its state has it.

        Claude's record tells that a dialog is open. What it asks was stored when it opened.
        """
        if self.phase != WAITING:
            is_over = self.is_busy or self.outcome not in ("needs_user", "plan")
            return "" if is_over else self.outcome, ""
        opened = self._client.get("statusUpdatedAt")
        opened_at = opened // 1_000 if isinstance(opened, int) else 0
        if state.asks.at > opened_at - _DIALOG_SECONDS:
            return state.asks.kind, state.asks.text
        is_permission = self._client.get("waitingFor") in ("permission prompt", "sandbox request")
        return "permission" if is_permission else "question", ""

    @property
    def is_stopping(self) -> bool:
        """Whether a stop is being decided."""
        return self.phase in (CHECKING, REVIEWING)

    @property
    def check(self) -> str:
        """The check that is running."""
        return self.stop.check if self.is_stopping else ""

    @property
    def is_busy(self) -> bool:
        """Whether a task is under way: it works, a stop is being decided, or claude asks."""
        return self.phase in (WORKING, WAITING, CHECKING, REVIEWING)

    @property
    def was_supervised(self) -> bool:
        """Whether a stop of the session was decided, or ccc ran the session unattended."""
        return bool(self.outcome or self.round or self.is_run or self._was_supervised)

    @property
    def is_open(self) -> bool:
        """Whether its process is still running."""
        return self.phase != ENDED

    @property
    def mark(self) -> str:
        """The last outcome as one character, or that of an open question."""
        return OUTCOMES["needs_user" if self.phase == WAITING else self.outcome].mark

    def values(self) -> dict[str, object]:
        """Return the session as JSON values."""
        return {
            "session_id": self.session,
            "conversation": self.conversation,
            "project": self.directory,
            "provider": self.provider,
            "model": self.model,
            "unattended": self.is_run,
            "enabled": self.is_on,
            "phase": self.phase,
            "waits_for": self.waits_for,
            "question": self.question,
            "check": self.check,
            "since": self.since,
            "round": self.round,
            "iteration": self.round,  # the old name of `round`
            "limit": self.limit,
            "outcome": self.outcome,
            "cost_usd": self.cost_usd,
            "cost_source": self.cost_source,
            "cost_counts": "agent and reviews" if self.is_run else "reviews",
            "request": self.request,
            "requests": list(self.requests or filter(None, [self.request])),
            "created_at": self.created_at,
            "changed_at": self.changed_at,
        }


class Figures:
    """A session's rounds and costs."""

    def __init__(self, rounds: Iterable[Round], agent_usd: float, agent_source: str) -> None:
        """Add up the rounds; only a run has an agent's cost."""
        self.rounds, self.reviews_usd, self.reviews_source = 0, 0.0, ""
        self.agent_usd, self.agent_source = agent_usd, agent_source
        for each in rounds:
            self.rounds += each.is_judged
            self.reviews_usd += each.cost_usd
            self.reviews_source = cost.join(self.reviews_source, each.cost_source)

    @property
    def cost_usd(self) -> float:
        """The cost of the reviews, plus the agent's if ccc ran it."""
        return self.reviews_usd + self.agent_usd

    @property
    def cost_source(self) -> str:
        """The source of the prices."""
        return cost.join(self.agent_source, self.reviews_source)


def progress(seen: Overview | Round) -> str:
    """Return the number of the round, with the limit if there is one."""
    number = seen.round if isinstance(seen, Overview) else seen.number
    return f"{number}/{seen.limit}" if seen.limit else str(number)
