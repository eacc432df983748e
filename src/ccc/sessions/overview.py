"""An overview of a session, from its raw state; fast enough for every redraw of a status line."""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from ccc.model.outcome import CUT_OFF, OUTCOMES
from ccc.providers import cost_source

if TYPE_CHECKING:
    from ccc.sessions.record import Round


ENDED = "ended"
OPEN = "open"
WORKING = "working"
WAITING = "waiting"
CHECKING = "checking"
REVIEWING = "reviewing"
_DIALOG_SECONDS = 5
"""How long before claude records a dialog its hook may have told what is asked."""


class Overview:
    """A session in one line."""

    def __init__(
        self,
        session: str,
        raw: Mapping[str, object],
        changed_at: float,
        is_alive: Callable[[int], bool],
        client: Mapping[str, object] | None = None,
    ) -> None:
        """Read the state; `client` is claude's own record of the process."""
        run, stop = _object(raw.get("run")), _object(raw.get("stop"))
        self.session = session
        # claude's id, which resumes it
        self.conversation = text(run.get("session_id")) or text(raw.get("conversation")) or session
        self.directory = text(raw.get("cwd")) or text(run.get("cwd"))
        self.provider = text(raw.get("provider"))
        self.model = text(raw.get("model"))
        self.is_run = bool(run)
        self.is_on = raw.get("enabled") is True
        self.round = int(number(raw.get("count")))
        self.limit = int(number(raw.get("limit")))
        self.outcome = text(run.get("outcome")) or text(raw.get("outcome"))
        # the turn under way is in no total yet
        turn_usd, turn_source = number(run.get("turn_cost_usd")), text(run.get("turn_cost_source"))
        self.cost_usd = number(raw.get("cost_usd")) + turn_usd
        source = text(raw.get("cost_source")) or turn_source
        self.cost_source = cost_source.on_record(self.cost_usd, source)
        request = text(run.get("task")) or text(raw.get("request"))
        # a new task's request is recorded at its first stop
        self.request = request or text(raw.get("earlier_request"))
        self.requests = texts(run.get("requests")) or texts(raw.get("requests"))
        self._was_supervised = raw.get("was_supervised") is True
        self.feedback = _last(raw.get("feedback"))
        self.not_run = texts(raw.get("not_run"))
        """A sentence about each check that could not run at the last stop."""
        self.checks = tuple(name.rpartition("\n")[0] for name in _object(raw.get("checks")))
        self.created_at = text(raw.get("created_at"))
        self.decided_at = number(raw.get("decided_at"))
        self.changed_at = changed_at
        self.pid = int(number(raw.get("pid")))
        # only for an unattended run: the agent's own cost, the time it took, its own cost limit
        self.agent_cost_usd = number(run.get("agent_cost_usd")) + turn_usd
        agent_source = text(run.get("agent_cost_source")) or turn_source
        self.agent_cost_source = cost_source.on_record(self.agent_cost_usd, agent_source)
        self.elapsed = number(run.get("elapsed_seconds"))
        self.limit_usd = number(_object(run.get("limits")).get("max_cost_usd"))
        # the directory of an unfinished run, and when it was saved
        self.unfinished = (text(run.get("cwd")), number(run.get("saved_at"))) if run else None
        if run.get("outcome") == "completed":
            self.unfinished = None
        self.check, self.since, self.begun = "", self.decided_at, 0.0
        # the receipts of the stop that is being decided, as in the state
        self.receipts: object = None
        self._client = client or {}
        self.phase = self._find_phase(run, stop, is_alive)
        self.waits_for, self.question = self._find_question(_object(raw.get("asks")))

    def _find_phase(
        self,
        run: Mapping[str, object],
        stop: Mapping[str, object],
        is_alive: Callable[[int], bool],
    ) -> str:
        if stop.get("phase") in (CHECKING, REVIEWING):
            if is_alive(int(number(stop.get("pid")))):
                self.check, self.receipts = text(stop.get("check")), stop.get("receipts")
                self.since, self.begun = number(stop.get("since")), number(stop.get("begun"))
                return str(stop["phase"])
            if not run:
                # a review that ends normally completes its record
                self.outcome = CUT_OFF
        if not is_alive(self.pid):
            return ENDED
        status = self._client.get("status")
        if run:
            is_working = run.get("phase") == "agent" and not run.get("outcome")
        elif status == WAITING:
            return WAITING
        else:
            was_sent_back = self.outcome == "not_completed"
            is_working = self.is_on and (status == "busy" if status else was_sent_back)
        return WORKING if is_working else OPEN

    def _find_question(self, asks: Mapping[str, object]) -> tuple[str, str]:
        """Return what it waits for, and the question if its state has it.

        Claude's record tells that a dialog is open. What it asks was stored when it opened.
        """
        if self.phase != WAITING:
            is_over = self.is_busy or self.outcome not in ("needs_user", "plan")
            return "" if is_over else self.outcome, ""
        opened = self._client.get("statusUpdatedAt")
        opened_at = number(opened // 1_000 if isinstance(opened, int) else 0)
        if number(asks.get("at")) > opened_at - _DIALOG_SECONDS:
            return text(asks.get("kind")), text(asks.get("text"))
        is_permission = self._client.get("waitingFor") in ("permission prompt", "sandbox request")
        return "permission" if is_permission else "question", ""

    @property
    def is_stopping(self) -> bool:
        """Whether a stop is being decided."""
        return self.phase in (CHECKING, REVIEWING)

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

    __slots__ = ("agent_source", "agent_usd", "reviews_source", "reviews_usd", "rounds")

    def __init__(
        self, records: Iterable[tuple[str, float, str]], agent_usd: float, agent_source: str
    ) -> None:
        """Add up `records` (outcome, cost and cost source); only a run has an agent's cost."""
        self.rounds, self.reviews_usd, self.reviews_source = 0, 0.0, ""
        self.agent_usd, self.agent_source = agent_usd, agent_source
        for name, cost_usd, source in records:
            self.rounds += OUTCOMES[name].is_round
            self.reviews_usd += cost_usd
            self.reviews_source = cost_source.join(self.reviews_source, source)

    @property
    def cost_usd(self) -> float:
        """The cost of the reviews, plus the agent's if ccc ran it."""
        return self.reviews_usd + self.agent_usd

    @property
    def cost_source(self) -> str:
        """The source of the prices."""
        return cost_source.join(self.agent_source, self.reviews_source)


def progress(seen: "Overview | Round") -> str:
    """Return the number of the round, with the limit if there is one."""
    number = seen.round if isinstance(seen, Overview) else seen.number
    return f"{number}/{seen.limit}" if seen.limit else str(number)


def number(value: object) -> float:
    """Return the value if it is a number of plausible size, else 0."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0.0
    return float(value) if abs(value) < 1e12 else 0.0


def text(value: object) -> str:
    """Return the value if it is a string, the beginning of a long one, else an empty string."""
    value = value.get("begin") if isinstance(value, dict) else value
    return value if isinstance(value, str) else ""


def _object(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}


def texts(value: object) -> tuple[str, ...]:
    """Return the non-empty strings in a list."""
    return tuple(filter(None, map(text, value))) if isinstance(value, list) else ()


def _last(value: object) -> str:
    return text(value[-1]) if isinstance(value, list) and value else ""
