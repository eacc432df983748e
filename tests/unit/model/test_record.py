"""The rounds of a session, from its lines, and what happened between two looks."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from ccc.model import evidence, record
from ccc.model.cost import ESTIMATE
from ccc.model.evidence import Evidence, from_record, to_record
from ccc.model.overview import Figures, Overview
from ccc.model.record import SessionRecord
from ccc.model.round import Diff, Round, to_line
from ccc.model.state import parse
from ccc.sessions import events
from ccc.ui import formatting
from harness.records import MOMENT, PRICED, TASK, receipt, state, story, verdict

ROUNDS = record.rounds(map(json.dumps, story()))


def seen(**more: Any) -> Overview:
    """Return the overview of the story's session."""
    return Overview(
        "abc", parse(json.dumps(state("abc", **more)), "abc"), MOMENT, lambda pid: pid == 7
    )


def test_the_rounds() -> None:
    """A record is read back as it was written."""
    first, second, *_ = ROUNDS
    assert [each.number for each in ROUNDS] == [1, 2, 3, 4, 5]
    assert not first.was_reviewed
    assert [r.passed for r in first.receipts] == [True, False]
    assert second.cached == pytest.approx(38_900 / 41_212)
    assert (second.cost_usd, second.request, second.limit) == (0.0189, TASK, 10)
    assert second.diff == Diff(3, 88, 6)
    assert second.took == pytest.approx(31.4 + 2.1 + 6.1)
    assert second.decided_at == MOMENT + 515


def test_lines_that_are_none() -> None:
    """A truncated or foreign line is skipped."""
    whole = json.dumps(story()[0])
    lines = ["", whole[:50], "[]", "null", '{"iteration": "x"}', "\x00", whole, "[" * 100_000]
    assert record.rounds(lines) == ROUNDS[:1]


def test_records_of_version_1() -> None:
    """Records that the first version wrote are read and written unchanged, but for their times."""
    lines = (Path(__file__).parents[1] / "model/version1/verdicts.jsonl").read_text().splitlines()
    for line, each in zip(lines, record.rounds(lines), strict=True):
        written = json.loads(json.dumps(to_line(each)))
        assert {**written, "time": json.loads(line)["time"]} == {
            "needs_user": False,
            **json.loads(line),
        }
    reviewed, checked = record.rounds(lines)
    assert [receipt.mark for receipt in reviewed.receipts] == ["✓", "✓", "!"]
    assert (reviewed.number, reviewed.diff, reviewed.output) == (1, Diff(1, 1, 0), (0, 435))
    assert (checked.has_verdict, checked.completed, checked.limit) == (True, None, 10)


def test_an_old_record() -> None:
    """A record of an earlier ccc has fewer fields."""
    (old,) = record.rounds(['{"iteration": 2, "outcome": "completed", "cost_usd": 0.5}'])
    assert old == Round(2, outcome="completed", cost_usd=0.5, cost_source="claude's estimate")
    assert (old.cached, old.diff, old.was_reviewed) == (None, None, False)


@given(st.dictionaries(st.sampled_from(sorted(story()[0])), st.from_type(object) | st.none()))
def test_no_record_is_too_strange(changes: dict[str, Any]) -> None:
    """Any line is a round or None."""
    value = {**story()[1], **changes}
    record.rounds([json.dumps(value, default=str)])


def test_the_sums() -> None:
    """Costs, shares and time include all rounds."""
    session = SessionRecord(seen(), ROUNDS)
    assert session.reviews == 4
    assert session.figures.cost_usd == pytest.approx(0.0189 + 0.0214 + 0.0173 + 0.0196)
    assert session.cached == pytest.approx(190_700 / 197_248)
    assert session.seconds == 1_330
    assert session.outcome == "completed"


def test_tasks_are_told_apart() -> None:
    """Each prompt is a task, and the time between two doesn't count."""
    other = verdict(1, 9_000, "completed", prompt_id="p2", request="b", task_started=MOMENT + 8_900)
    session = SessionRecord(seen(), (*ROUNDS, *record.rounds([json.dumps(other)])))
    assert [(task.request, len(task.rounds)) for task in session.tasks] == [(TASK, 5), ("b", 1)]
    assert session.seconds == 1_330 + 100


# --- what happened


def stop(phase: str, check: str = "", receipts: int = 0, begun: float = 5.0) -> dict[str, Any]:
    """Return a stop in progress."""
    done = [receipt(f"check {number}", 0, 1.0) for number in range(receipts)]
    return {"phase": phase, "check": check, "begun": begun, "pid": 7, "receipts": done}


def kinds(before: dict[str, Any] | None, after: dict[str, Any]) -> list[str]:
    """Return the kinds of events between the two states."""
    first = None if before is None else seen(**before)
    found = events.changes(first, seen(**after))
    return [f"{w.kind} {w.text or (w.receipt.name if w.receipt else '')}".strip() for w in found]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (None, {}, ["session"]),
        ({}, {}, []),
        ({"enabled": False}, {"enabled": True}, ["on"]),
        ({"enabled": True}, {"enabled": False}, ["off"]),
        ({"pid": 7}, {"pid": 0}, ["ended"]),
        ({}, {"stop": stop("checking")}, ["stop"]),
        ({}, {"stop": stop("checking", "a")}, ["stop", "check a"]),
        ({"stop": stop("checking")}, {"stop": stop("checking", "a")}, ["check a"]),
        (
            {"stop": stop("checking", "a")},
            {"stop": stop("checking", "c", 2)},
            ["checked check 0", "checked check 1", "check c"],
        ),
        (
            {"stop": stop("checking", "c", 1)},
            {"stop": stop("reviewing", "", 2)},
            ["checked check 1", "review"],
        ),
        ({"stop": stop("reviewing")}, {"stop": stop("reviewing")}, []),
        # the next stop began between two looks
        ({"stop": stop("reviewing")}, {"stop": stop("reviewing", begun=9.0)}, ["stop", "review"]),
        ({"decided_at": 1}, {"decided_at": 2, "outcome": "plan"}, ["verdict plan"]),
        ({"decided_at": 1}, {"decided_at": 2, "outcome": "completed"}, []),
        ({"outcome": ""}, {"outcome": "interrupted"}, ["verdict interrupted"]),
    ],
)
def test_between(before: dict[str, Any] | None, after: dict[str, Any], expected: list[str]) -> None:
    """Each change is reported once, however much happened between two looks."""
    assert kinds(before, after) == expected


