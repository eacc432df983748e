"""Another Stop hook beside ccc's: it keeps the agent going after ccc found the work complete."""

import json

import pytest
from facts import Conversation, Hook
from supervised import (
    ASKED,
    DONE,
    WORKING,
    YES,
    Run,
    bash,
    judged,
    no,
    repository,
    requests,
    supervise,
    told,
)

from harness import Bench, CccProject
from harness.scripted import Rule, answer, every, said_last, tool_result

pytestmark = pytest.mark.real

AGAIN = "completed; another Stop hook continues"
TASK = "please write a.txt"


def continues(project: CccProject, times: int, extra: str = "") -> Hook:
    """Add a Stop hook to the user's settings that sends the agent back so many times."""
    body = f"{extra}\nif number <= {times}: say(decision='block', reason=f'Go on {{number}}.')"
    hook = Hook(project, body, name="other")
    project.write(".claude/settings.json", json.dumps(hook.settings()))
    return hook


def count_reviews(run: Run) -> int:
    """Return how many reviews there were."""
    return len(requests(run.project, ASKED))


@pytest.mark.journey
@pytest.mark.parametrize("has_git", [False, True])
def test_one_review_for_the_same_work(bench: Bench, has_git: bool) -> None:
    """The other hook blocks four times; the model is asked for one review, and ccc says why."""
    project = bench(*judged(YES))
    if has_git:
        repository(project)
    hook = continues(project, 4)
    run = supervise(project, TASK)
    assert count_reviews(run) == 1
    assert len(hook.calls) == 5
    first, *others = run.told
    assert "completed, stop allowed (round 1/10" in first
    assert len(others) == 4
    assert all(AGAIN in each for each in others)
    assert run.record.state["outcome"] == "still_completed"
    assert (run.record.state["count"], len(run.record.verdicts)) == (1, 1)
    assert "completed" in project.run("status").stdout


@pytest.mark.parametrize("change", ["echo x > b.txt", "git commit -q --allow-empty -m more"])
def test_a_changed_tree_is_reviewed(bench: Bench, change: str) -> None:
    """What the agent does for the other hook is new work: a new review, and it may say no."""
    project = bench(
        Rule(ASKED, [answer(YES), answer(no("not that")), answer(YES)]),
        Rule(every(WORKING, said_last("Go on 2.")), answer(bash(change))),
        Rule(every(WORKING, tool_result()), answer(DONE)),
        Rule(WORKING, answer(DONE)),
    )
    repository(project)
    for key in ("name", "email"):
        project.env[f"GIT_AUTHOR_{key.upper()}"] = project.env[f"GIT_COMMITTER_{key.upper()}"] = "x"
    continues(project, 2)
    run = supervise(project, TASK)
    assert count_reviews(run) == 3
    outcomes = [each["outcome"] for each in run.record.verdicts]
    assert outcomes == ["completed", "not_completed", "completed"]
    assert AGAIN in run.told[1]


def test_the_checks_run_at_each_stop(bench: Bench) -> None:
    """The checks run again; one that fails now sends the agent back."""
    project = bench(*judged(YES, YES))
    runs = project.root / "runs"
    check = f"echo x >> {runs}; test $(wc -l < {runs}) -ne 3"
    project.configure(supervisor={"checks": [check]})
    continues(project, 3)
    run = supervise(project, TASK)
    assert runs.read_text().count("x") == 4
    outcomes = [each["outcome"] for each in run.record.verdicts]
    assert outcomes == ["completed", "not_completed", "completed"]
    assert count_reviews(run) == 2


def test_a_plugin_that_counts_in_the_project(bench: Bench) -> None:
    """ralph-loop rewrites its state at each stop: ccc doesn't call that a change."""
    count = """
path = os.path.join(event["cwd"], ".claude", "ralph-loop.local.md")
os.makedirs(os.path.dirname(path), exist_ok=True)
for pause in range(40):
    with open(path + ".tmp.1", "w") as file:
        file.write(f"iteration: {number}.{pause}")
    os.replace(path + ".tmp.1", path)
    time.sleep(0.05)
"""
    project = bench(*judged(YES))
    repository(project)
    continues(project, 2, count)
    run = supervise(project, TASK)
    assert count_reviews(run) == 1
    assert not any("changed during the review" in each for each in run.told)
    assert sum(AGAIN in each for each in run.told) == 2


def test_goal(bench: Bench) -> None:
    """The rounds of a /goal cost one review while the work stays the same."""
    opinions = [answer(json.dumps({"ok": ok, "reason": "not yet"})) for ok in (False, False, True)]
    condition = said_last("has the following stopping condition been satisfied?")
    project = bench(Rule(condition, opinions), *judged(YES))
    with Conversation(project, program=(project.ccc, "kimi")) as conversation:
        conversation.ask("/supervisor")
        lines = conversation.ask("/goal a.txt exists")
        assert conversation.end() == 0
    assert len(requests(project, condition)) == 3
    assert len(requests(project, ASKED)) == 1
    assert [AGAIN in each for each in told(lines)] == [False, True, True]
