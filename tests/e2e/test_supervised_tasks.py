"""Tasks of a supervised session: counts, limits, checks and modes, with the real claude."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from facts import STREAM, Conversation, claude, scripted_project
from supervised import (
    ASKED,
    DONE,
    FREELY,
    WORKING,
    YES,
    Record,
    Run,
    bash,
    journey,
    no,
    repository,
    requests,
    section,
    supervise,
    told,
)

from harness import Bench
from harness.scripted import Rule, answer, every, said_last

pytestmark = pytest.mark.real

TASK = "please write a.txt and b.txt"


@pytest.fixture(scope="module")
def talk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """Run four prompts: two supervised, then /supervisoroff, then an unsupervised one."""
    rules = (
        Rule(ASKED, [answer(no("once more")), answer(YES), answer(YES)], name="reviewer"),
        Rule(WORKING, answer(DONE), name="agent"),
    )
    with scripted_project(tmp_path_factory.mktemp("talk"), *rules) as project:
        results: dict[str, Any] = {"project": project}
        with Conversation(project, *FREELY, program=(project.ccc, "kimi")) as conversation:
            for prompt in ("/supervisor the first task", "the second task"):
                results[prompt] = told(conversation.ask(prompt))
                results[f"{prompt}, state"] = Record(project).state
            for prompt in ("/supervisoroff", "the last task"):
                results[prompt] = conversation.ask(prompt)
                results[f"{prompt}, state"] = Record(project).state
            assert conversation.end() == 0
        yield results


def test_the_count_starts_again_with_the_next_prompt(talk: dict[str, Any]) -> None:
    """The count is per task, so the second prompt's first review is number one."""
    assert [re.findall(r"\d+/10", text) for text in talk["/supervisor the first task"]] == [
        ["1/10"],
        ["2/10"],
    ]
    assert talk["/supervisor the first task, state"]["count"] == 2
    (second,) = talk["the second task"]
    assert "round 1/10" in second
    assert talk["the second task, state"]["count"] == 1


def test_feedback_of_an_earlier_task_is_not_repeated(talk: dict[str, Any]) -> None:
    """Only reviews of the same task contain its earlier feedback."""
    earlier = [section(r, "Feedback that the agent got") for r in requests(talk["project"], ASKED)]
    assert ["once more" in text for text in earlier] == [False, True, False]


def test_supervisoroff(talk: dict[str, Any]) -> None:
    """002/用户使用 /supervisoroff 命令: the state says off, and no later stop is reviewed."""
    assert talk["/supervisoroff, state"]["enabled"] is False
    assert told(talk["/supervisoroff"]) == told(talk["the last task"]) == []
    assert len(requests(talk["project"], ASKED)) == 3
    assert talk["the last task"][-1]["result"] == DONE


def test_switched_on_again_without_a_task(bench: Bench) -> None:
    """After `/supervisor` alone, the next prompt is the task, without earlier requests.

    A session that was just enabled shows no earlier outcome.
    """
    project = bench(Rule(ASKED, answer(YES)), Rule(WORKING, answer(DONE)))
    with Conversation(project, *FREELY, program=(project.ccc, "kimi")) as conversation:
        conversation.ask("/supervisor fix the failing test")
        conversation.ask("/supervisoroff")
        conversation.ask("/supervisor")
        now = Record(project).state
        assert (now["enabled"], now["outcome"], now["count"]) == (True, "", 0)
        conversation.ask("be lazy this time")
        assert conversation.end() == 0
    output = project.run("show").succeeded().stdout
    assert "be lazy this time" in output
    assert output.count("fix the failing test") == 1
    last = requests(project, ASKED)[-1]
    request_section = section(last, "What the user asked for")
    assert ("be lazy this time" in request_section, "fix the failing test" in request_section) == (
        True,
        False,
    )


def test_disabled_means_not_reviewed(talk: dict[str, Any]) -> None:
    """002/State 文件 Enabled 为 false 时跳过 Supervisor: the hook leaves no trace."""
    assert talk["the last task, state"] == talk["/supervisoroff, state"]
    invoked = [line for line in Record(talk["project"]).log if "supervisor-hook invoked" in line]
    assert len(invoked) == 3


def test_not_switched_on(bench: Bench) -> None:
    """002/State 文件 Enabled 为 false 时跳过: a session without supervision isn't reviewed."""
    project = bench(*journey())
    run = Run(project, project.run("kimi", *STREAM, "--include-hook-events", "hello"))
    (hook,) = run.hooks
    assert (hook["stdout"], hook["stderr"], hook["exit_code"]) == ("", "", 0)
    assert run.record.state["enabled"] is False
    assert (run.told, run.record.log, requests(project, ASKED)) == ([], [], [])


