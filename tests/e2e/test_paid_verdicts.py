"""A verdict that was paid for is never thrown away, even where the state can't be written."""

import pytest
from supervised import (
    ASKED,
    DONE,
    FEEDBACK,
    FREELY,
    WORKING,
    YES,
    bash,
    no,
    requests,
    supervise,
)

from ccc.scripted import Reply, Request, Rule, answer, every, said, tool_result
from harness import Bench, CccProject

pytestmark = pytest.mark.real


def losing_its_state(bench: Bench) -> CccProject:
    """A session whose state directory is gone, with a file in its place, when the verdict comes."""

    def reviewer(request: Request) -> Reply:
        place = project.claude_dir / "ccc"
        if place.is_file():
            return answer(YES)
        place.rename(project.root / "aside")
        place.write_text("")
        return answer(no(FEEDBACK))

    project = bench(
        Rule(ASKED, reviewer),
        Rule(every(WORKING, tool_result()), answer(DONE)),
        Rule(every(WORKING, said(FEEDBACK)), answer(bash("echo b > b.txt"))),
        Rule(WORKING, answer(DONE)),
    )
    return project


def test_of_the_hook(bench: Bench) -> None:
    """The agent gets the feedback, and the person is told what could not be written."""
    project = losing_its_state(bench)
    options = ("--output-format", "stream-json", "--verbose", "--include-hook-events", *FREELY)
    outcome = project.run("kimi", "-p", *options, "/supervisor do it").succeeded()
    assert any(FEEDBACK in request.last_text for request in requests(project, WORKING))
    assert (project.directory / "b.txt").exists()
    assert "not completed" in outcome.stdout
    assert "not everything could be recorded" in outcome.stdout


@pytest.mark.parametrize(
    ("language", "said", "remedy"),
    [("en", "could not be judged", "Check the owner"), ("zh", "无法审查", "请检查该处的所有者")],
)
def test_nothing_can_be_written(bench: Bench, language: str, said: str, remedy: str) -> None:
    """Before the review: the stop is not judged, and the person is told why and what to do."""

    def agent(request: Request) -> Reply:
        place = project.claude_dir / "ccc"
        place.rename(project.root / "aside")
        place.write_text("")
        return answer(DONE)

    project = bench(Rule(WORKING, agent))
    (told,) = supervise(project, "do it", CCC_LANG=language).told
    assert said in told
    assert str(project.claude_dir / "ccc") in told
    assert remedy in told
    assert not requests(project, ASKED)


def test_of_a_run(bench: Bench) -> None:
    """The same in a run: the feedback is the next message."""
    project = losing_its_state(bench)
    outcome = project.run("run", "do it", "--", *FREELY)
    assert any(FEEDBACK in request.last_text for request in requests(project, WORKING))
    assert (project.directory / "b.txt").exists()
    assert "Traceback" not in outcome.stderr
