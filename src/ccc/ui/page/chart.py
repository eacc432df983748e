"""Small charts as inline SVG, with colours from the page's style sheet."""

import math
from collections.abc import Callable, Sequence
from html import escape

from msgspec import Struct

_WIDTH, _HEIGHT = 320, 164
_EDGE, _TOP, _BOTTOM = 4, 18, 24
_CHARACTER = 7.1  # the width of a digit in the style sheet's 11 px, in a wide font
_GAP = 7
_MOST_LABELS = 12
_WIDEST_BAR = 34.0
_LINE = 12.0


class Bar(Struct, frozen=True):
    """A bar: its label, its values above and below zero, and its description."""

    label: str
    up: float
    text: str
    description: str
    down: float = 0.0


def render(name: str, bars: Sequence[Bar], form: Callable[[float], str], most: float) -> str:
    """Render a bar chart, with bars above zero and, if there are negative values, below it."""
    top = most or nice(max((bar.up for bar in bars), default=0.0))
    below = nice(max(bar.down for bar in bars)) if any(bar.down for bar in bars) else 0.0
    inner = _HEIGHT - _TOP - _BOTTOM
    scale = inner / ((top + below) or 1.0)
    zero = _TOP + top * scale
    values = (top, top / 2, 0.0, -below)[: 4 if below else 3]
    left = _EDGE + _CHARACTER * max(len(form(value)) for value in values) + _GAP
    parts = [
        f'<svg class="chart" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" '
        f'aria-label="{escape(name)}">'
    ]
    for value in values:
        y = zero - value * scale
        kind = "axis" if value == 0 else "grid"
        ends = f'x1="{left:.1f}" x2="{_WIDTH - _EDGE}" y1="{y:.1f}" y2="{y:.1f}"'
        parts.append(f'<line class="{kind}" {ends}/>')
        if value >= 0 or below * scale > _LINE:
            parts.append(_text(left - _GAP, y + 3.5, form(value), "scale"))
    room = (_WIDTH - left - _EDGE) / max(1, len(bars))
    every = -(-len(bars) // _MOST_LABELS)
    for number, bar in enumerate(bars):
        middle = left + room * (number + 0.5)
        width = min(_WIDEST_BAR, room * 0.62)
        parts.append(f"<g><title>{escape(bar.description)}</title>")
        # the whole column reacts to the pointer
        parts.append(_box("hit", middle, room, y=_TOP, height=inner))
        up = bar.up * scale
        parts.append(_box("up", middle, width, y=zero - up, height=up))
        if bar.down:
            parts.append(_box("down", middle, width, y=zero, height=bar.down * scale))
        if every == 1 and bar.text:
            parts.append(_text(middle, zero - up - 5, bar.text, "value"))
        if number % every == 0:
            parts.append(_text(middle, _HEIGHT - 7, bar.label, "label"))
        parts.append("</g>")
    return "".join([*parts, "</svg>"])


def nice(value: float) -> float:
    """Return the smallest round number that is at least the value."""
    if value < 1e-12:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    return next(power * step for step in (1, 1.5, 2, 3, 4, 5, 6, 8, 10) if power * step >= value)


def _text(x: float, y: float, text: str, kind: str) -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}">{escape(text)}</text>'


def _box(kind: str, middle: float, width: float, *, y: float, height: float) -> str:
    return (
        f'<rect class="{kind}" x="{middle - width / 2:.1f}" y="{y:.1f}" width="{width:.1f}" '
        f'height="{max(0.0, height):.1f}" rx="2"/>'
    )
