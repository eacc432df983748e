"""`ccc statusline`: what it prints in each state of a session, without ever failing."""

import json
import time
from typing import Any

import pytest
from looking import DONE, LANGUAGES, SENT_BACK, at_work

from harness import CccProject, check_golden
from harness.records import Records

STATES: dict[str, dict[str, Any]] = {
    "off": {"enabled": False, "outcome": "", "count": 0},
    "on": {"outcome": "", "count": 0, "cost_usd": 0},
    "sent-back": {"outcome": "not_completed", "count": 2},
    "completed": {},
    "stuck": {"outcome": "stuck"},
    "checking": at_work("checking", "make test"),
    "reviewing": at_work(),
}


@LANGUAGES
def test_the_status_line(stubbed: CccProject, records: Records, language: str) -> None:
    """The status line shows each state of a session."""
    lines = []
    for name, state in STATES.items():
        records.add(DONE, **{**state, **({} if "stop" not in state else at_work_now(state))})
        done = stubbed.run(
            "statusline", env={"CCC_LANG": language}, stdin=json.dumps(claude_says(DONE))
        )
        lines.append(f"{name}: {done.succeeded().stdout.strip()}")
    check_golden(f"look/statusline.{language}.txt", "\n".join(lines), {r"0:0\d": "0:0N"})


def at_work_now(state: dict[str, Any]) -> dict[str, Any]:
    """Return the same stop, started at the current time."""
    return {**state, "stop": {**state["stop"], "since": time.time()}}


def claude_says(session: str) -> dict[str, Any]:
    """Return what claude passes to its status line."""
    model = {"id": "kimi-k2.7-code", "display_name": "Kimi K2.7"}
    return {"session_id": session, "cwd": "/x", "model": model, "cost": {"total_cost_usd": 1.5}}


@pytest.mark.parametrize(
    ("stdin", "env"),
    [
        ("", {}),
        ("{", {}),
        ("[]", {}),
        ('{"session_id": 3}', {}),
        ('{"session_id": "../../etc/passwd"}', {}),
        ("{}", {"CCC_SUPERVISOR_ID": "../x"}),
        ("{}", {"CCC_SUPERVISOR_ID": "of-another-home"}),
        ("{}", {"HOME": None}),
    ],
)
def test_the_status_line_is_never_in_the_way(
    stubbed: CccProject, three_sessions: Records, stdin: str, env: dict[str, str | None]
) -> None:
    """For an unknown session it prints nothing, and it never fails."""
    done = stubbed.run("statusline", stdin=stdin, env=env).succeeded()
    assert (done.stdout, done.stderr) == ("", "")


def test_whose_status_line(stubbed: CccProject, three_sessions: Records) -> None:
    """An id that the user chose wins over that of claude's conversation."""
    file = three_sessions.directory / f"supervisor-{SENT_BACK}.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "is_named": True}))
    for env, mark in (({}, "✓"), ({"CCC_SUPERVISOR_ID": SENT_BACK}, "✗")):
        done = stubbed.run("statusline", stdin=json.dumps(claude_says(DONE)), env=env)
        assert mark in done.succeeded().stdout


def test_an_id_is_no_path(stubbed: CccProject, three_sessions: Records) -> None:
    """An invalid session name doesn't lead to a file."""
    (three_sessions.directory / "supervisor-x").mkdir()
    state = (three_sessions.directory / f"supervisor-{DONE}.json").read_text()
    (three_sessions.directory / "supervisor-x" / "y.json").write_text(state)
    assert stubbed.run("statusline", stdin='{"session_id": "x/y"}').succeeded().stdout == ""


def test_a_status_line_without_an_end(stubbed: CccProject, three_sessions: Records) -> None:
    """Endless input is not read forever."""
    done = stubbed.run("statusline", stdin='{"session_id": "' + "x" * 5_000_000).succeeded()
    assert (done.stdout, done.stderr) == ("", "")


def test_a_status_line_that_nobody_reads(stubbed: CccProject, three_sessions: Records) -> None:
    """A closed pipe is no error."""
    code = f"{stubbed.ccc} statusline >&- 2>&- <<< '{json.dumps(claude_says(DONE))}'"
    assert stubbed.run("-c", code, program="/bin/bash").code == 0
