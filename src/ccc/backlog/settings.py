"""The settings of the queue, which all workers share: pauses, limits and the budget."""

import msgspec
import sqlalchemy as sa

from ccc.backlog.admission import ProviderLimit
from ccc.backlog.budget import Budget
from ccc.backlog.tables import SETTINGS

_ROWS = {"is_paused": "paused", "paused_until": "providers_paused"}
"""The names in the table, where they differ."""


class Settings(msgspec.Struct, frozen=True, rename=_ROWS):
    """What the user has set for the whole queue."""

    is_paused: bool = False
    budget: Budget = msgspec.field(default_factory=Budget)
    limits: dict[str, ProviderLimit] = {}  # the limits of each provider
    paused_until: dict[str, float] = {}  # when the usage limit of a provider ends
    keep_days: float = 7.0  # how long the worktree of a completed task is kept


def load(connection: sa.Connection) -> Settings:
    """Read the settings."""
    rows = connection.execute(sa.select(SETTINGS.c.name, SETTINGS.c.value))
    values = {name: value for name, value in rows if value is not None}
    return msgspec.convert(values, Settings)


def change(connection: sa.Connection, **values: object) -> None:
    """Replace settings, by the names of their fields."""
    for name, value in values.items():
        row, stored = _ROWS.get(name, name), msgspec.to_builtins(value)
        known = sa.update(SETTINGS).where(SETTINGS.c.name == row).values(value=stored)
        if not connection.execute(known).rowcount:
            connection.execute(sa.insert(SETTINGS).values(name=row, value=stored))


def pause_provider(connection: sa.Connection, provider: str, until: float) -> None:
    """Start no more tasks on the provider until then; 0 ends the pause."""
    known = load(connection).paused_until
    later = max(until, known.get(provider, 0.0)) if until else 0.0
    change(connection, paused_until={**known, provider: later})
