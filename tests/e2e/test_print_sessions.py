"""A supervised `claude -p` says on stderr, and by its exit code, how the task ended."""

import json

import pytest
from supervised import DONE, REVIEWING, WORKING, YES, Record, judged, no, requests

from ccc.scripted import CODE, Rule, answer, failure
from harness import Bench

pytestmark = pytest.mark.real

TASK = ("-p", "/supervisor do it")
QUESTION = f'{{"code": "{CODE}", "completed": false, "needs_user": true, "feedback": "which one?"}}'
DENIED = Rule(REVIEWING, failure(401, "authentication_error", "invalid x-api-key"), name="reviewer")


@pytest.mark.parametrize("output", ["text", "json"])
def test_a_reviewer_without_access(bench: Bench, output: str) -> None:
    """Claude shows nothing of it with these formats, so ccc does; stdout is claude's alone."""
    project = bench(DENIED, Rule(WORKING, answer(DONE), name="agent"))
    outcome = project.run("kimi", *TASK, "--output-format", output)
    assert outcome.code == 24
    last = outcome.stderr.splitlines()[-1]
    assert last.startswith("[SUPERVISOR] not judged: ")
    assert "Not logged in" in last
    assert last.endswith(f"ccc show {Record(project).session}")
    printed = outcome.stdout if output == "text" else json.loads(outcome.stdout)["result"]
    assert printed.strip() == DONE


@pytest.mark.parametrize(
    ("verdicts", "code", "says"),
    [
        ([YES], 0, ""),
        ([no("write it"), no("write it")], 21, "[SUPERVISOR] stuck: write it. Details: ccc show "),
        ([no("a"), no("b")], 20, "[SUPERVISOR] round limit"),
        ([QUESTION], 23, "[SUPERVISOR] needs your input: which one?"),
    ],
    ids=["completed", "stuck", "limit", "question"],
)
@pytest.mark.parametrize("stdin", [False, True], ids=["argument", "stdin"])
def test_each_outcome(bench: Bench, verdicts: list[str], code: int, says: str, stdin: bool) -> None:
    """The exit codes are those of `ccc run`, also for a prompt on stdin."""
    project = bench(*judged(*verdicts))
    project.configure(supervisor={"max_iterations": 2})
    arguments, text = (("-p",), TASK[1]) if stdin else (TASK, "")
    outcome = project.run("kimi", *arguments, stdin=text)
    assert (outcome.code, outcome.stdout.strip()) == (code, DONE)
    assert says in outcome.stderr
    assert says or "[SUPERVISOR]" not in outcome.stderr


def test_a_resumed_session(bench: Bench) -> None:
    """A supervised session that is continued later tells its own outcome, found by its claude."""
    project = bench(*judged(YES, no("a"), no("a")))
    project.run("kimi", *TASK).succeeded()
    session = Record(project).session
    outcome = project.run("kimi", "-p", "--continue", "and more")
    assert outcome.code == 21
    assert f"[SUPERVISOR] stuck: a. Details: ccc show {session}" in outcome.stderr


def test_without_supervision(bench: Bench) -> None:
    """Nothing is said, and the exit code is claude's."""
    project = bench(*judged())
    for outcome in (project.run("kimi", "-p", "hi"), project.run("kimi", "-p", stdin="hi")):
        assert (outcome.code, outcome.stdout.strip()) == (0, DONE)
        assert "[SUPERVISOR]" not in outcome.stderr


def test_supervision_that_never_began(bench: Bench) -> None:
    """If claude doesn't run the slash command, that is an outcome too."""
    project = bench(*judged())
    outcome = project.run("kimi", *TASK, "--disable-slash-commands")
    assert outcome.code == 24
    assert "claude did not run /supervisor, so supervision was never on" in outcome.stderr
    assert requests(project, REVIEWING) == []


def test_a_failure_of_claude(bench: Bench) -> None:
    """An exit code of claude's has precedence."""
    rule = Rule(WORKING, failure(400, "invalid_request_error", "no such model"))
    outcome = bench(rule).run("kimi", *TASK)
    assert outcome.code == 1
    assert "[SUPERVISOR]" not in outcome.stderr
