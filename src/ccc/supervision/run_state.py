"""The state of an unattended run: its task and its progress."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields

from ccc.claude.formats import permission, usage
from ccc.claude.formats.permission import Denials
from ccc.supervision.turn import Turn

AGENT = "agent"
REVIEW = "review"


@dataclass(frozen=True, slots=True)
class RunState:
    """What is needed to continue a run."""

    task: str = ""
    cwd: str = ""
    session_id: str = ""
    """Claude's id for the session."""
    requests: tuple[str, ...] = ()
    """What the user asked for, from the task to the last typed line."""
    arguments: tuple[str, ...] = ()
    limits: Mapping[str, object] = field(default_factory=dict)
    phase: str = AGENT
    message: str = ""
    """The next message to the agent, or the last one."""
    last_message: str = ""
    """The agent's message when it stopped."""
    permission_mode: str = ""
    count: int = 0
    """The rounds before the current one."""
    feedbacks: int = 0
    """The number of feedbacks before the current round."""
    denied: tuple[str, ...] = ()
    """The calls that were denied in the last turn."""
    denied_before: tuple[str, ...] = ()
    """The calls that were denied in the turn before."""
    outcome: str = ""
    agent_cost_usd: float = 0.0
    agent_cost_source: str = ""
    turn_cost_usd: float = 0.0
    """What the turn under way has cost so far; no total includes it yet."""
    turn_cost_source: str = ""
    tokens: Mapping[str, int] = field(default_factory=dict)
    agent_counted: int = -1
    """How many bytes of the agent's record are included in the cost; negative if unknown."""
    reviews_counted: int = -1
    """How many bytes of the reviewers' record are included; negative if unknown."""
    elapsed_seconds: float = 0.0
    saved_at: float = 0.0

    @property
    def denials(self) -> Denials:
        """The calls that were denied in the last two turns."""
        now, before = self.denied, self.denied_before
        return Denials(tuple(map(permission.parse, now)), tuple(map(permission.parse, before)))

    @property
    def is_finished(self) -> bool:
        """Whether there is nothing to continue."""
        return self.outcome == "completed"


def add_tokens(tokens: Mapping[str, int], turn: Turn) -> dict[str, int]:
    """Return the tokens with those of a turn added."""
    return dict(sorted(usage.add([tokens, turn.tokens]).items()))


def parse(raw: Mapping[str, object]) -> RunState | None:
    """Parse the run in a state; return None if it is missing or invalid."""
    values: dict[str, object] = {}
    for name, usual in dump(RunState()).items():
        value = raw.get(name, usual)
        if isinstance(usual, float) and isinstance(value, int | float) and abs(value) < 1e12:
            value = float(value)
        if isinstance(usual, tuple) and isinstance(value, list):
            value = tuple(value)
            if not all(isinstance(item, str) for item in value):
                return None
        if type(value) is not type(usual):
            return None  # don't trust any of a state that has a wrong type
        values[name] = value
    return RunState(**values) if raw.get("cwd") else None  # type: ignore[arg-type]


def dump(run: RunState) -> dict[str, object]:
    """Convert the run to its form in the state."""
    return {each.name: getattr(run, each.name) for each in fields(run)}
