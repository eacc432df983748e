"""Which errors are temporary, and how long they are waited for."""

import pytest

from ccc.claude.turn import Turn

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
    """Rate limits, overload and broken connections are temporary; a wrong key is not."""
    turn = Turn(error=error, status=status)
    assert turn.is_passing is passes
    assert (turn.pause(1, 0.5, None, False) is not None) is passes


def test_longer_and_longer() -> None:
    """The pause doubles up to a maximum, with a random quarter more or less, and then ends."""
    busy = Turn(error="overloaded")
    pauses = [busy.pause(n, 0.5, None, False) for n in range(1, 10)]
    assert pauses == [2, 4, 8, 16, 32, 64, 128, 256, None]
    assert busy.pause(1, 0.0, None, False) == 1.5
    assert busy.pause(1, 1.0, None, False) == 2.5


def test_retry_after() -> None:
    """The pause is never shorter than the provider asks for."""
    assert Turn(error="x", status=429, retry_after=60).pause(1, 0.5, None, False) == 60


def test_deaths() -> None:
    """A claude that died is resumed at once, three times in a row."""
    died = Turn(error="exit -9", died=True)
    assert [died.pause(n, 0.5, None, False) for n in range(1, 5)] == [0, 0, 0, None]


def test_usage_limit() -> None:
    """A limit that ends late is waited for on request; one that ends soon always is."""
    turn, now = Turn(error=LIMIT, status=429), 1763200000.0 - 3600
    assert turn.limit_ends(now) == 1763200000
    assert turn.pause(1, 0.5, 3600.0, True) == 3602
    assert turn.pause(1, 0.5, 3600.0, False) is None
    assert turn.pause(1, 0.5, 60.0, False) == 62
    assert turn.pause(1, 0.5, 300.0, False) == 302
    assert turn.pause(1, 0.5, 300.1, False) is None
    assert turn.pause(9, 0.5, 60.0, True) is None


def test_when_a_limit_ends() -> None:
    """claude's own time takes precedence over the text's, which may be relative."""
    in_words = "usage limit: try again in 60s"
    assert Turn(error=in_words).limit_ends(100.0) == 160
    assert Turn(error=in_words, resets_at=120.0).limit_ends(100.0) == 120
    assert Turn(error="usage limit").limit_ends(100.0) is None


def test_jitter() -> None:
    """The same random value gives the same pause, a higher one a longer pause."""
    busy = Turn(error="overloaded")
    pauses = [busy.pause(8, chance, None, False) for chance in (0.0, 0.5, 1.0)]
    assert pauses == [192, 256, 320]


def test_claude_knows_best_when_a_limit_ends() -> None:
    """What the client says about the limit counts more than the error's text."""
    assert Turn(error=LIMIT, resets_at=5.0).limit_ends(0.0) == 5.0


@pytest.mark.parametrize(
    ("turn", "outcome"),
    [
        (Turn(error="x"), ""),
        (Turn(error="x", late=True), "minutes"),
        (Turn(error="x", spent=True), "cost"),
        (Turn(error="x", late=True, interrupted=True), "interrupted"),
    ],
)
def test_ended_from_outside(turn: Turn, outcome: str) -> None:
    """Time, money and the user end a turn for good."""
    assert turn.final_outcome == outcome


def test_uncounted() -> None:
    """A turn without an error and without tokens is uncounted."""
    assert Turn(text="Done.", tokens={"input": 0}).is_uncounted
    assert not Turn(text="Done.", tokens={"input": 0, "output": 3}).is_uncounted
    assert not Turn(error="401").is_uncounted
