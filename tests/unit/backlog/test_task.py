"""Tasks of the queue: their branches, the budget, and what the end of a run means."""

import pytest

from ccc import words
from ccc.backlog import task_run
from ccc.backlog.admission import Budget, Spent, parse_budget
from ccc.backlog.runs import Claim
from ccc.backlog.task import QueuedTask, is_url, slug
from ccc.backlog.task_run import RunRecord, assign

TASK = QueuedTask(
    id=7, text="Fix the parser\n\nIt fails.", repo="/repo", checks=("make test",), runs=1
)
CLAIM = Claim(run=3, task=7, fence=1, provider="kimi", reserved_usd=0.0)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Fix the parser", "fix-the-parser"),
        ("修复解析器", "task"),
        ("Résumé: naïve café!", "resume-naive-cafe"),
        ("a" * 80, "a" * 32),
        ("--force; rm -rf /", "force-rm-rf"),
        ("one two three four five six seven eight", "one-two-three-four-five-six"),
    ],
)
def test_slugs(text: str, expected: str) -> None:
    """A branch's name has a few plain words of the task."""
    assert slug(text) == expected


@pytest.mark.parametrize(
    ("repo", "expected"),
    [
        ("https://forge.example/a/b.git", True),
        ("ssh://git@forge.example/a", True),
        ("git@forge.example:a/b.git", True),
        ("file:///srv/a.git", True),
        ("/home/me/a", False),
        ("/home/me/a@b:c", False),
        ("relative/path", False),
    ],
)
def test_urls(repo: str, expected: bool) -> None:
    """A repository is a URL or a directory."""
    assert is_url(repo) is expected


def test_titles() -> None:
    """A list shows the whole task on one line, a commit its first line."""
    assert TASK.title == "Fix the parser It fails."
    assert TASK.headline == "Fix the parser"
    assert TASK.branch_name == "ccc/7-fix-the-parser-it-fails"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("20/day", ("per_day", 20.0)),
        ("$2.50/DAY", ("per_day", 2.5)),
        ("100", ("total", 100.0)),
        ("0", ("total", 0.0)),
        ("-1", None),
        ("20 per day", None),
        ("nan", None),
        ("1e9", None),
        ("", None),
    ],
)
def test_budgets(text: str, expected: tuple[str, float] | None) -> None:
    """A budget is an amount per day or in total."""
    assert parse_budget(text) == expected


def test_what_is_left() -> None:
    """The smaller of both budgets counts, and nothing is less than nothing."""
    spent = Spent(today=6.0, total=40.0)
    assert Budget().left(spent) is None
    assert Budget(per_day=10.0).left(spent) == 4.0
    assert Budget(per_day=10.0, total=42.0).left(spent) == 2.0
    assert Budget(per_day=5.0).left(spent) == 0.0


def record(outcome: str, provider: str = "kimi") -> RunRecord:
    """Return what a run has recorded."""
    return RunRecord("s", provider, outcome, cost_usd=1.5, cost_source="")


def test_a_new_run() -> None:
    """The first run gets the task, its checks and its provider."""
    plan = assign(TASK, CLAIM, None)
    assert plan is not None
    assert plan.arguments == ("--no-wait", "--provider=kimi", "--check=make test")
    assert plan.text == TASK.text


@pytest.mark.parametrize("outcome", ["", "interrupted", "needs_user", "agent_failed"])
def test_a_session_goes_on(outcome: str) -> None:
    """An interrupted run continues its session, with the rest of its budget."""
    claim = Claim(run=3, task=7, fence=2, provider="kimi", reserved_usd=2.0)
    plan = assign(TASK, claim, record(outcome))
    assert plan is not None
    assert plan.arguments == (
        *("--continue", "--no-wait", "--max-cost-usd=3.5"),
        "--provider=kimi",
    )
    assert (plan.text, plan.session, plan.session_usd) == ("", "s", 1.5)


@pytest.mark.parametrize(
    "known", [record("stuck"), record("iterations"), record("interrupted", "glm")]
)
def test_a_new_session_looks_at_earlier_work(known: RunRecord) -> None:
    """After a dead end or on another provider, a new session starts in the same worktree."""
    plan = assign(TASK, CLAIM, known)
    assert plan is not None
    assert "--continue" not in plan.arguments
    assert plan.session == ""
    assert plan.text.startswith(TASK.text)
    assert plan.text.endswith(words.say("worker.begun"))


def test_completed_work_is_only_delivered() -> None:
    """Work that is completed doesn't run again; an answer to it does."""
    assert assign(TASK, CLAIM, record("completed")) is None
    task = QueuedTask(id=7, text="Fix it", repo="/repo", message="also the README")
    plan = assign(task, CLAIM, record("completed"))
    assert plan is not None
    assert "also the README" in plan.text


@pytest.mark.parametrize(
    ("result", "state"),
    [
        ({"outcome": "completed"}, "completed"),
        ({"outcome": "needs_user"}, "needs_input"),
        ({"outcome": "plan"}, "needs_input"),
        ({"outcome": "cancelled"}, "cancelled"),
        ({"outcome": "released"}, "waiting"),
        ({"outcome": "stuck"}, "failed"),
        ({"outcome": "agent_failed"}, "failed"),
        ({"outcome": "agent_failed", "api_status": 429}, "waiting"),
        ({"outcome": "agent_failed", "api_status": 401}, "failed"),
        ({"outcome": "agent_failed", "limit_ends": 99.0}, "waiting"),
        ({"outcome": "not_delivered"}, "failed"),
        ({}, "failed"),
    ],
)
def test_states(result: dict[str, object], state: str) -> None:
    """The end of a run decides the state of its task."""
    assert task_run.state_after(result) == state


def test_pauses() -> None:
    """A provider is left alone until its limit ends, or for a while."""
    limited = {"outcome": "agent_failed", "api_status": 429}
    assert task_run.pause_until(limited, 100.0) == 400.0
    assert task_run.pause_until({**limited, "limit_ends": 900.0}, 100.0) == 900.0
    # clocks differ
    assert task_run.pause_until({**limited, "limit_ends": 50.0}, 100.0) == 130.0
    assert task_run.pause_until({**limited, "limit_ends": 1e12}, 0.0) == 7 * 86_400.0
    assert task_run.pause_until({"outcome": "completed", "api_status": 429}, 100.0) == 0.0