def test_no_state_file(bench: Bench) -> None:
    """002/State 文件不存在时默认跳过: an id without a state is not supervised."""
    project = bench(*journey())
    project.run("kimi", "-p", "hello").succeeded()
    Record(project).state_file.unlink()
    env = {"CCC_SUPERVISOR_ID": "some-other-id"}
    run = Run(project, claude(project, *STREAM, "--include-hook-events", "hello", env=env))
    (hook,) = run.hooks
    assert (hook["stdout"], hook["stderr"], hook["exit_code"]) == ("", "", 0)
    assert not list((project.claude_dir / "ccc").glob("supervisor-*"))


# --- limits


def test_the_limit_of_reviews(bench: Bench) -> None:
    """001/迭代次数限制: past the limit the stop is allowed without a review, with a message."""
    project = bench(
        Rule(ASKED, [answer(no("this")), answer(no("and that"))]), Rule(WORKING, answer(DONE))
    )
    project.configure(supervisor={"max_iterations": 2})
    run = supervise(project, TASK)
    *_, last = run.told
    assert last.startswith("[SUPERVISOR] limit of 2 rounds for this prompt reached. Stop allowed")
    assert len(requests(project, ASKED)) == 2
    assert run.record.state["count"] == 2
    assert run.hooks[-1]["exit_code"] == 0


@pytest.mark.parametrize(
    ("check", "end"), [("test -f a.txt", "pass"), ("test -f a.txt && false", "fail")]
)
def test_the_checks_run_at_the_limit(bench: Bench, check: str, end: str) -> None:
    """Past the limit, the last work is checked without another review."""
    project = bench(
        Rule(ASKED, answer(no("a.txt is missing"))),
        Rule(every(WORKING, said_last("a.txt is missing")), answer(bash("echo a > a.txt"))),
        Rule(WORKING, answer(DONE)),
    )
    # it also passes before the last work, or there would be no review
    check = f"test ! -f a.txt || {{ {check}; }}"
    project.configure(supervisor={"max_iterations": 1, "checks": [check]})
    run = supervise(project, TASK)
    ending = {"pass": "your checks pass. Stop", "fail": f"your checks fail: {check}. Stop"}[end]
    assert f"limit of 1 round for this prompt reached; {ending}" in run.told[-1]
    assert len(requests(project, ASKED)) == 1
    *_, last = run.record.verdicts
    assert (last["outcome"], last["allowed"], last["cost_usd"]) == ("iterations", True, 0)
    assert [each["exit_code"] == 0 for each in last["receipts"]] == [end == "pass"]
    assert run.record.state["count"] == 1


@pytest.mark.journey
def test_a_failing_check_costs_no_review(bench: Bench) -> None:
    """A failing check answers the stop with the end of its output, without a review."""
    project = bench(
        Rule(ASKED, [answer(YES)]),
        Rule(every(WORKING, said_last("b.txt is missing")), answer(bash("echo b > b.txt"))),
        Rule(WORKING, answer(DONE)),
    )
    check = "test -f b.txt || { echo b.txt is missing; exit 3; }"
    project.configure(supervisor={"checks": [check]})
    run = supervise(project, TASK)
    (back,) = requests(project, every(WORKING, said_last("b.txt is missing")))
    assert f"The check `{check}` fails with exit code 3." in back.last_text
    (review,) = requests(project, ASKED)
    assert f"- `{check}`: exit 0, " in section(review, "Checks that ccc ran")
    first, second = run.record.verdicts
    assert (first["tokens"], first["cost_usd"]) == ({}, 0.0)
    assert [r["exit_code"] for r in first["receipts"] + second["receipts"]] == [3, 0]


def test_plan_mode(bench: Bench) -> None:
    """In plan mode, the stop is allowed without a review, with a message."""
    project = bench(*journey())
    run = supervise(project, "hello", "--permission-mode", "plan")
    assert run.told == ["[SUPERVISOR] plan mode: stop allowed without a review"]
    assert requests(project, ASKED) == []


def test_stuck(bench: Bench) -> None:
    """The same feedback and an unchanged tree allow the stop as stuck."""
    project = bench(
        Rule(ASKED, [answer(no("Do it.")), answer(no("do  it."))]), Rule(WORKING, answer(DONE))
    )
    run = supervise(project, TASK)
    assert run.told[-1].startswith("[SUPERVISOR] stuck, stop allowed: the same feedback again")
    assert "do  it." in run.told[-1]


def test_work_on_ignored_files_is_work(bench: Bench) -> None:
    """After a change of a file that git ignores, the same feedback doesn't mean stuck."""
    project = bench(
        Rule(ASKED, [answer(no("Do it.")), answer(no("Do it.")), answer(YES)]),
        Rule(every(WORKING, said_last("Do it")), answer(bash("date +%N >> build/made.txt"))),
        Rule(WORKING, answer(DONE)),
    )
    repository(project)
    (project.directory / ".gitignore").write_text("build/\n")
    (project.directory / "build").mkdir()
    run = supervise(project, TASK)
    assert [v["outcome"] for v in run.record.verdicts] == [*["not_completed"] * 2, "completed"]
