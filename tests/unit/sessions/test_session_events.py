"""What happened in a session between two looks at it."""

import json
from typing import Any

import pytest

from ccc.model.evidence import receipt
from ccc.model.overview import Overview
from ccc.model.round import Round
from ccc.model.state import parse
from ccc.sessions.events import Event, changes, round_events

ME = 42
FIRST = {"command": "make lint", "exit_code": 0, "seconds": 1.5}
SECOND = {"command": "make test", "exit_code": 1, "seconds": 2.0}
LINT, TEST = receipt("make lint", 0, 1.5), receipt("make test", 1, 2.0)
ON = {"enabled": True, "count": 2, "limit": 10, "pid": ME}


def seen(stop: dict[str, Any] | None = None, **raw: Any) -> Overview:
    """Return a look at a session whose process is alive."""
    under_way = {"stop": {"pid": ME, "begun": 5.0, **stop}} if stop else {}
    state = parse(json.dumps({**ON, **under_way, **raw}), "abc")
    return Overview("abc", state, 100.0, lambda pid: pid == ME)


@pytest.mark.parametrize(
    ("before", "after", "happened"),
    [
        (None, seen(), [Event("session", count="2/10")]),
        (None, seen(limit=0), [Event("session", count="2")]),
        (seen(), seen(), []),
        (seen(), seen(enabled=False), [Event("off")]),
        (seen(enabled=False), seen(), [Event("on")]),
        (seen(), seen(pid=7), [Event("ended")]),
        (seen(pid=7), seen(pid=7), []),
        (
            seen(),
            seen({"phase": "checking", "check": "make test", "receipts": [FIRST]}),
            [
                Event("stop", count="2/10"),
                Event("checked", receipt=LINT),
                Event("check", "make test"),
            ],
        ),
        (
            seen({"phase": "checking", "check": "make test", "receipts": [FIRST]}),
            seen({"phase": "reviewing", "receipts": [FIRST, SECOND]}),
            [Event("checked", receipt=TEST), Event("review", count="2/10")],
        ),
        (seen({"phase": "reviewing"}), seen({"phase": "reviewing"}), []),
        (
            seen({"phase": "checking", "check": "a"}),
            seen({"phase": "checking", "check": "a"}),
            [],
        ),
        # another stop starts over
        (
            seen({"phase": "reviewing", "receipts": [FIRST]}),
            seen({"phase": "reviewing", "receipts": [FIRST], "begun": 9.0}),
            [
                Event("stop", count="2/10"),
                Event("checked", receipt=LINT),
                Event("review", count="2/10"),
            ],
        ),
        (
            seen(),
            seen(outcome="plan", decided_at=9.0),
            [Event("verdict", "plan", "–", "2/10")],
        ),
        # decided with a separate record, which reports it
        (seen(), seen(outcome="completed", decided_at=9.0), []),
        (seen(outcome="plan"), seen(outcome="plan"), []),
        (
            seen(),
            seen(run={"cwd": "/p", "outcome": "agent_failed"}),
            [Event("verdict", "agent_failed", "!", "2/10")],
        ),
        (
            seen(run={"cwd": "/p", "outcome": "interrupted"}),
            seen(run={"cwd": "/p", "outcome": "interrupted"}),
            [],
        ),
    ],
)
def test_changes(before: Overview | None, after: Overview, happened: list[Event]) -> None:
    """Each difference is reported once, in order, and nothing else is."""
    assert list(changes(before, after)) == happened


def test_round_events() -> None:
    """The receipts not shown yet come first, then the verdict with its mark and count."""
    judged = Round(2, limit=10, outcome="completed", stopped_at=5.0, receipts=(LINT, TEST))
    verdict = Event("verdict", "completed", "✓", "2/10", round=judged)
    lint, test = Event("checked", receipt=LINT), Event("checked", receipt=TEST)
    watched = seen({"phase": "checking", "receipts": [FIRST]})
    assert list(round_events(judged, watched)) == [test, verdict]
    assert list(round_events(judged, None)) == [lint, test, verdict]
    assert list(round_events(judged, seen())) == [lint, test, verdict]
    unlimited = Round(3, outcome="stuck")
    assert list(round_events(unlimited, None)) == [
        Event("verdict", "stuck", "!", "3", round=unlimited)
    ]
