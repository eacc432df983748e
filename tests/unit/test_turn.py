"""Which errors pass, and how long they are waited for."""

import pytest

from ccc.domain.turn import Patience, Turn

LIMIT = "Claude AI usage limit reached|1763200000"


@pytest.mark.parametrize(
    ("error", "status", "passes"),
    [
        ("API Error: Request rejected (429)", 429, True),
        ("API Error: 500 Internal server error", 500, True),
        ("API Error: 529 Overloaded", 529, True),
        ("API Error: Connection closed mid-response", None, True),
        ("Request timed out", None, True),
        ("Not logged in", 401, False),
        ("API Error: 400 prompt is too long", 400, False),
        ("error_max_turns", None, False),
    ],
)
def test_which_errors_pass(error: str, status: int | None, passes: bool) -> None:
    """Rate limits, overload and broken connections pass; a wrong key does not."""
    turn = Turn(error=error, status=status)
    assert turn.is_passing is passes
    assert (Patience().pause(turn, 1, 0.5, None) is not None) is passes


def test_longer_and_longer() -> None:
    """The pause doubles up to a ceiling, a fourth more or less by chance; then it is over."""
    patience = Patience(first_seconds=2, most_seconds=10, tries=4)
    busy = Turn(error="overloaded")
    pauses = [patience.pause(busy, n, 0.5, None) for n in range(1, 6)]
    assert pauses == [2, 4, 8, 10, None]
    assert patience.pause(busy, 1, 0.0, None) == 1.5
    assert patience.pause(busy, 1, 1.0, None) == 2.5


def test_retry_after() -> None:
    """It is never shorter than the provider asks for."""
    assert Patience().pause(Turn(error="x", status=429, retry_after=60), 1, 0.5, None) == 60


def test_deaths() -> None:
    """A claude that died is resumed at once, three times in a row."""
    died = Turn(error="exit -9", died=True)
    assert [Patience().pause(died, n, 0.5, None) for n in range(1, 5)] == [0, 0, 0, None]


def test_usage_limit() -> None:
    """A usage limit with a stated end is waited for where that is wanted, and only there."""
    turn = Turn(error=LIMIT, status=429)
    assert turn.resets_at == 1763200000
    assert Patience().pause(turn, 1, 0.5, 3600.0) == 3600
    assert Patience().pause(turn, 1, 0.5, None) is None
    assert Turn(error="rate limit|1763200000").resets_at is None
