"""Durations and sizes as people write them."""

import pytest

from ccc.text import amounts


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("1m", 60), ("12h", 43_200), ("30d", 2_592_000), ("2w", 1_209_600), (" 0D ", 0)],
)
def test_seconds(text: str, seconds: float) -> None:
    """A duration is a number and a unit."""
    assert amounts.seconds(text) == seconds
    assert isinstance(amounts.seconds(text), float)


@pytest.mark.parametrize("text", ["", "d", "1", "-1d", "1.5h", "1 d", "1s", "1234567m", "١d"])
def test_no_length(text: str) -> None:
    """Anything else is an error that names the input."""
    with pytest.raises(ValueError, match=f"^{text}$"):
        amounts.seconds(text)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0m"),
        (59.9, "0m"),
        (3_599, "59m"),
        (3_600, "1h"),
        (86_399, "23h"),
        (86_400, "1d"),
        (604_800, "7d"),
    ],
)
def test_short(seconds: float, text: str) -> None:
    """The largest whole unit is used."""
    assert amounts.short(seconds) == text


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (1_000, "1.0 kB"),
        (999_900, "999.9 kB"),
        (1_000_000, "1.0 MB"),
        (999_900_000, "999.9 MB"),
        (1_000_000_000, "1.0 GB"),
        (1_500_000_000_000, "1500.0 GB"),
    ],
)
def test_size(count: int, text: str) -> None:
    """Sizes use powers of a thousand."""
    assert amounts.size(count) == text
