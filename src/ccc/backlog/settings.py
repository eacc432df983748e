"""The settings of the queue, which all workers share: pauses, limits and the budget."""

from dataclasses import asdict, dataclass, field
from typing import Any

import sqlalchemy as sa

from ccc.backlog.admission import ProviderLimit
from ccc.backlog.budget import Budget
from ccc.backlog.tables import SETTINGS

KEEP_DAYS = 7.0
_PAUSED, _BUDGET, _LIMITS, _PROVIDERS_PAUSED, _KEEP = (
    *("paused", "budget", "limits", "providers_paused"),
    "keep_days",
)


@dataclass(frozen=True, slots=True)
class Settings:
    """What the user has set for the whole queue."""

    is_paused: bool = False
    budget: Budget = field(default_factory=Budget)
    limits: dict[str, ProviderLimit] = field(default_factory=dict)
    """The limits of each provider."""
    paused_until: dict[str, float] = field(default_factory=dict)
    """When the usage limit of a provider ends."""
    keep_days: float = KEEP_DAYS
    """How long the worktree of a completed task is kept."""


def load(connection: sa.Connection) -> Settings:
    """Read the settings."""
    rows = connection.execute(sa.select(SETTINGS.c.name, SETTINGS.c.value))
    values: dict[str, Any] = {row[0]: row[1] for row in rows}
    limits = values.get(_LIMITS) or {}
    keep = values.get(_KEEP)
    return Settings(
        is_paused=bool(values.get(_PAUSED)),
        budget=Budget(**(values.get(_BUDGET) or {})),
        limits={name: ProviderLimit(**limit) for name, limit in limits.items()},
        paused_until=dict(values.get(_PROVIDERS_PAUSED) or {}),
        keep_days=KEEP_DAYS if keep is None else float(keep),
    )


def pause(connection: sa.Connection, is_paused: bool) -> None:
    """Start no more tasks, or start them again."""
    _store(connection, _PAUSED, is_paused)


def set_budget(connection: sa.Connection, budget: Budget) -> None:
    """Replace the budget."""
    _store(connection, _BUDGET, asdict(budget))


def set_limit(connection: sa.Connection, provider: str, limit: ProviderLimit) -> None:
    """Replace the limits of a provider."""
    known = {name: asdict(each) for name, each in load(connection).limits.items()}
    _store(connection, _LIMITS, {**known, provider: asdict(limit)})


def pause_provider(connection: sa.Connection, provider: str, until: float) -> None:
    """Start no more tasks on the provider until then; 0 ends the pause."""
    known = load(connection).paused_until
    later = max(until, known.get(provider, 0.0)) if until else 0.0
    _store(connection, _PROVIDERS_PAUSED, {**known, provider: later})


def set_keep(connection: sa.Connection, days: float) -> None:
    """Set how long the worktree of a completed task is kept."""
    _store(connection, _KEEP, days)


def _store(connection: sa.Connection, name: str, value: object) -> None:
    known = sa.update(SETTINGS).where(SETTINGS.c.name == name).values(value=value)
    if not connection.execute(known).rowcount:
        connection.execute(sa.insert(SETTINGS).values(name=name, value=value))
