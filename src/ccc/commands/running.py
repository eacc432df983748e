"""An unattended run under way: its state, its budget, its judgements, its signals."""

import functools
import random
import signal
import time
from dataclasses import dataclass, field, replace

from ccc import words
from ccc.claude import reviewer, stream, transcripts
from ccc.claude.agent import Agent, Ears
from ccc.commands import judging, recording, showing, stop
from ccc.commands.evidence import Evidence
from ccc.commands.keeping import Keeper
from ccc.commands.recording import Recorder
from ccc.domain import event as events
from ccc.domain import run as runs
from ccc.domain.policy import Decision
from ccc.domain.turn import Patience, Turn
from ccc.project.tree import Tree
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
# endings that a further word of the person's can change
_ANSWERED = {f"stop.{why}" for why in ("completed", "needs_user", "stuck", "plan", "not_judged")}


@dataclass(slots=True)
class Running:
    """What happens in a run is kept in the session's state at once, and shown."""

    where: "Paths"
    session: str
    """The name of the state; claude's session has the same where claude allows it."""
    config: "Config"
    environ: "Mapping[str, str]"
    journal: "Journal"
    first: "Run"
    """The run as it was when we began, or took it over."""
    effort: str
    waits: bool
    """Whether a usage limit is waited for."""
    quiet: bool
    plan: "Callable[[str, bool, float | None], Plan]"
    """How to start claude: the session, whether it is there already, what may be spent."""
    kept: Keeper = field(init=False)
    tasks: stop.Tasks = field(init=False)
    screen: showing.Screen = field(init=False)
    agent: Agent = field(init=False)
    limit_ends: float = 0.0
    """When the usage limit ends that was not waited for."""
    _asked_to_stop: bool = False
    _is_working: bool = False

    def __post_init__(self) -> None:
        self.kept = Keeper(self.where, self.session, self.journal, self.first)
        self.tasks = stop.Tasks(self.where, self.session, self.journal)
        self.screen = showing.Screen(self.quiet, self._status)
        self.agent = Agent(
            plan=lambda session, known: self.plan(session, known, self._dollars_left()),
            session=self.first.session_id,
            claude_dir=self.where.claude_dir,
            errors=self.where.agent_errors(self.session),
            ears=Ears(
                self.journal.agent,
                self.screen.whole,
                self.screen.piece,
                self._noticed,
                self._malformed,
            ),
            seconds_left=self._seconds_left,
            total_usd=self.first.agent_total_usd,
            permission_mode=self.first.permission_mode,
        )

    @property
    def run(self) -> "Run":
        """The run as it is now."""
        return self.kept.run

    @property
    def elapsed(self) -> float:
        """How long it has taken so far."""
        return self.kept.elapsed

    # what the loop needs

    def sending(self, message: str) -> str:
        """The agent phase begins with the message; the limit that forbids it, or nothing."""
        limits, task = self.config.supervisor, self.tasks.load().task
        self.kept.save(phase=runs.AGENT, message=message, outcome="", count=task.count)
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
        self.kept.save(turn.cost_usd, **changes)
        self.journal.log(
            "agent stopped",
            cost_usd=round(turn.cost_usd, 6),
            **({"error": turn.error, "died": turn.died} if turn.error else {}),
        )

    def wait(self, turn: Turn, failures: int) -> str:
        """Wait before the next try, with a countdown; else the outcome that the run has."""
        ends = turn.limit_ends(time.time())
        limit_in = max(0.0, ends - time.time()) if ends else None
        pause = _PATIENCE.pause(turn, failures, random.random(), limit_in, self.waits)
        if pause is None:
            self.limit_ends = ends or 0.0
            return "agent_failed"
        left = self._seconds_left()
        if left is not None and pause >= left:
            return "minutes"
        message = "run.died" if turn.died else "run.waiting"
        text = words.say(message, error=turn.error, time=showing.duration(pause), failures=failures)
        self.journal.note(text)
        self._is_working = False
        self.screen.count_down(
            text, pause, lambda rest: words.say("run.countdown", time=showing.duration(rest))
        )
        self._is_working = True
        return ""

    def judge(self, turn: Turn) -> Decision:
        """The hook's policy, checks and reviewer, on an event made from the turn."""
        project = Tree(self.run.cwd)
        event = self._event(turn)
        known = self.tasks.load()
        config = self._in_time()
        limits, tell = config.supervisor, self.screen.tell
        conversation = stop.conversation_of(event)
        court = judging.Court(
            self.where,
            self.session,
            known,
            config,
            event,
            # our feedback arrives as messages of the user's; only these are the person's own
            replace(conversation, requests=self.run.requests),
            project,
            self.journal,
            "",
            self.environ,
            tell,
        )
        about = recording.about(known, limits, conversation, self.run.task)
        size = functools.partial(project.size, known.start_head)
        recorder = Recorder(self.journal, limits, event, self.tasks.keep, about, size, tell)
        decision = on_stop(
            event,
            True,
            known.task_started,
            known.task_started + self.elapsed,
            config.supervisor,
            self.tasks,
            Evidence(self.where, self.session, config, project, recorder.checking),
            court,
            recorder,
        )
        for note in recorder.notes:
            self.screen.tell_anyway(note)
        return self._with_typed(self._or_late(decision))

    # what the command needs

    def first_step(self) -> str | Turn:
        """Where the run goes on: with a message, or with the judgement of what the agent did."""
        self.kept.save(outcome="")
        run, task = self.run, self.tasks.load().task
        for text in run.requests[1:]:
            if text != run.message and not self.agent.heard(text):
                self.agent.say(text)
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
        """A line that the person typed: for the agent now, or in its next turn."""
        if text := line.strip():
            self.kept.asked(text)
            self.screen.tell(f"› {text}")
            self.agent.say(text)

    def finish(self, outcome: str) -> None:
        """Keep how it ended."""
        self.kept.save(outcome=outcome)

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

    def _in_time(self) -> "Config":
        """The configuration with a review and checks that end when the run's time is over."""
        left = self._seconds_left()
        if left is None:
            return self.config
        limits = self.config.supervisor
        checks = tuple(
            replace(check, timeout_seconds=min(check.timeout_seconds, left))
            for check in limits.checks
        )
        timeout = min(limits.timeout_seconds, left)
        limits = replace(limits, timeout_seconds=timeout, checks=checks)
        return replace(self.config, supervisor=limits)

    def _or_late(self, decision: Decision) -> Decision:
        """The decision; one that only the end of the time brought about is that end."""
        if self._seconds_left() == 0 and decision.why == "stop.not_judged":
            return Decision(True, "stop.minutes")
        return decision

    def _with_typed(self, decision: Decision) -> Decision:
        """What was typed meanwhile is the next message where the run would end for its lack."""
        if decision.allowed and decision.why in _ANSWERED and (text := self.agent.take_unsaid()):
            return Decision(False, "stop.not_completed", text)
        return decision

    def _seconds_left(self) -> float | None:
        most = self.config.supervisor.max_minutes * 60
        return max(0.0, most - self.elapsed) if most else None

    def _dollars_left(self) -> float | None:
        most = self.config.supervisor.max_cost_usd
        return max(0.000001, most - self.kept.cost_usd) if most else None

    def _status(self) -> str:
        return words.say(
            "run.status",
            iteration=self.run.count + 1,
            limit=self.config.supervisor.max_iterations,
            time=showing.duration(self.elapsed),
            cost=f"{self.kept.cost_usd:.4f}",
        )

    def _noticed(self, message: "dict[str, Any]") -> None:
        if stream.begins(message):
            self.screen.whole()
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
