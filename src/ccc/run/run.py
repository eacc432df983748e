"""An unattended run: owns the agent, the judging and the saved state."""

import random
import time
from typing import Any

from msgspec.structs import replace

from ccc import words
from ccc.claude import transcript_files
from ccc.claude.agent import Agent
from ccc.claude.formats import permission, usage
from ccc.claude.formats.event import StopEvent
from ccc.claude.output import OutputListener
from ccc.claude.turn import Turn
from ccc.errors import CccError
from ccc.model.outcome import OUTCOMES
from ccc.model.state import AGENT, REVIEW, RunState, Task
from ccc.project.tree import Tree
from ccc.providers.prices import Meter
from ccc.run import permissions
from ccc.run.assignment import Assignment
from ccc.run.feed import Feed
from ccc.run.run_store import RunStore
from ccc.run.screen import Screen
from ccc.storage.journal import Journal
from ccc.supervision import policy, workspace
from ccc.supervision.judge_stop import Dialogue, judge_stop
from ccc.supervision.loop import CONTINUE
from ccc.supervision.on_stop import Situation
from ccc.supervision.policy import Decision
from ccc.supervision.session_store import SessionStore, SupervisedSession
from ccc.ui import formatting

_RATE_LIMIT = 429


class Run:
    """A run in progress, driven by `supervision/loop`; saves and shows every step immediately."""

    def __init__(self, assignment: Assignment, state: RunState) -> None:
        launch = assignment.launch
        self.assignment = assignment
        self.cause = ""
        """The message that explains the end of the run better than its outcome."""
        self.limit_ends = 0.0
        """When the usage limit ends, if the run didn't wait for it."""
        self.api_status = 0
        """The HTTP status of the API error that ended the run."""
        self.result: dict[str, Any] = {}
        """Claude's result message for the agent's last turn."""
        self.journal = Journal(launch.paths, launch.session)
        self.tasks = SessionStore(launch.paths, launch.session, self.journal)
        self.limits = launch.config.supervisor
        self.store = RunStore(self.tasks, state, self.limits)
        self.screen = Screen(assignment.options.quiet, self._status, state.cwd)
        self._feed = Feed(self.screen, self.journal, assignment.stream_filter)
        self.agent = self._new_agent()
        self.store.turn_cost = self.agent.meter.so_far
        self._was_decided = state.outcome not in ("", "interrupted")
        self._tree = Tree(state.cwd)
        self._before = workspace.find_leftovers(self._tree)
        self._is_working = self._is_stopping = self._warned_of_usage = False

    def _new_agent(self) -> Agent:
        launch, tariff = self.assignment.launch, self.assignment.tariff
        return Agent(
            plan=self.assignment.plan,
            session=self.store.run.session_id,
            claude_dir=launch.paths.claude_dir,
            stderr_file=launch.paths.agent_errors(launch.session),
            listener=OutputListener(
                on_raw=self._feed.record_line,
                on_text=self.screen.end_message,
                on_message=self._on_message,
                on_malformed=self._feed.record_malformed,
                on_piece=self.screen.add_piece,
            ),
            seconds_left=self.store.seconds_left,
            dollars_left=self.store.dollars_left,
            meter=Meter(tariff.price),
            is_priced=self.assignment.is_priced,
            permission_mode=self.store.run.permission_mode,
        )

    # called by the loop

    def begin_turn(self, message: str) -> str:
        """Begin the agent phase with the message. Return the limit that forbids it, else ""."""
        task = self.store.load().task
        self.store.save(phase=AGENT, message=message, outcome="", count=task.count)
        if reached := policy.limit_reached(task, self.limits, self.store.elapsed):
            return reached.outcome
        self._is_working, self.cause = True, ""
        self._feed.activity = words.say("run.doing_agent")
        return ""

    def end_turn(self, turn: Turn) -> None:
        """Record the end of the agent's turn; saves its cost together with the change of phase."""
        workspace.remove_leftovers(self._tree, self._before)
        self._is_working = bool(turn.error)
        changes: dict[str, Any] = {
            "session_id": self.agent.session,
            "permission_mode": self.agent.permission_mode,
            "tokens": usage.add([self.store.run.tokens, turn.tokens]),
        }
        if not turn.error:
            task = self.store.load().task
            changes |= {"phase": REVIEW, "last_message": turn.text}
            changes |= {"count": task.count, "feedbacks": len(task.feedback)}
            changes |= {"denied": tuple(map(str, turn.denied))}
            changes |= {"denied_before": self.store.run.denied}
        self.store.save(turn.cost, **changes)
        if self.limits.max_cost_usd and turn.is_uncounted and not self._warned_of_usage:
            self._warned_of_usage = True
            self.screen.tell(words.say("run.no_usage"))
        if turn.denied:
            self.screen.tell(f"[ccc] {permissions.describe(turn.denied)}")
        self.journal.log(
            "agent stopped",
            cost_usd=round(turn.cost.usd, 6),
            cost_source=turn.cost.source,
            **({"error": turn.error, "died": turn.died} if turn.error else {}),
        )

    def wait(self, turn: Turn, failures: int) -> str:
        """Count down to a retry. Return the run's outcome if it must end instead, else ""."""
        ends = turn.limit_ends(time.time())
        limit_in = max(0.0, ends - time.time()) if ends else None
        waits = self.assignment.options.wait
        pause = turn.pause(failures, random.random(), limit_in=limit_in, waits=waits)
        is_limited = turn.status == _RATE_LIMIT or ends
        if pause is None or (is_limited and self.assignment.options.no_wait):
            self.limit_ends, self.api_status = ends or 0.0, turn.status or 0
            is_refused = turn.status in (401, 403)
            self.cause = "run.wrong_key" if is_refused else "run.usage_limit" if ends else ""
            return "agent_failed"
        left = self.store.seconds_left()
        if left is not None and pause >= left:
            return "minutes"
        message = "run.died" if turn.died else "run.waiting"
        whose = words.say("run.providers_time" if ends else "run.own_guess")
        params = {"time": formatting.clock(pause), "whose": whose, "failures": failures}
        self.journal.note(words.say(message, error=turn.error, **params))
        error = "" if self.screen.last == turn.error else turn.error
        text = words.say(message, error=error, **params).replace("[ccc] \n", "[ccc] ")
        self._is_working = False
        self.screen.count_down(
            text, pause, lambda rest: words.say("run.countdown", time=formatting.clock(rest))
        )
        self._is_working = True
        return ""

    def judge(self, turn: Turn) -> Decision:
        """Judge the turn like the hook does; an error is not a finding."""
        self._feed.activity = words.say("run.doing_review")
        try:
            decision = self._judge(turn)
        except CccError as error:
            decision = Decision(True, "not_judged", detail=str(error))
        self.store.end_review()
        return decision

    def _judge(self, turn: Turn) -> Decision:
        session, situation, dialogue = self._situation(turn)
        audience = self._feed.audience(self.store.note_review_cost)
        decision, recorder = judge_stop(session, situation, dialogue, audience)
        self._feed.show_decision(decision, recorder.review)
        message = situation.denials.message
        self.cause = "run.denied" if message and decision.feedback == message else ""
        for note in recorder.notes:
            self.screen.tell(note, always=True)
        if self.store.seconds_left() == 0 and (
            self._feed.was_check_cut or decision.outcome == "not_judged"
        ):
            # a timeout is not a finding; a continued run judges the stop again
            self.tasks.change(self._forget_round)
            decision = Decision(True, "minutes")
        if calls := not decision.allowed and permission.denials_of(self.store.run).now:
            note = permissions.note_for_agent(calls, self.assignment.level)
            decision = replace(decision, feedback=f"{decision.feedback}\n\n{note}")
        is_answerable = decision.allowed and OUTCOMES[decision.outcome].answerable
        if is_answerable and (text := self.agent.next_queued()):
            # the user has already typed an answer
            self.screen.tell(words.say("run.goes_on"))
            return Decision(False, "not_completed", text)
        return decision

    def _situation(self, turn: Turn) -> tuple[SupervisedSession, Situation, Dialogue]:
        launch, run, state = self.assignment.launch, self.store.run, self.tasks.load()
        denials = permission.denials_of(run)
        if denials.calls:
            denials = replace(denials, message=permissions.describe(denials.calls))
        event = StopEvent(
            session_id=self.agent.session,
            transcript_path=self.agent.transcript,
            cwd=run.cwd,
            prompt_id=state.task.prompt_id,
            permission_mode=self.agent.permission_mode,
            effort=launch.arguments.last_value("--effort"),
            stop_hook_active=run.count > 0,
            last_assistant_message=turn.text,
            is_out_of_budget=turn.spent,
        )
        talk = transcript_files.wait_for(event, state.decided_at)
        config = self.assignment.config_within(self.store.seconds_left())
        situation = Situation(
            event=replace(event, cwd=talk.cwd),
            limits=config.supervisor,
            started=state.task.started,
            now=state.task.started + self.store.elapsed,
            denials=denials,
            choices=talk.choices,
        )
        session = SupervisedSession(self.tasks, state, config, run.cwd, environ=launch.environ)
        # ccc's feedback arrives as user messages; only these are the user's own
        talk = replace(talk, requests=run.requests)
        return session, situation, Dialogue(talk, run.requests, state.task.prompt_id)

    def _forget_round(self, task: Task) -> Task:
        run = self.store.run
        feedback = task.feedback[: run.feedbacks]
        return replace(task, feedback=feedback, feedback_key="", count=run.count)

    # called by the command

    def first_step(self) -> str | Turn:
        """Return how the run starts or continues: with a message, or with a turn to judge."""
        self.store.start()
        run, task = self.store.run, self.tasks.load().task
        unheard = [text for text in run.requests if not self.agent.has_received(text)]
        if run.phase != REVIEW:
            if run.message not in run.requests and not self.agent.has_received(run.message):
                unheard.insert(0, run.message)
            for text in unheard[1:]:
                self.agent.send(text)
            return unheard[0] if unheard else CONTINUE
        for text in unheard:
            # a turn has ended, so the agent has received the message that began it
            if text not in (run.task, run.message):
                self.agent.send(text)
        if len(task.feedback) > run.feedbacks:
            # the feedback was decided, but not sent
            return task.feedback[-1]
        # repeating an interrupted review, or the last one, doesn't count as another round
        if not self._was_decided or task.count >= self.limits.max_iterations:
            task = self.tasks.change(lambda before: replace(before, count=run.count))
        self.store.save(count=task.count)
        return Turn(text=run.last_message)

    def finish(self, outcome: str) -> None:
        """Save the outcome; a stop in the middle of a command leaves files of the sandbox, too."""
        workspace.remove_leftovers(self._tree, self._before)
        self.store.finish(outcome)

    def say(self, line: str) -> None:
        """Send a line that the user typed, in the current turn or the next one."""
        if text := line.strip():
            self.store.save(requests=(*self.store.run.requests, text))
            self.screen.tell(f"› {text}")
            self.agent.send(text)

    def interrupt(self) -> bool:
        """Ask the agent to stop; return False if it isn't working or was asked before."""
        if not self._is_working or self._is_stopping:
            return False
        self._is_stopping = True
        self.screen.tell(words.say("run.stopping"), always=True)
        self.agent.interrupt()
        return True

    def _status(self) -> str:
        limit, cost = self.limits.max_iterations, self.store.cost + self.store.under_way()
        return words.say(
            "run.status",
            doing=self._feed.describe(),
            iteration=min(self.store.run.count + 1, limit),
            limit=limit,
            time=formatting.clock(self.store.elapsed),
            cost=formatting.money(cost.usd, cost.source) if cost.usd else "$–",
        )

    def _on_message(self, message: dict[str, Any]) -> None:
        if self.agent.session != self.store.run.session_id:
            self.store.save(session_id=self.agent.session)
        self.store.note_cost()
        if message.get("type") == "result":
            self.result = message
        self._feed.show_agent(message)
