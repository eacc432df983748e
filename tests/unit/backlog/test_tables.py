"""The queue's tables belong to a version of their schema."""

import hashlib

from ccc.backlog import database, tables

COLUMNS = {2: "c7f50f115e1d420b"}
"""A checksum of all columns, by the version of the schema."""


def test_new_columns_have_a_new_version() -> None:
    """A queue with other columns is refused by its version, so a change needs a new one."""
    lines = [
        f"{table.name} {column.name} {column.type!r} {column.nullable}"
        for table in tables.METADATA.sorted_tables
        for column in table.columns
    ]
    checksum = hashlib.sha256("\n".join(sorted(lines)).encode()).hexdigest()[:16]
    assert COLUMNS.get(database.SCHEMA) == checksum