def test_receipts_are_told_once() -> None:
    """A verdict brings the receipts that were not shown yet, and only those."""
    each = ROUNDS[0]
    looked = seen(stop=stop("checking", "x", receipts=1, begun=each.stopped_at))
    assert [w.kind for w in events.round_events(each, looked)] == ["checked", "verdict"]
    other = seen(stop=stop("checking", "x", receipts=1, begun=1.0))
    for last in (other, None):
        assert [w.kind for w in events.round_events(each, last)] == [
            "checked",
            "checked",
            "verdict",
        ]


def test_every_field_of_a_round() -> None:
    """Each field is read as written; a line with an invalid value is skipped."""
    whole = verdict(
        *(2, 5, "not_judged", "f"),
        allowed=True,
        failure="timeout",
        tokens={"input": 3, "output": 2},
        seconds=1.5,
        changed_tree=True,
        receipts=[receipt("make", 0, 1.0), {"command": ""}],
    )
    (found,) = record.rounds([json.dumps(whole)])
    assert (found.allowed, found.failure, found.changed_tree) == (True, "timeout", True)
    assert (found.tokens, found.seconds) == ({"input": 3, "output": 2}, 1.5)
    bare = found.receipts[1]
    assert (bare.name, bare.exit_code, bare.output, bare.output_file, bare.head) == (
        *("", None, "", "", ""),
    )
    assert record.rounds([json.dumps({**whole, "allowed": 1})]) == ()


def test_each_number_once() -> None:
    """A number that a continued run reused is shown in order; what is no round has none."""
    outcomes = ["not_completed", "needs_user", "interrupted", "stuck", "iterations"]
    numbers = [1, 2, 2, 2, 2]
    found = record.renumber(
        Round(number, prompt_id="p", outcome=outcome)
        for number, outcome in zip(numbers, outcomes, strict=True)
    )
    assert [each.number for each in found] == [1, 2, 3, 3, 3]
    other = record.renumber([*found, Round(1, prompt_id="q", outcome="completed")])
    assert other[-1].number == 1


def test_what_is_no_round() -> None:
    """A limit and an interruption are on record, but are not counted."""
    extra = [
        verdict(5, 1_400, "interrupted", seconds=3.0),
        verdict(5, 1_500, "iterations", receipts=[receipt("make test", 1, 1.0)]),
    ]
    session = SessionRecord(seen(), (*ROUNDS, *record.rounds(map(json.dumps, extra))))
    assert (len(session.rounds), session.figures.rounds, session.reviews) == (7, 5, 4)
    assert [each.is_judged for each in session.rounds[-2:]] == [False, False]


def test_what_was_asked_later() -> None:
    """A task over several prompts is one, and each request comes before its first round."""
    asked = [["do it"], ["do it", "go on"], ["do it", "go on"], ["do it", "go on", "quickly"]]
    lines = [
        {
            **verdict(1, 10 * n, "not_completed"),
            "prompt_id": f"p{n}",
            "task": "p0",
            "requests": each,
        }
        for n, each in enumerate(asked)
    ]
    (task,) = SessionRecord(seen(), record.rounds(map(json.dumps, lines))).tasks
    assert (task.request, task.requests) == ("do it", ("do it", "go on", "quickly"))
    assert [later for later, _ in task.rounds_with_requests] == [(), ("go on",), (), ("quickly",)]


def test_figures() -> None:
    """The rounds and costs are those on record, with the sources of their prices."""
    priced = [replace(each, cost_source="kimi's list") for each in ROUNDS]
    run = {"cwd": "/", "agent_cost_usd": 1.5}
    session = SessionRecord(seen(run=run), ROUNDS)
    assert session.figures.cost_source == f"{ESTIMATE}, {PRICED}"
    for found in (Figures(priced, 1.5, ""), session.figures):
        assert (found.rounds, found.agent_usd) == (5, 1.5)
        assert found.reviews_usd == pytest.approx(0.0772)
        assert found.cost_usd == pytest.approx(1.5772)
    both = Figures(priced, 1.5, ESTIMATE)
    assert (both.reviews_source, both.cost_source) == ("kimi's list", f"{ESTIMATE}, kimi's list")


@pytest.mark.parametrize("raw", [None, [], [1], [1, 2, 3], ["a", {}], "x", {}])
def test_a_part_of_the_output_that_is_none(raw: object) -> None:
    """Only two positions in order name a part of a file."""
    assert not [
        each for each in record.rounds([json.dumps({"iteration": 1, "output": raw})]) if each.output
    ]


def test_evidence_of_another_kind() -> None:
    """Evidence that is no check is recorded by name and summary, and read back unchanged."""
    found = Evidence("todos", False, summary="2 TODOs", output="a.py:1")
    assert from_record(to_record(found)) == found
    assert formatting.evidence_line(found) == "✗ todos  2 TODOs"
    check = evidence.receipt("make", 2, 1.5, head="abc", dirty=True, output="x", output_file="/f")
    assert from_record(to_record(check)) == check
