"""What happened in a session between two looks at it."""

from typing import Any

import pytest

from ccc.sessions.events import Happening, between, of_round
from ccc.sessions.glance import Glance
from ccc.sessions.record import Round
from ccc.supervision.evidence import receipt

ME = 42
FIRST = {"command": "make lint", "exit_code": 0, "seconds": 1.5}
SECOND = {"command": "make test", "exit_code": 1, "seconds": 2.0}
LINT, TEST = receipt("make lint", 0, 1.5), receipt("make test", 1, 2.0)
ON = {"enabled": True, "count": 2, "limit": 10, "pid": ME}


def seen(stop: dict[str, Any] | None = None, **raw: Any) -> Glance:
    """A look at a session whose process lives."""
    under_way = {"stop": {"pid": ME, "begun": 5.0, **stop}} if stop else {}
    return Glance("abc", {**ON, **under_way, **raw}, 100.0, lambda pid: pid == ME)


@pytest.mark.parametrize(
    ("before", "after", "happened"),
    [
        (None, seen(), [Happening("session", count="2/10")]),
        (None, seen(limit=0), [Happening("session", count="2")]),
        (seen(), seen(), []),
        (seen(), seen(enabled=False), [Happening("off")]),
        (seen(enabled=False), seen(), [Happening("on")]),
        (seen(), seen(pid=7), [Happening("ended")]),
        (seen(pid=7), seen(pid=7), []),
        (
            seen(),
            seen({"phase": "checking", "check": "make test", "receipts": [FIRST]}),
            [
                Happening("stop", count="2/10"),
                Happening("checked", receipt=LINT),
                Happening("check", "make test"),
            ],
        ),
        (
            seen({"phase": "checking", "check": "make test", "receipts": [FIRST]}),
            seen({"phase": "reviewing", "receipts": [FIRST, SECOND]}),
            [Happening("checked", receipt=TEST), Happening("review", count="2/10")],
        ),
        (seen({"phase": "reviewing"}), seen({"phase": "reviewing"}), []),
        (
            seen({"phase": "checking", "check": "a"}),
            seen({"phase": "checking", "check": "a"}),
            [],
        ),
        # another stop begins anew
        (
            seen({"phase": "reviewing", "receipts": [FIRST]}),
            seen({"phase": "reviewing", "receipts": [FIRST], "begun": 9.0}),
            [
                Happening("stop", count="2/10"),
                Happening("checked", receipt=LINT),
                Happening("review", count="2/10"),
            ],
        ),
        (
            seen(),
            seen(outcome="plan", decided_at=9.0),
            [Happening("verdict", "plan", "–", "2/10")],
        ),
        # decided with a record of its own, which tells it
        (seen(), seen(outcome="completed", decided_at=9.0), []),
        (seen(outcome="plan"), seen(outcome="plan"), []),
        (
            seen(),
            seen(run={"cwd": "/p", "outcome": "agent_failed"}),
            [Happening("verdict", "agent_failed", "!", "2/10")],
        ),
        (
            seen(run={"cwd": "/p", "outcome": "interrupted"}),
            seen(run={"cwd": "/p", "outcome": "interrupted"}),
            [],
        ),
    ],
)
def test_between(before: Glance | None, after: Glance, happened: list[Happening]) -> None:
    """Each difference is told once, in order; what is as it was is not told."""
    assert list(between(before, after)) == happened


def test_of_round() -> None:
    """The receipts that nobody has seen, then the verdict with its mark and count."""
    judged = Round(2, limit=10, outcome="completed", stopped_at=5.0, receipts=(LINT, TEST))
    verdict = Happening("verdict", "completed", "✓", "2/10", round=judged)
    lint, test = Happening("checked", receipt=LINT), Happening("checked", receipt=TEST)
    watched = seen({"phase": "checking", "receipts": [FIRST]})
    assert list(of_round(judged, watched)) == [test, verdict]
    assert list(of_round(judged, None)) == [lint, test, verdict]
    assert list(of_round(judged, seen())) == [lint, test, verdict]
    unlimited = Round(3, outcome="stuck")
    assert list(of_round(unlimited, None)) == [
        Happening("verdict", "stuck", "!", "3", round=unlimited)
    ]
