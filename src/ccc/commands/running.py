"""An unattended run under way: its state, its budget, its judgements, its signals."""

import os
import random
import signal
import threading
import time
from dataclasses import dataclass, field, replace

from ccc import words
from ccc.claude import reviewer, stream, transcripts
from ccc.claude.agent import Agent, Ears
from ccc.commands import judging, showing, stop
from ccc.commands.recording import Recorder
from ccc.domain import event as events
from ccc.domain import run as runs
from ccc.domain.policy import Decision
from ccc.domain.turn import Patience, Turn
from ccc.project.tree import Tree
from ccc.storage import state
from ccc.supervisor.on_stop import on_stop

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from ccc.claude.plan import Plan
    from ccc.domain.config import Config
    from ccc.domain.run import Run
    from ccc.storage.journal import Journal
    from ccc.storage.paths import Paths

_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
_PATIENCE = Patience()


@dataclass(slots=True)
class Running:
    """What happens in a run is kept in the session's state at once, and shown."""

    where: "Paths"
    session: str
    """The name of the state; claude's session has the same where claude allows it."""
    config: "Config"
    environ: "Mapping[str, str]"
    journal: "Journal"
    run: "Run"
    effort: str
    waits: bool
    """Whether a usage limit is waited for."""
    quiet: bool
    plan: "Callable[[str, bool], Plan]"
    tasks: stop.Tasks = field(init=False)
    screen: showing.Screen = field(init=False)
    agent: Agent = field(init=False)
    _since: float = 0.0
    _before: float = 0.0
    _cost_usd: float = 0.0
    """Agent and reviews, for the live line."""
    _asked_to_stop: bool = False
    _is_working: bool = False
    _typed: list[str] = field(default_factory=list)
    _lock: threading.RLock = field(default_factory=threading.RLock)

    def __post_init__(self) -> None:
        self.tasks = stop.Tasks(self.where, self.session, self.journal)
        self._before, self._since = self.run.elapsed_seconds, time.monotonic()
        self.screen = showing.Screen(self.quiet, self._status)
        self.agent = Agent(
            plan=self.plan,
            session=self.run.session_id,
            claude_dir=self.where.claude_dir,
            errors=self.where.agent_errors(self.session),
            ears=Ears(self.journal.agent, self.screen.tell, self._noticed, self._malformed),
            seconds_left=self._seconds_left,
            total_usd=self.run.agent_total_usd,
            permission_mode=self.run.permission_mode,
        )

    # what the loop needs

    def sending(self, message: str) -> str:
        """The agent phase begins with the message; the limit that forbids it, or nothing."""
        self._save(phase=runs.AGENT, message=message, outcome="")
        limits, task = self.config.supervisor, self.tasks.load().task
        if limits.max_minutes and self.elapsed >= limits.max_minutes * 60:
            return "minutes"
        if limits.max_cost_usd and task.cost_usd >= limits.max_cost_usd:
            return "cost"
        self._is_working = True
        return ""

    def ended(self, turn: Turn) -> None:
        """The agent's turn has ended; its cost is counted together with the change of phase."""
        self._is_working = bool(turn.error)
        run = self.run
        changes: dict[str, Any] = {
            "session_id": self.agent.session,
            "permission_mode": self.agent.permission_mode,
            "agent_cost_usd": run.agent_cost_usd + turn.cost_usd,
            "agent_total_usd": self.agent.total_usd,
            "tokens": runs.with_cost(run.tokens, turn),
        }
        if not turn.error:
            known = self.tasks.load().task
            changes |= {"phase": runs.REVIEW, "last_message": turn.text}
            changes |= {"count": known.count, "feedbacks": len(known.feedback)}
        self._save(turn.cost_usd, **changes)
        self.journal.log(
            "agent stopped",
            cost_usd=round(turn.cost_usd, 6),
            **({"error": turn.error, "died": turn.died} if turn.error else {}),
        )

    def wait(self, turn: Turn, failures: int) -> bool:
        """Wait before the next try, with a countdown; False where it is not to be waited for."""
        resets = turn.resets_at
        limit_in = max(0.0, resets - time.time()) if resets and self.waits else None
        pause = _PATIENCE.pause(turn, failures, random.random(), limit_in)
        left = self._seconds_left()
        if pause is None or (left is not None and pause >= left):
            return False
        message = "run.died" if turn.died else "run.waiting"
        text = words.say(message, error=turn.error, seconds=f"{pause:.0f}", failures=failures)
        self.journal.note(text)
        self._is_working = False
        self.screen.count_down(text, pause)
        self._is_working = True
        return True

    def judge(self, turn: Turn) -> Decision:
        """The hook's policy, checks and reviewer, on an event made from the turn."""
        project = Tree(self.run.cwd)
        event = self._event(turn)
        known = self.tasks.load()
        limits = self.config.supervisor
        conversation = stop.conversation_of(event)
        court = judging.Court(
            self.where,
            self.session,
            known,
            self.config,
            event,
            # our feedback arrives as messages of the user's; only these are the person's own
            replace(conversation, requests=self.run.requests),
            project,
            self.journal,
            "",
            self.environ,
            self.screen.tell,
        )
        recorder = Recorder(self.journal, limits, event, self.screen.tell)
        decision = on_stop(
            event,
            True,
            known.task_started,
            known.task_started + self.elapsed,
            limits,
            self.tasks,
            stop.Evidence(self.where, self.session, self.config, project),
            court,
            recorder,
        )
        for note in recorder.notes:
            self.screen.tell_anyway(note)
        return self._with_typed(decision)

    # what the command needs

    def first_step(self) -> str | Turn:
        """Where the run goes on: with a message, or with the judgement of what the agent did."""
        self._save(outcome="")
        run, task = self.run, self.tasks.load().task
        if run.phase != runs.REVIEW:
            from ccc.supervisor.loop import CONTINUE

            return CONTINUE if self.agent.heard(run.message) else run.message
        if len(task.feedback) > run.feedbacks:
            # it was decided, and not yet said
            return task.feedback[-1]
        # a review that was cut off is made again, and counted once
        self.tasks.change(lambda before: replace(before, count=run.count))
        return Turn(text=run.last_message)

    def hear(self) -> None:
        """Ctrl-C asks the agent to stop; a second one, or any other signal, ends at once."""
        for number in _SIGNALS:
            signal.signal(number, self._heard)

    def type(self, line: str) -> None:
        """A line that the person typed: for the agent now, or with its next message."""
        text = line.strip()
        if not text:
            return
        with self._lock:
            self._save(requests=(*self.run.requests, text))
            if not self.agent.say(text):
                self._typed.append(text)

    def finish(self, outcome: str) -> None:
        """Keep how it ended."""
        self._save(outcome=outcome)

    @property
    def elapsed(self) -> float:
        """How long the run has taken, over all its continuations."""
        return self._before + time.monotonic() - self._since

    # within

    def _event(self, turn: Turn) -> events.Stop:
        session = self.agent.session
        return events.Stop(
            session_id=session,
            transcript_path=transcripts.find(self.where.claude_dir, session),
            cwd=self.run.cwd,
            prompt_id=self.session,
            permission_mode=self.agent.permission_mode,
            effort=self.effort,
            stop_hook_active=self.run.count > 0,
            last_assistant_message=turn.text,
        )

    def _with_typed(self, decision: Decision) -> Decision:
        """What was typed during a review: it goes along with the feedback, or is a feedback."""
        with self._lock:
            typed, self._typed = "\n\n".join(self._typed), []
        if not typed:
            return decision
        if decision.allowed and decision.why != "stop.completed":
            return decision
        feedback = typed if decision.allowed else f"{decision.feedback}\n\n{typed}"
        return Decision(False, "stop.not_completed", feedback)

    def _save(self, spent: float = 0.0, **changes: "Any") -> None:
        """Change the run, and keep it: one write for the run and what it has cost."""
        with self._lock:
            self.run = replace(
                self.run, elapsed_seconds=self.elapsed, saved_at=time.time(), **changes
            )
            raw = runs.dump(self.run)
            kept = state.change(
                self.where.state_dir,
                self.where.state(self.session),
                self.session,
                lambda before: replace(before, run=raw, cost_usd=before.cost_usd + spent),
                lambda aside: self.journal.log("state corrupt", file=aside),
            )
            self._cost_usd = kept.cost_usd

    def _seconds_left(self) -> float | None:
        most = self.config.supervisor.max_minutes * 60
        return max(0.0, most - self.elapsed) if most else None

    def _status(self) -> str:
        return words.say(
            "run.status",
            iteration=self.run.count + 1,
            limit=self.config.supervisor.max_iterations,
            time=showing.duration(self.elapsed),
            cost=f"{self._cost_usd:.4f}",
        )

    def _noticed(self, message: "dict[str, Any]") -> None:
        for name, given in stream.calls(message):
            self.screen.call(name, given)

    def _malformed(self, line: str) -> None:
        self.journal.log("agent line malformed", line=line[:200])

    def _heard(self, number: int, frame: object) -> None:
        if number == signal.SIGINT and self._is_working and not self._asked_to_stop:
            self._asked_to_stop = True
            self.screen.tell(words.say("run.stopping"))
            self.agent.interrupt()
            return
        for repeated in _SIGNALS:
            # nothing may disturb the clearing up
            signal.signal(repeated, signal.SIG_IGN)
        raise reviewer.Interrupted


def begin(where: "Paths", session: str, run: "Run") -> None:
    """Keep a new run, whose task begins now."""
    raw, now = runs.dump(run), time.time()

    def begun(before: state.State) -> state.State:
        return replace(before, run=raw, prompt_id=session, task_started=now, pid=os.getpid())

    state.change(where.state_dir, where.state(session), session, begun, lambda aside: None)


def take_over(where: "Paths", session: str) -> None:
    """Keep that the run is ours now."""

    def ours(before: state.State) -> state.State:
        return replace(before, pid=os.getpid())

    state.change(where.state_dir, where.state(session), session, ours, lambda aside: None)
