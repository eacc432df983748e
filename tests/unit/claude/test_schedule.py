"""When a scheduled prompt fires next."""

from datetime import datetime

import pytest

from ccc.claude.formats.event import next_time

NOW = datetime(2026, 12, 30, 20, 19, 30)
"""A Wednesday."""


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("* * * * *", (2026, 12, 30, 20, 20)),
        ("*/10 * * * *", (2026, 12, 30, 20, 20)),
        ("5/20 9-10 * * *", (2026, 12, 31, 9, 5)),
        ("0,30 20 * * *", (2026, 12, 30, 20, 30)),
        ("19 20 * * *", (2026, 12, 31, 20, 19)),
        ("0 9 31 12 *", (2026, 12, 31, 9, 0)),
        ("0 9 1 6 *", (2027, 6, 1, 9, 0)),
        ("0 9 * * 1-5", (2026, 12, 31, 9, 0)),
        ("0 9 * * 7", (2027, 1, 3, 9, 0)),
        ("0 9 1 * 0", (2027, 1, 1, 9, 0)),
        ("0 0 29 2 *", (2028, 2, 29, 0, 0)),
        *(
            (each, None)
            for each in ("", "0 9", "@daily", "0 9 30 2 *", "60 * * * *", "*/0 * * * *")
        ),
        *((each, None) for each in ("9-5 * * * *", "x * * * *", "-1 * * * *", "* * 0 * *")),
    ],
)
def test_next_time(expression: str, expected: tuple[int, ...] | None) -> None:
    """It is the next minute that the expression names; None if there is none."""
    found = next_time(expression, NOW.timestamp())
    assert found == (datetime(*expected).timestamp() if expected else None)
