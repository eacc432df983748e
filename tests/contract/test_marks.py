"""`ccc show --wrong`: marks on verdicts, where they show, and how they are taken back."""

import json
from typing import Any

from looking import DONE, SENT_BACK

from harness import CccProject
from harness.records import Records, story, verdict


def rounds(project: CccProject, session: str) -> list[dict[str, Any]]:
    """Return the rounds that `ccc show --json` prints."""
    shown = project.run("show", session, "--json").succeeded()
    found: list[dict[str, Any]] = json.loads(shown.stdout)["rounds"]
    return found


def wrong(project: CccProject, session: str) -> list[int]:
    """Return the numbers of the rounds that are marked as wrong."""
    return [each["number"] for each in rounds(project, session) if each["wrong"]]


def test_the_last_verdict(stubbed: CccProject, three_sessions: Records) -> None:
    """The mark shows wherever the verdict does, and names the command that makes a case of it."""
    before = rounds(stubbed, DONE)
    told = stubbed.run("show", DONE, "--wrong").succeeded().stdout
    assert "Marked as wrong: session 1a2b3c4d, Round 5/10 · completed." in told
    assert "  ccc eval add 1a2b3c4d-0 --truth not-done --kind KIND\n" in told
    assert wrong(stubbed, DONE) == [5]
    shown = stubbed.run("show", DONE).succeeded().stdout
    assert "✓ Round 5/10 · completed · wrong" in shown
    assert "Outcome      ✓ completed · wrong" in shown
    assert "✓ completed · wrong" in stubbed.run("history").succeeded().stdout
    history = json.loads(stubbed.run("history", "--json").succeeded().stdout)["sessions"]
    assert {each["session_id"]: each["wrong_verdicts"] for each in history}[DONE] == 1
    assert "completed · wrong" in stubbed.run("report", DONE, "-o", "-").succeeded().stdout
    # nothing else has changed
    assert [{**each, "wrong": False} for each in rounds(stubbed, DONE)] == before


def test_another_round(stubbed: CccProject, three_sessions: Records) -> None:
    """A round that sent the agent back without reason is done work."""
    told = stubbed.run("show", DONE, "--wrong", "--round", "2").succeeded().stdout
    assert "--truth done --kind KIND --round 2\n" in told
    assert wrong(stubbed, DONE) == [2]
    assert "wrong" not in stubbed.run("history").succeeded().stdout


def test_taken_back(stubbed: CccProject, three_sessions: Records) -> None:
    """`--right` takes the mark back; the record keeps every line."""
    file = three_sessions.file(SENT_BACK, "verdicts.jsonl")
    before = file.read_text()
    stubbed.run("show", SENT_BACK, "--wrong").succeeded()
    told = stubbed.run("show", SENT_BACK, "--right").succeeded().stdout
    assert told == "Marked as right: session 1a2b3c4d, Round 3/10 · not completed.\n"
    assert wrong(stubbed, SENT_BACK) == []
    assert file.read_text().startswith(before)
    assert len(file.read_text().splitlines()) == len(before.splitlines()) + 2


def test_the_same_number_twice(stubbed: CccProject, records: Records) -> None:
    """In a session of two tasks, a number means the later task's round."""
    later = verdict(1, 2_000, "completed", prompt_id="p2", task="p2")
    records.add(DONE, [*story(), later])
    stubbed.run("show", DONE, "--wrong", "--round", "1").succeeded()
    assert [each["wrong"] for each in rounds(stubbed, DONE)] == [False] * 5 + [True]


def test_what_can_be_marked(stubbed: CccProject, records: Records) -> None:
    """A limit or an interruption is no verdict."""
    records.add(DONE, [story()[1], verdict(2, 900, "iterations"), verdict(3, 950, "interrupted")])
    assert "Round 2/10" in stubbed.run("show", DONE, "--wrong").succeeded().stdout
    no_round = stubbed.run("show", DONE, "--wrong", "--round", "3")
    assert (no_round.code, no_round.stdout) == (1, "")
    assert "has no verdict in round 3" in no_round.stderr
    assert "Rounds with a verdict: 2" in no_round.stderr
    records.add(SENT_BACK, [verdict(1, 900, "interrupted")])
    assert "has no verdict yet" in stubbed.run("show", SENT_BACK, "--wrong").stderr
    alone = stubbed.run("show", DONE, "--round", "2")
    assert (alone.code, "--round needs --wrong or --right" in alone.stderr) == (1, True)
