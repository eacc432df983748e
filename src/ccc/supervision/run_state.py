"""An unattended run: its task, and how far it has got."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields

from ccc.claude.formats import permission
from ccc.claude.formats.permission import Denials
from ccc.providers import usage
from ccc.supervision.turn import Turn

AGENT = "agent"
REVIEW = "review"


@dataclass(frozen=True, slots=True)
class RunState:
    """What a continuation needs to know."""

    task: str = ""
    cwd: str = ""
    session_id: str = ""
    """Claude's id of the session."""
    requests: tuple[str, ...] = ()
    """What the user asked for, from the task to the last typed line."""
    arguments: tuple[str, ...] = ()
    limits: Mapping[str, object] = field(default_factory=dict)
    phase: str = AGENT
    message: str = ""
    """The next message to the agent, or the last one."""
    last_message: str = ""
    """What the agent said when it stopped."""
    permission_mode: str = ""
    count: int = 0
    """The rounds before the current one."""
    feedbacks: int = 0
    """How often there was feedback before the current round."""
    denied: tuple[str, ...] = ()
    """The calls that were denied in the last turn."""
    denied_before: tuple[str, ...] = ()
    """Those of the turn before."""
    outcome: str = ""
    agent_cost_usd: float = 0.0
    agent_cost_source: str = ""
    tokens: Mapping[str, int] = field(default_factory=dict)
    agent_counted: int = -1
    """How many bytes of the agent's record are counted; negative if unknown."""
    reviews_counted: int = -1
    """The same of the reviewers' record."""
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
    """The tokens with those of a turn added."""
    return dict(sorted(usage.add([tokens, turn.tokens]).items()))


def parse(raw: Mapping[str, object]) -> RunState | None:
    """The run in a state; None if there is none, or one that can't be trusted."""
    found: dict[str, object] = {}
    for name, usual in dump(RunState()).items():
        value = raw.get(name, usual)
        if isinstance(usual, float) and isinstance(value, int | float) and abs(value) < 1e12:
            value = float(value)
        if isinstance(usual, tuple) and isinstance(value, list):
            value = tuple(value)
            if not all(isinstance(item, str) for item in value):
                return None
        if type(value) is not type(usual):
            return None  # a state with a wrong type must not be believed in part
        found[name] = value
    return RunState(**found) if raw.get("cwd") else None  # type: ignore[arg-type]


def dump(run: RunState) -> dict[str, object]:
    """The run as the state has it."""
    return {each.name: getattr(run, each.name) for each in fields(run)}
