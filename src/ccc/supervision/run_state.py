"""An unattended run: what it is about, and how far it has got."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields

from ccc.claude.formats import permission
from ccc.claude.formats.permission import Denials
from ccc.providers import usage
from ccc.supervision.turn import Turn

AGENT = "agent"
REVIEW = "review"


@dataclass(frozen=True, slots=True)
class RunState:
    """Everything that a continuation needs to know."""

    task: str = ""
    cwd: str = ""
    session_id: str = ""
    """Claude's id of the session."""
    requests: tuple[str, ...] = ()
    """What the person asked for, from the task to the last typed line."""
    arguments: tuple[str, ...] = ()
    limits: Mapping[str, object] = field(default_factory=dict)
    phase: str = AGENT
    message: str = ""
    """What the agent is to be told, or was told last."""
    last_message: str = ""
    """What the agent said when it stopped."""
    permission_mode: str = ""
    count: int = 0
    """The reviews before the one that is under way."""
    feedbacks: int = 0
    """The feedbacks before the one that is under way."""
    denied: tuple[str, ...] = ()
    """The calls that were denied in the last turn."""
    denied_before: tuple[str, ...] = ()
    """Those of the turn before."""
    outcome: str = ""
    agent_cost_usd: float = 0.0
    agent_cost_source: str = ""
    tokens: Mapping[str, int] = field(default_factory=dict)
    agent_counted: int = -1
    """Up to where the cost of the agent's lines is counted, in bytes of their record."""
    reviews_counted: int = -1
    """The same of the reviewers' lines; before 0 nobody knows."""
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


def with_cost(tokens: Mapping[str, int], turn: Turn) -> dict[str, int]:
    """The tokens with those of a turn added."""
    return dict(sorted(usage.add([tokens, turn.tokens]).items()))


def parse(raw: Mapping[str, object]) -> RunState | None:
    """The run in a state; None where there is none, or one that can't be trusted."""
    standard = asdict(RunState())
    found: dict[str, object] = {}
    for name, usual in standard.items():
        value = raw.get(name, usual)
        if isinstance(usual, float) and isinstance(value, int | float) and abs(value) < 1e12:
            value = float(value)
        if isinstance(usual, tuple) and isinstance(value, list):
            value = tuple(value)
            if not all(isinstance(item, str) for item in value):
                return None
        if type(value) is not type(usual):
            return None  # a state that is not of its kind must not be half believed
        found[name] = value
    return RunState(**found) if raw.get("cwd") else None  # type: ignore[arg-type]


def dump(run: RunState) -> dict[str, object]:
    """The run as it stands in the state."""
    return {each.name: getattr(run, each.name) for each in fields(run)}
