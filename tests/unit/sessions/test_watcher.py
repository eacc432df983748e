"""What a watcher shows of sessions that were on record before it looked."""

import os
import time
from pathlib import Path
from typing import Any

import pytest

from ccc.sessions.watcher import Watcher
from ccc.storage.paths import Paths
from harness.records import Records, called, init, said

SESSION = "1a2b3c4d-0000-4000-8000-000000000001"
ALIVE: dict[str, Any] = {"pid": os.getpid(), "claude": "/x/py"}
RUN = {"task": "Port the importer", "phase": "agent"}


@pytest.fixture
def where(tmp_path: Path) -> Paths:
    """The paths of a user without sessions."""
    return Paths({"HOME": str(tmp_path), "CLAUDE_CONFIG_DIR": str(tmp_path)})


@pytest.fixture
def records(where: Paths) -> Records:
    """The user's records."""
    return Records(Path(where.state_dir))


def stop(phase: str) -> dict[str, Any]:
    """Return the state of a run whose stop is being decided."""
    return {"stop": {"phase": phase, "since": 6.0, "begun": 5.0, "pid": os.getpid()}}


def at(second: int, line: dict[str, Any]) -> dict[str, Any]:
    """Return a raw line with its time, as claude writes it."""
    return {**line, "timestamp": f"2026-11-18T09:57:{second:02}.618Z"}


def texts(watcher: Watcher) -> list[str]:
    """Return what the agent and the reviewer said and called, in the order shown."""
    kinds = ("agent", "tool", "says", "looks")
    return [each.text for each in watcher.watched[SESSION].events if each.kind in kinds]


class TestFirstLook:
    """Both files were on record before the first look."""

    @pytest.mark.parametrize(
        ("state", "last", "news"),
        [
            ({}, "agent", []),
            (stop("checking"), "agent", []),
            (stop("reviewing"), "review", ["Review.", "Read README.md"]),
            ({"run": {**RUN, "outcome": "completed"}}, "review", []),
        ],
        ids=["working", "checking", "reviewing", "over"],
    )
    def test_without_times(
        self, where: Paths, records: Records, state: dict[str, Any], last: str, news: list[str]
    ) -> None:
        """What is going on says which came last; only the review under way is news."""
        records.add(SESSION, [], outcome="not_completed", **{**ALIVE, "run": RUN, **state})
        review = [said("Review."), called("Read", file_path="README.md")]
        records.append(SESSION, "output.jsonl", init(), *review)
        records.append(SESSION, "agent.jsonl", init(), said("An old turn."))
        records.append(SESSION, "agent.jsonl", init(), said("Turn."), called("Bash", command="ls"))
        watcher = Watcher(where)
        told = [each.text for each in watcher.poll() if each.kind in ("agent", "says", "looks")]
        assert told == news
        turn, seen = ["Turn.", "Bash ls"], ["Review.", "Read README.md"]
        assert texts(watcher) == (seen + turn if last == "agent" else turn + seen)

    @pytest.mark.parametrize("state", [{}, stop("checking"), stop("reviewing")])
    @pytest.mark.parametrize("agent_at", [10, 30])
    def test_times(
        self, where: Paths, records: Records, state: dict[str, Any], agent_at: int
    ) -> None:
        """Where the lines have times, they decide: the next turn or review may not have begun."""
        records.add(SESSION, [], outcome="not_completed", run=RUN, **ALIVE, **state)
        records.append(SESSION, "agent.jsonl", init(), at(agent_at, said("Turn.")), {"type": "x"})
        records.append(SESSION, "output.jsonl", init(), at(20, said("Review.")), {"type": "result"})
        watcher = Watcher(where)
        told = watcher.poll()
        assert texts(watcher) == (["Review.", "Turn."] if agent_at > 20 else ["Turn.", "Review."])
        is_current = "stop" in state and state["stop"]["phase"] == "reviewing" and agent_at < 20
        assert ("Review." in [each.text for each in told]) is is_current


def test_both_between_two_looks(where: Paths, records: Records) -> None:
    """The end of a review precedes the turn that it started, also if both came at once."""
    records.add(SESSION, [], outcome="not_completed", run=RUN, **ALIVE, **stop("reviewing"))
    watcher = Watcher(where)
    watcher.poll()
    records.append(SESSION, "output.jsonl", said("The end of the review."))
    records.append(SESSION, "agent.jsonl", init(), said("I add it."))
    records.change(SESSION, stop={})
    watcher.poll()
    assert texts(watcher) == ["The end of the review.", "I add it."]


class TestQuestions:
    """A session that asked something, and others that changed later."""

    def add_newer(self, records: Records, number: int, **state: Any) -> None:
        """Add sessions, each of which changed later than all before."""
        known = len(list(records.directory.iterdir()))
        for each in range(known, known + number):
            records.add(f"other-{each}", [], time.time() - 10_000 + each, **state)

    def test_it_stays(self, where: Paths, records: Records) -> None:
        """It is watched and shown until its state changes, although others are newer."""
        old = time.time() - 9 * 86_400
        records.add(SESSION, [], old, outcome="needs_user")
        watcher = Watcher(where, most=3, keeps_questions=True)
        watcher.poll()
        self.add_newer(records, 5)
        watcher.poll()
        assert watcher.order == ["other-5", "other-4", "other-3", SESSION]
        assert [each.session for each in watcher.shown] == watcher.order
        later = Watcher(where, most=3, keeps_questions=True, questions=watcher.questions)
        later.poll()
        assert later.order == watcher.order
        records.add(SESSION, [], old + 1, outcome="completed")
        for each in (watcher, later):
            each.poll()
            assert each.order == ["other-5", "other-4", "other-3"]
            assert each.questions == set()

    def test_no_other_does(self, where: Paths, records: Records) -> None:
        """Sessions that asked nothing are watched only while they are among the newest."""
        self.add_newer(records, 3)
        asking = Watcher(where, most=3, keeps_questions=True)
        plain = Watcher(where, most=3)
        asking.poll()
        self.add_newer(records, 3, outcome="plan")
        for watcher in (asking, plain):
            watcher.poll()
            assert watcher.order == ["other-5", "other-4", "other-3"]
        self.add_newer(records, 3)
        plain.poll()
        assert plain.order == ["other-8", "other-7", "other-6"]
        asking.poll()
        assert asking.order == [f"other-{n}" for n in (8, 7, 6, 5, 4, 3)]
        asking.forget_others()
        assert sorted(asking.watched) == sorted(asking.order)

    def test_not_too_many(self, where: Paths, records: Records) -> None:
        """Of many questions the last 50 are kept besides the newest sessions."""
        self.add_newer(records, 60, outcome="needs_user")
        watcher = Watcher(where, most=60, keeps_questions=True)
        watcher.poll()
        self.add_newer(records, 60)
        watcher.poll()
        assert watcher.order == [f"other-{n}" for n in range(119, 9, -1)]
