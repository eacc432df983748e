"""When a usage limit ends, in the words of claude and of providers."""

import os
import time
from collections.abc import Iterator
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccc.claude.formats.usage_limit import stated_end

HERE = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 11, 15, 14, 30, tzinfo=HERE).timestamp()


@pytest.fixture(autouse=True)
def _in_shanghai() -> Iterator[None]:
    before = os.environ.get("TZ")
    os.environ["TZ"] = "Asia/Shanghai"
    time.tzset()
    yield
    if before is None:
        del os.environ["TZ"]
    else:
        os.environ["TZ"] = before
    time.tzset()


def at(*when: int, zone: str = "Asia/Shanghai") -> float:
    """Return a time in a zone as a timestamp."""
    return datetime(*when, tzinfo=ZoneInfo(zone)).timestamp()  # type: ignore[misc,arg-type]


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("Claude AI usage limit reached|1763200000", 1763200000.0),
        ("You've hit your session limit · resets 3pm (Asia/Shanghai)", at(2026, 11, 15, 15, 0)),
        ("You've hit your limit · resets 2pm", at(2026, 11, 16, 14, 0)),
        ("You've hit your weekly limit · resets Nov 20, 3:45pm", at(2026, 11, 20, 15, 45)),
        ("limit · resets 12am (UTC)", at(2026, 11, 16, 0, 0, zone="UTC")),
        ("spend limit reached · resets Aug 8", at(2027, 8, 8, 0, 0)),
        ("5-hour limit reached, resets at 18:05", at(2026, 11, 15, 18, 5)),
        (
            "API Error: Request rejected (429) · Usage limit reached for 5 hour. "
            "Your limit will reset at 2026-11-15 18:40:13",
            at(2026, 11, 15, 18, 40, 13),
        ),
        (
            "已达到 5 小时的使用上限。您的限额将在 2026-11-15 18:40:13 重置。",
            at(2026, 11, 15, 18, 40, 13),
        ),
        ("quota exceeded, resets 2026-11-15T10:00:00Z", at(2026, 11, 15, 10, 0, zone="UTC")),
        ("quota resets at 2026-11-15T10:00:00.250+0200", at(2026, 11, 15, 8, 0, zone="UTC")),
        ("usage limit: try again in 2 hours 5 minutes", NOW + 7500),
        ("Fast limit reached · resets in 1h 30m", NOW + 5400),
        ("rate limit exceeded. Please try again in 20s. Visit 5 pages", NOW + 20),
        ("limit reached, retry after 1.5 hours", NOW + 5400),
        ("额度已用完，请 3 小时后重试", NOW + 10800),
        ("limit · resets 3pm (No/Where)", at(2026, 11, 15, 15, 0)),
        ("quota resets 2026-11-15 10:00 UTC", at(2026, 11, 15, 10, 0, zone="UTC")),
        ("limit: try again in 1 hour, and 5 minutes and 10 seconds", NOW + 3910),
        ("limit: try again in 5 minutes or 2 hours", NOW + 300),
        ("limit resets when you like, it resets 3pm", at(2026, 11, 15, 15, 0)),
        ("limit resets 27:00, no: resets 3pm", at(2026, 11, 15, 15, 0)),
        ("limit resets 2:30pm", at(2026, 11, 16, 14, 30)),
        ("limit resets Nov 15, 2:30pm", at(2027, 11, 15, 14, 30)),
    ],
)
def test_stated(text: str, end: float) -> None:
    """An epoch, a date with a time, a span or a time of day is read in its zone."""
    assert stated_end(text, NOW) == end


@pytest.mark.parametrize(
    "text",
    [
        "API Error: Request rejected (429)",
        "rate limit|17632",
        "error|1763200000",
        "usage limit reached",
        "the limit resets soon",
        "your limit resets at 2026-13-45 99:99",
        "limit resets 27:99",
        "Nov 20, 3pm is a nice time to reset",
        "the limit: retry after 5",
        "the limit resets in " + "9" * 400 + " hours",
        "the limit resets in 999999999 days",
        "limit reached|9999999999",
    ],
)
def test_not_stated(text: str) -> None:
    """If no end is stated, none is made up."""
    assert stated_end(text, NOW) is None


@given(st.text(alphabet="limt resaging0123456789:-|TZ+() 小时后重置上限NovAug,pm/.", max_size=60))
def test_anything(text: str) -> None:
    """Any text gives a time or None, never an error."""
    end = stated_end("limit reset " + text, NOW)
    assert end is None or isinstance(end, float)


@pytest.mark.parametrize("part", ["1", "1天", "in 1", "resets ", "(A", "2026-11-15 "])
def test_bounded_time(part: str) -> None:
    """An error of any length is read quickly."""
    begun = time.process_time()
    stated_end("limit retry " + part * 50_000, NOW)
    assert time.process_time() - begun < 5


def test_whole_minutes() -> None:
    """A time of day means that whole minute, whatever the current second."""
    assert stated_end("limit resets 3pm", NOW + 12.5) == at(2026, 11, 15, 15, 0)
