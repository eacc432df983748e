"""The overview of a session: its phases, and invalid states."""

import json
from typing import Any

import pytest

from ccc.model.outcome import OUTCOMES
from ccc.model.overview import Overview
from ccc.model.state import Stop, parse

ME, GONE = 42, 43


def seen(client: dict[str, Any] | None = None, **raw: Any) -> Overview:
    """Return an overview with only one process alive, and claude's record of it."""
    return Overview("abc", parse(json.dumps(raw), "abc"), 100.0, lambda pid: pid == ME, client)


@pytest.mark.parametrize(
    ("raw", "phase"),
    [
        ({}, "ended"),
        ({"pid": GONE}, "ended"),
        ({"pid": ME}, "open"),
        ({"pid": ME, "enabled": True}, "open"),
        ({"pid": ME, "enabled": True, "outcome": "not_completed"}, "working"),
        ({"pid": ME, "enabled": False, "outcome": "not_completed"}, "open"),
        ({"pid": ME, "enabled": True, "outcome": "completed"}, "open"),
        ({"pid": ME, "stop": {"phase": "reviewing", "pid": ME}}, "reviewing"),
        ({"pid": GONE, "stop": {"phase": "checking", "pid": ME}}, "checking"),
        # a hook that was killed leaves its stop behind
        ({"pid": ME, "stop": {"phase": "reviewing", "pid": GONE}}, "open"),
        ({"pid": ME, "stop": {"phase": "dancing", "pid": ME}}, "open"),
        ({"pid": ME, "run": {"phase": "agent"}}, "working"),
        ({"pid": ME, "run": {"phase": "agent", "outcome": "completed"}}, "open"),
        ({"pid": GONE, "run": {"phase": "agent"}}, "ended"),
    ],
)
def test_phase(raw: dict[str, Any], phase: str) -> None:
    """The phase follows from the state and the living processes."""
    assert seen(**raw).phase == phase


OPENED = 1_795_039_226
DIALOG = {"status": "waiting", "waitingFor": "permission prompt", "statusUpdatedAt": OPENED * 1000}
ASKED = {"kind": "permission", "text": "Bash(make)", "at": OPENED - 1.5}


@pytest.mark.parametrize(
    ("client", "raw", "expected"),
    [
        (DIALOG, {"asks": ASKED}, ("waiting", "permission", "Bash(make)")),
        # an earlier dialog asked that
        (DIALOG, {"asks": {**ASKED, "at": OPENED - 60}}, ("waiting", "permission", "")),
        (DIALOG, {}, ("waiting", "permission", "")),
        ({**DIALOG, "waitingFor": "input needed"}, {}, ("waiting", "question", "")),
        ({"status": "waiting"}, {"pid": GONE, "asks": ASKED}, ("ended", "", "")),
        (DIALOG, {"stop": {"phase": "checking", "pid": ME}}, ("checking", "", "")),
        ({"status": "busy"}, {"asks": ASKED}, ("working", "", "")),
        ({"status": "busy"}, {"enabled": False}, ("open", "", "")),
        # the user interrupted the agent
        ({"status": "idle"}, {"outcome": "not_completed"}, ("open", "", "")),
        ({"status": "idle"}, {"outcome": "needs_user"}, ("open", "needs_user", "")),
        ({"status": "busy"}, {"outcome": "needs_user"}, ("working", "", "")),
        ({}, {"pid": GONE, "outcome": "plan"}, ("ended", "plan", "")),
        # an unattended run never asks
        (DIALOG, {"run": {"phase": "agent"}}, ("working", "", "")),
    ],
)
def test_questions(
    client: dict[str, Any], raw: dict[str, Any], expected: tuple[str, str, str]
) -> None:
    """Claude's record says whether it waits for the user; the state says what it last asked."""
    found = seen(client, **{"pid": ME, "enabled": True, **raw})
    assert (found.phase, found.waits_for, found.question) == expected
    assert (found.mark == "?") == (found.phase == "waiting" or raw.get("outcome") == "needs_user")


@pytest.mark.parametrize(
    ("stop", "outcome"),
    [
        ({"phase": "reviewing", "pid": GONE}, "cut_off"),
        ({"phase": "checking", "pid": GONE}, "cut_off"),
        ({"phase": "reviewing", "pid": ME}, "not_completed"),
        ({}, "not_completed"),
    ],
)
def test_a_review_that_was_killed(stop: dict[str, Any], outcome: str) -> None:
    """A stop that passed without a verdict doesn't show the previous verdict."""
    assert seen(pid=ME, enabled=True, outcome="not_completed", stop=stop).outcome == outcome
    assert seen(pid=ME, run={"outcome": "stuck"}, stop=stop).outcome == "stuck"


def test_a_run_tells_its_own() -> None:
    """An unattended run's own values win; the state says whether it is supervised."""
    run = {"task": "do it", "cwd": "/p", "outcome": "stuck", "agent_cost_usd": 2}
    found = seen(run=run, enabled=True, outcome="not_completed", request="earlier")
    assert (found.is_on, found.is_run, found.outcome) == (True, True, "stuck")
    assert seen(run=run, enabled=False).is_on is False
    assert (found.request, found.directory, found.agent_cost_usd) == ("do it", "/p", 2.0)


def test_marks() -> None:
    """Each outcome has a mark; an unknown one is marked as worth a look."""
    outcomes = ("completed", "not_completed", "needs_user", "", "of another version")
    assert [OUTCOMES[name].mark for name in outcomes] == ["✓", "✗", "?", "", "!"]


def test_everything_that_a_program_is_told() -> None:
    """Each field of the state has its name."""
    stop = {"phase": "checking", "check": "make test", "since": 7, "begun": 6, "pid": ME}
    found = seen(
        cwd="/p",
        provider="kimi",
        model="k2",
        enabled=True,
        count=2,
        limit=10,
        outcome="not_completed",
        cost_usd=0.5,
        request="do it",
        feedback=["first", "last"],
        created_at="2026-11-15",
        decided_at=3,
        pid=ME,
        stop={**stop, "receipts": [{"command": "true"}]},
    )
    assert found.values() == {
        "session_id": "abc",
        "conversation": "abc",
        "project": "/p",
        "provider": "kimi",
        "model": "k2",
        "unattended": False,
        "enabled": True,
        "phase": "checking",
        "waits_for": "",
        "question": "",
        "check": "make test",
        "since": 7.0,
        "round": 2,
        "iteration": 2,
        "limit": 10,
        "outcome": "not_completed",
        "cost_usd": 0.5,
        "cost_source": "claude's estimate",
        "cost_counts": "reviews",
        "request": "do it",
        "requests": ["do it"],
        "created_at": "2026-11-15",
        "changed_at": 100.0,
    }
    assert found.decided_at == 3.0
    assert (found.stop.begun, len(found.stop.receipts), found.mark) == (6.0, 1, "✗")
    assert found.is_stopping


def test_nothing_is_told_of_nothing() -> None:
    """Missing fields are empty."""
    found = seen(run={"elapsed_seconds": 9}, decided_at=4)
    assert (found.check, found.stop) == ("", Stop())
    assert (found.elapsed, found.since, found.agent_cost_usd) == (9.0, 4.0, 0.0)
    assert not found.is_stopping
