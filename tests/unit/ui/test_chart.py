"""Charts have readable numbers, and bars that stay inside."""

import re

from hypothesis import given
from hypothesis import strategies as st

from ccc.ui.page.chart import Bar, nice, render


@given(st.floats(1e-9, 1e12))
def test_nice(value: float) -> None:
    """The end of a scale is a round number, not below the value and not far above it."""
    top = nice(value)
    assert value <= top <= 2 * value * 1.0001
    assert len(f"{top:.6g}".replace("0", "").replace(".", "").partition("e")[0]) <= 2


def test_nothing() -> None:
    """A chart without bars, or with only zeros, can be drawn."""
    assert nice(0) == nice(-3) == 1.0
    assert render("x", [], str, 0.0).endswith("</svg>")
    assert "nan" not in render("x", [Bar("1", 0.0, "0", "zero")], str, 0.0)


@given(st.lists(st.tuples(st.floats(0, 1e9), st.floats(0, 1e9)), max_size=30))
def test_bars_stay_inside(values: list[tuple[float, float]]) -> None:
    """No bar leaves the picture."""
    drawn = render("x", [Bar("1", up, "v", "t", down) for up, down in values], str, 0.0)
    height = float(re.findall(r'viewBox="0 0 320 (\d+)"', drawn)[0])
    for y, tall in re.findall(r' y="([-\d.]+)" width="[\d.]+" height="([\d.]+)"', drawn):
        assert -0.2 <= float(y) <= float(y) + float(tall) <= height + 0.2


def test_texts_are_escaped() -> None:
    """All texts in a chart are escaped."""
    drawn = render('<a"', [Bar("<b", 1.0, "<c", "<d")], lambda _: "<e", 0.0)
    assert not re.search(r"<[abcde][^a-z]", drawn.replace("<b>", ""))
    assert "&lt;d" in drawn
