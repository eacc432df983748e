"""`ccc … -p` of a supervised session is a run: its exit code tells how the task ended."""

import json

import pytest
from facts import STREAM
from supervised import DONE, REVIEWING, WORKING, YES, Record, hooked, judged, no, requests

from harness import Bench
from harness.scripted import CODE, Rule, answer, failure

pytestmark = pytest.mark.real

TASK = ("-p", "/supervisor do it")
QUESTION = f'{{"code": "{CODE}", "completed": false, "needs_user": true, "feedback": "which one?"}}'
DENIED = Rule(REVIEWING, failure(401, "authentication_error", "invalid x-api-key"), name="reviewer")
NO_TELLING = "claude's exit code tells nothing about the outcome"


@pytest.mark.parametrize("output", ["text", "json", "stream-json"])
def test_a_reviewer_without_access(bench: Bench, output: str) -> None:
    """Work that can't be judged doesn't end with 0; stdout has claude's format."""
    project = bench(DENIED, Rule(WORKING, answer(DONE), name="agent"))
    verbose = ("--verbose",) * (output == "stream-json")
    outcome = project.run("kimi", *TASK, "--output-format", output, *verbose)
    assert outcome.code == 24
    assert "Not logged in" in outcome.stderr
    if output == "text":
        assert outcome.stdout.strip() == DONE
    else:
        *before, last = map(json.loads, outcome.stdout.splitlines())
        assert (last["type"], last["result"]) == ("result", DONE)
        assert bool(before) is (output == "stream-json")


@pytest.mark.parametrize(
    ("verdicts", "code", "says"),
    [
        ([YES], 0, "[ccc] completed"),
        ([no("write it"), no("write it")], 21, "stuck"),
        ([no("a"), no("b")], 20, "2 rounds"),
        ([QUESTION], 23, "which one?"),
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
    (first, *_) = requests(project, WORKING)
    assert first.last_text == "do it"


@pytest.mark.parametrize("words", [("--continue",), ("--resume", "")], ids=["last", "named"])
def test_a_resumed_session(bench: Bench, words: tuple[str, ...]) -> None:
    """A supervised session that is continued later is a run, too."""
    project = bench(*judged(YES, no("a"), no("a")))
    hooked(project, TASK[1]).outcome.succeeded()
    session = Record(project).session
    outcome = project.run("kimi", "-p", *[word or session for word in words], "and more")
    assert outcome.code == 21
    assert Record(project).session == session
    assert "do it" in str(requests(project, WORKING)[-1].messages)


def test_switched_off_and_resumed(bench: Bench) -> None:
    """`/supervisoroff` reaches claude, and then the session is claude's alone."""
    project = bench(*judged(YES))
    project.run("kimi", *TASK).succeeded()
    for prompt in ("/supervisoroff", "and more"):
        outcome = project.run("kimi", "-p", "--continue", prompt).succeeded()
        assert "[ccc]" not in outcome.stderr
    assert len(requests(project, REVIEWING)) == 1


def test_without_supervision(bench: Bench) -> None:
    """Nothing is said, and the exit code is claude's."""
    project = bench(*judged())
    for outcome in (project.run("kimi", "-p", "hi"), project.run("kimi", "-p", stdin="hi")):
        assert (outcome.code, outcome.stdout.strip()) == (0, DONE)
        assert "supervis" not in outcome.stderr.casefold()


def test_prompts_that_come_one_by_one(bench: Bench) -> None:
    """With stream-json as input it is plain claude, whose exit code ccc explains."""
    project = bench(*judged(no("a"), no("a")))
    run = hooked(project, TASK[1])
    assert run.outcome.code == 0
    assert NO_TELLING in " ".join(run.outcome.stderr.split())
    assert run.result == DONE


def test_a_failure_of_claude(bench: Bench) -> None:
    """An agent that fails is an outcome of its own."""
    rule = Rule(WORKING, failure(400, "invalid_request_error", "no such model"))
    outcome = bench(rule).run("kimi", *TASK)
    assert outcome.code == 25


def test_no_such_option(bench: Bench) -> None:
    """The format of the stream needs no other option, unlike claude's own."""
    project = bench(*judged(YES))
    outcome = project.run("kimi", *STREAM, TASK[1]).succeeded()
    assert json.loads(outcome.stdout.splitlines()[-1])["result"] == DONE
