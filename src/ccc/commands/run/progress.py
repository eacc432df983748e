"""An unattended run under way: its state, its budget, its judgements, its signals."""

import random
import signal
import time
from dataclasses import dataclass, field, replace

from ccc import words
from ccc.claude import review_process
from ccc.claude.agent import Agent
from ccc.claude.conversation import Ears
from ccc.claude.formats import permission, stream
from ccc.commands.run import judging, permissions, state
from ccc.commands.run import screen as showing
from ccc.commands.run.state import Keeper
from ccc.errors import CccError
from ccc.project import leftovers
from ccc.project.tree import Tree
from ccc.providers import prices
from ccc.providers.usage import Cost, Meter, cost_on_record
from ccc.storage.state import State
from ccc.supervision import policy, run_state
from ccc.supervision.loop import CONTINUE
from ccc.supervision.policy import Decision
from ccc.supervision.session_state import Tasks
from ccc.supervision.turn import Patience, Turn
from ccc.system import spawn
from ccc.ui import formatting
from ccc.ui.renderer import AGENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from ccc.claude.launch_plan import Plan
    from ccc.config.schema import Config
    from ccc.providers.prices import Tariff
    from ccc.storage.journal import Journal
    from ccc.storage.paths import Paths
    from ccc.supervision.run_state import RunState

_PATIENCE = Patience()
# messages by which claude shows that it goes on after an error
_WORK = ("stream_event", "assistant", "user", "result")


