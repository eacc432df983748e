"""`ccc eval` on the real client: reviewers that are right, wrong and broken, told apart."""

import json
import os
import signal
import subprocess
from typing import Any

import pytest
from supervised import REVIEWING, YES, no, requests

from ccc.evaluation import case
from ccc.evaluation.case import GoldenCase
from harness import Bench, CccProject
from harness.processes import wait_until
from harness.scripted import Reply, Request, Rule, answer, slow, unauthorized

pytestmark = [pytest.mark.real, pytest.mark.thorough]

CASES = [each for each in case.load_all(case.SHIPPED) if each.kind == 4]
NO = no("It isn't done.")


def texts(each: GoldenCase) -> list[str]:
    """Return what only this twin's conversation contains: the files that the agent wrote."""
    found = []
    for step in each.steps:
        if step.kind == "edit":
            for part in (each.twin, "before"):
                file = os.path.join(each.part(part), step.text)
                if os.path.exists(file):
                    with open(file, encoding="utf-8") as stream:
                        found.append(stream.read())
                    break
    return [each.message, *found]


def shown(request: Request) -> GoldenCase:
    """Return the case that a review is about."""
    body = json.dumps(request.body, ensure_ascii=False)
    fits = [
        c for c in CASES if all(json.dumps(t, ensure_ascii=False)[1:-1] in body for t in texts(c))
    ]
    assert len(fits) == 1, [each.name for each in fits]
    return fits[0]


def right(request: Request) -> Reply:
    """Answer with the truth."""
    return answer(YES if shown(request).is_done else NO)


def measure(project: CccProject, *arguments: str) -> dict[str, Any]:
    """Return the JSON of an experiment with the cases of one kind."""
    project.configure()
    words = ("eval", "--yes", "--kind", "4", "--jobs", "2", "--json", *arguments)
    result: dict[str, Any] = json.loads(project.run(*words, timeout=280).succeeded().stdout)
    return result


def total(found: dict[str, Any]) -> tuple[int, int, int]:
    """Return false passes, false blocks and failures."""
    row = found["kinds"][-1]
    return row["false_passes"], row["false_blocks"], row["failures"]


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        pytest.param(right, (0, 0, 0), id="right"),
        pytest.param(answer(YES), (4, 0, 0), id="always yes"),
        pytest.param(answer(NO), (0, 4, 0), id="always no"),
    ],
)
def test_reviewers(bench: Bench, reply: Any, expected: tuple[int, int, int]) -> None:
    """The table tells a good reviewer from one that always says the same."""
    project = bench(Rule(REVIEWING, reply, name="reviewer"))
    assert total(measure(project)) == expected


def test_a_reviewer_that_fails(bench: Bench) -> None:
    """The table says why there is no verdict; --continue asks again for all that failed."""
    project = bench(
        Rule(REVIEWING, [unauthorized()] * 6 + [answer(NO)] * 6, name="reviewer"),
    )
    project.configure()
    words = ("eval", "--yes", "--kind", "13", "--jobs", "2")
    failed = project.run(*words, timeout=280)
    assert failed.code == 1
    assert "No verdict, 6 ×: " in failed.stdout
    told = project.run(*words, "--continue", timeout=280).succeeded().stdout
    assert "False blocks: 3 of 3 (95 %: 44% to 100%)" in told
    assert "Of 3 bad cases, checks catch 0 and the reviewer 3 more." in told


def test_the_review_is_the_real_one(bench: Bench) -> None:
    """The reviewer gets the conversation, and the request of a stop with receipts."""
    project = bench(Rule(REVIEWING, right, name="reviewer"))
    found = measure(project)
    asked = requests(project, REVIEWING)
    assert len(asked) == len(found["cases"]) == 8
    assert all("Checks that ccc ran just now" in str(each.body["messages"]) for each in asked)
    # the reviewer gets the signals that are counted without a model
    alone = json.loads(project.run("eval", "--kind", "4", "--no-model", "--json").stdout)
    signals = [[each["signals"] for each in both["cases"]] for both in (found, alone)]
    assert signals[0] == signals[1] != [[]] * 8
    # nothing of it is among the user's own sessions
    assert not list((project.claude_dir / "projects").glob("*ccc-eval*"))


def test_two_reviewers_compared(bench: Bench) -> None:
    """Two stored experiments are compared case by case."""
    project = bench(Rule(REVIEWING, right, name="reviewer"))
    measure(project, "--name", "good")
    easy = bench(Rule(REVIEWING, answer(YES), name="reviewer"))
    project.env["ANTHROPIC_BASE_URL"] = ""
    config = project.json(".claude/ccc.json")
    config["providers"]["kimi"]["env"]["ANTHROPIC_BASE_URL"] = easy.model.url if easy.model else ""
    project.write(".claude/ccc.json", json.dumps(config))
    project.run(
        "eval", "--yes", "--kind", "4", "--jobs", "2", "--name", "easy", timeout=280
    ).succeeded()
    told = project.run("eval", "--compare", "good", "easy").succeeded().stdout
    assert "both right: 4" in told
    assert "only good right: 4" in told
    assert "p = 0.125" in told


def test_continued(bench: Bench) -> None:
    """An experiment that is killed goes on where it was, and asks nothing twice."""
    project = bench(Rule(REVIEWING, [*[answer(NO)] * 3, slow(answer(NO), 60)], name="reviewer"))
    project.configure()
    words = [project.ccc, "eval", "--yes", "--kind", "4", "--jobs", "1", "--name", "long"]
    file = project.claude_dir / "ccc" / "eval-long.jsonl"
    process = subprocess.Popen(words, cwd=project.directory, env=project.env)
    try:
        wait_until(lambda: file.exists() and len(file.read_text().splitlines()) == 3, "3 results")
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    before = len(requests(project, REVIEWING))
    again = bench(Rule(REVIEWING, answer(NO), name="reviewer"))
    config = project.json(".claude/ccc.json")
    config["providers"]["kimi"]["env"]["ANTHROPIC_BASE_URL"] = (
        again.model.url if again.model else ""
    )
    project.write(".claude/ccc.json", json.dumps(config))
    words = [
        "eval",
        "--yes",
        "--kind",
        "4",
        "--jobs",
        "2",
        "--name",
        "long",
        "--continue",
        "--json",
    ]
    found = json.loads(project.run(*words, timeout=280).succeeded().stdout)
    assert total(found) == (0, 4, 0)
    assert len(requests(again, REVIEWING)) == 5
    assert before <= 4


def test_interrupted(bench: Bench) -> None:
    """An experiment that is interrupted keeps the review that is running, and starts no other."""
    project = bench(Rule(REVIEWING, [answer(NO), slow(answer(NO), 4)], name="reviewer"))
    project.configure()
    words = [project.ccc, "eval", "--yes", "--kind", "4", "--jobs", "1", "--name", "long"]
    file = project.claude_dir / "ccc" / "eval-long.jsonl"
    process = subprocess.Popen(words, cwd=project.directory, env=project.env)
    try:
        wait_until(lambda: len(requests(project, REVIEWING)) == 2, "the second review")
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130
    finally:
        process.kill()
    assert [json.loads(line)["completed"] for line in file.read_text().splitlines()] == [False] * 2
