"""The settings of the queue, which all workers share: pauses, limits and the budget."""

import msgspec
import sqlalchemy as sa

from ccc.backlog.admission import Settings
from ccc.backlog.tables import SETTINGS

_ROWS = {each.name: each.encode_name for each in msgspec.structs.fields(Settings)}
"""The names in the table."""


def load(connection: sa.Connection) -> Settings:
    """Read the settings."""
    rows = connection.execute(sa.select(SETTINGS.c.name, SETTINGS.c.value))
    values = {name: value for name, value in rows if value is not None}
    return msgspec.convert(values, Settings)


def change(connection: sa.Connection, **values: object) -> None:
    """Replace settings, by the names of their fields."""
    for name, value in values.items():
        row, stored = _ROWS[name], msgspec.to_builtins(value)
        known = sa.update(SETTINGS).where(SETTINGS.c.name == row).values(value=stored)
        if not connection.execute(known).rowcount:
            connection.execute(sa.insert(SETTINGS).values(name=row, value=stored))


def pause_provider(connection: sa.Connection, provider: str, until: float) -> None:
    """Start no more tasks on the provider until then; 0 ends the pause."""
    known = load(connection).paused_until
    later = max(until, known.get(provider, 0.0)) if until else 0.0
    change(connection, paused_until={**known, provider: later})