@dataclass(slots=True)
class Running:
    """What happens in a run is kept in the session's state at once, and shown."""

    where: "Paths"
    session: str
    """The name of the state; claude's session has the same where claude allows it."""
    config: "Config"
    environ: "Mapping[str, str]"
    journal: "Journal"
    first: "RunState"
    """The run as it was when we began, or took it over."""
    effort: str
    waits: bool
    """Whether a usage limit is waited for."""
    quiet: bool
    streams: bool
    """Whether the agent's lines go to stdout."""
    partial: bool
    """Whether those of partial messages do."""
    level: str
    """What the agent may do."""
    plan: "Callable[[str, bool, float | None], Plan]"
    """How to start claude: the session, whether it is there already, what may be spent."""
    tariff: "Tariff"
    model: str
    """The model that the agent will ask for, where that is known."""
    kept: Keeper = field(init=False)
    tasks: Tasks = field(init=False)
    screen: showing.Screen = field(init=False)
    agent: Agent = field(init=False)
    limit_ends: float = 0.0
    """When the usage limit ends that was not waited for."""
    wrong_key: bool = False
    asks_permission: bool = False
    """The run ended because calls were denied."""
    _asked_to_stop: bool = False
    _is_working: bool = False
    result: "Mapping[str, Any]" = field(default_factory=dict)
    """The end of the agent's last turn, as claude gave it."""
    doing: str = ""
    """What the live line says of the moment."""
    retries: showing.Retries = field(default_factory=showing.Retries)
    """What claude itself waits for."""
    _tools: stream.Tools = field(default_factory=stream.Tools)
    _tree: Tree = field(init=False)
    _places: frozenset[str] = frozenset()
    _is_told: bool = False
    """The person knows that the budget can't be held."""
    was_cut: bool = False
    """The last check did not come to its end."""

    def __post_init__(self) -> None:
        self.kept = Keeper(self.where, self.session, self.journal, self.first)
        self.tasks = Tasks(self.where, self.session, self.journal)
        self._tree = Tree(self.first.cwd)
        self.screen = showing.Screen(self.quiet, self._status, self.first.cwd)
        self.agent = Agent(
            plan=self.plan,
            session=self.first.session_id,
            claude_dir=self.where.claude_dir,
            errors=self.where.agent_errors(self.session),
            ears=Ears(
                self._keep_line,
                self.screen.whole,
                self._noticed,
                self._malformed,
                self.screen.piece,
            ),
            seconds_left=self.seconds_left,
            dollars_left=self._dollars_left,
            meter=Meter(self.tariff.price),
            is_priced=self._is_priced(),
            permission_mode=self.first.permission_mode,
            waits=self.waits,
        )

    @property
    def run(self) -> "RunState":
        """The run as it is now."""
        return self.kept.run

    @property
    def elapsed(self) -> float:
        """How long it has taken so far."""
        return self.kept.elapsed

    # what the loop needs

    def sending(self, message: str) -> str:
        """The agent phase begins with the message; the limit that forbids it, or nothing."""
        limits, task = self.config.supervisor, self.known().task
        self.kept.save(phase=run_state.AGENT, message=message, outcome="", count=task.count)
        if reached := policy.limit_reached(task, limits, self.elapsed):
            return reached.outcome
        self._is_working = True
        self.doing = words.say("run.doing_agent")
        self._places = self._places or leftovers.find(self._tree)
        return ""

    def ended(self, turn: Turn) -> None:
        """The agent's turn has ended; its cost is counted together with the change of phase."""
        if self.level == permission.SANDBOX:
            # the sandbox leaves empty files where it mounts something
            leftovers.remove(self._tree, self._places)
        self._is_working = bool(turn.error)
        run, cost = self.run, Cost(turn.cost_usd, turn.cost_source)
        total = cost_on_record(run.agent_cost_usd, run.agent_cost_source) + cost
        changes: dict[str, Any] = {
            "session_id": self.agent.session,
            "permission_mode": self.agent.permission_mode,
            "agent_cost_usd": total.usd,
            "agent_cost_source": total.source,
            "tokens": run_state.with_cost(run.tokens, turn),
            "agent_counted": self.journal.agent_size(),
        }
        if not turn.error:
            known = self.known().task
            changes |= {"phase": run_state.REVIEW, "last_message": turn.text}
            changes |= {"count": known.count, "feedbacks": len(known.feedback)}
            changes |= {"denied": tuple(map(str, turn.denied)), "denied_before": run.denied}
        self.kept.save(cost, **changes)
        if self.config.supervisor.max_cost_usd and turn.is_uncounted and not self._is_told:
            self._is_told = True
            self.screen.tell(words.say("run.no_usage"))
        if turn.denied:
            self.screen.tell(f"[ccc] {permissions.describe(turn.denied)}")
        self.journal.log(
            "agent stopped",
            cost_usd=round(turn.cost_usd, 6),
            cost_source=turn.cost_source,
            **({"error": turn.error, "died": turn.died} if turn.error else {}),
        )

    def wait(self, turn: Turn, failures: int) -> str:
        """Wait before the next try, with a countdown; else the outcome that the run has."""
        ends = turn.limit_ends(time.time())
        limit_in = max(0.0, ends - time.time()) if ends else None
        pause = _PATIENCE.pause(turn, failures, random.random(), limit_in, self.waits)
        if pause is None:
            self.limit_ends = ends or 0.0
            self.wrong_key = turn.status in (401, 403)
            return "agent_failed"
        left = self.seconds_left()
        if left is not None and pause >= left:
            return "minutes"
        message = "run.died" if turn.died else "run.waiting"
        again = {"time": formatting.clock(pause), "failures": failures}
        self.journal.note(words.say(message, error=turn.error, **again))
        error = "" if self.screen.last == turn.error else turn.error
        text = words.say(message, error=error, **again).replace("[ccc] \n", "[ccc] ")
        self._is_working = False
        self.screen.count_down(
            text, pause, lambda rest: words.say("run.countdown", time=formatting.clock(rest))
        )
        self._is_working = True
        return ""

    def judge(self, turn: Turn) -> Decision:
        """The hook's policy, checks and reviewer, on what the agent did."""
        decision = judging.judge(self, turn)
        self.kept.save(reviews_counted=self.journal.output_size())
        return decision

    # what the command needs

    def first_step(self) -> str | Turn:
        """Where the run goes on: with a message, or with the judgement of what the agent did."""
        self._count_what_was_lost()
        run, task = self.run, self.tasks.load().task
        unheard = [text for text in run.requests if not self.agent.heard(text)]
        if run.phase != run_state.REVIEW:
            first = [] if run.message in run.requests else [run.message]
            unheard = [*(text for text in first if not self.agent.heard(text)), *unheard]
            for text in unheard[1:]:
                self.agent.say(text)
            return unheard[0] if unheard else CONTINUE
        for text in unheard:
            # a turn has ended, so it has heard what that began with
            if text not in (run.task, run.message):
                self.agent.say(text)
        if len(task.feedback) > run.feedbacks:
            # it was decided, and not yet said
            return task.feedback[-1]
        # a review that was cut off is made again, and counted once; so is the last one
        was_decided = self.first.outcome not in ("", "interrupted")
        if not was_decided or task.count >= self.config.supervisor.max_iterations:
            task = self.tasks.change(lambda before: replace(before, count=run.count))
        self.kept.save(count=task.count)
        return Turn(text=run.last_message)

    def hear(self) -> None:
        """Ctrl-C asks the agent to stop; a second one, or any other signal, ends at once."""
        spawn.handle_end_signals(self._heard, also_ignored=False)

    def type(self, line: str) -> None:
        """A line that the person typed: for the agent now, or in its next turn."""
        if text := line.strip():
            self.kept.asked(text)
            self.screen.tell(f"› {text}")
            self.agent.say(text)

    def known(self) -> "State":
        """The session's state, as far as it can be had."""
        try:
            return self.tasks.load()
        except CccError as error:
            self.journal.problem = self.journal.problem or str(error)
            cost = self.kept.cost
            return State(
                self.session, count=self.run.count, cost_usd=cost.usd, cost_source=cost.source
            )

    def deafen(self) -> None:
        """Nothing may disturb the clearing up."""
        spawn.handle_end_signals(signal.SIG_IGN)

    def finish(self, outcome: str) -> None:
        """Keep how it ended."""
        self.kept.end()
        self.kept.save(outcome=outcome)

    # within

    def seconds_left(self) -> float | None:
        """How much of the time is left; None where there is no limit."""
        most = self.config.supervisor.max_minutes * 60
        return max(0.0, most - self.elapsed) if most else None

    def _dollars_left(self) -> float | None:
        most = self.config.supervisor.max_cost_usd
        return max(0.000001, most - self.kept.cost.usd) if most else None

    def _count_what_was_lost(self) -> None:
        """Count what a turn and a review have cost that nobody saw the end of."""
        run, journal = self.run, self.journal
        said, judged = journal.agent_size(), journal.output_size()
        price_of = self.tariff.price
        agent = state.uncounted(journal.agent_file, run.agent_counted, said, price_of)
        if provider := self.config.supervisor.provider:
            price_of = prices.tariff(self.config, provider).price
        review = state.uncounted(journal.output_file, run.reviews_counted, judged, price_of)
        total = cost_on_record(run.agent_cost_usd, run.agent_cost_source) + agent
        self.kept.save(
            agent + review,
            outcome="",
            agent_cost_usd=total.usd,
            agent_cost_source=total.source,
            agent_counted=said,
            reviews_counted=judged,
        )

    def _is_priced(self) -> bool:
        """Whether the budget can be held by real prices while the agent works."""
        return bool(self.config.supervisor.max_cost_usd and self.tariff.price(self.model))

    def _status(self) -> str:
        limit, cost = self.config.supervisor.max_iterations, self.kept.cost
        now = cost.usd + self.agent.meter.usd
        return words.say(
            "run.status",
            doing=self.retries.describe(time.monotonic()) or self.doing,
            iteration=min(self.run.count + 1, limit),
            limit=limit,
            time=formatting.clock(self.elapsed),
            cost=formatting.money(now, cost.source) if now else "$–",
        )

    def _keep_line(self, line: str) -> None:
        self.journal.agent(line)
        if self.streams and stream.is_printed(line, self.partial):
            self.screen.print(line)

    def _noticed(self, message: "dict[str, Any]") -> None:
        if self.agent.session != self.run.session_id:
            self.kept.save(session_id=self.agent.session)
        if message.get("type") == "result":
            self.result = message
        if stream.begins(message):
            self.screen.whole()
        if again := stream.retry(message):
            self.retries.begin(again, time.monotonic())
            if not self.screen.is_live:
                self.screen.tell(f"[ccc] {self.retries.describe(time.monotonic())}")
        elif message.get("type") in _WORK:
            self.retries.end()
        self._show_tools(message)

    def _show_tools(self, message: "dict[str, Any]") -> None:
        for name, given in stream.calls(message):
            self.screen.call(AGENT, name, given)
        for name, text, failed in self._tools.results(message):
            self.screen.result(AGENT, name, text, failed)

    def _malformed(self, line: str) -> None:
        self.journal.log("agent line malformed", line=line[:200])

    def _heard(self, number: int, frame: object) -> None:
        if number == signal.SIGINT and self._is_working and not self._asked_to_stop:
            self._asked_to_stop = True
            self.screen.tell_anyway(words.say("run.stopping"))
            self.agent.interrupt()
            return
        self.deafen()
        raise review_process.Interrupted
