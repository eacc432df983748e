"""A paid verdict is never discarded, even if the state can't be written."""

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

from harness import Bench, CccProject
from harness.scripted import Reply, Request, Rule, answer, every, said, tool_result

pytestmark = pytest.mark.real


def losing_its_state(bench: Bench) -> CccProject:
    """Return a project whose state directory becomes a file before the verdict arrives."""

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
    """The agent gets the feedback, and the user learns what couldn't be written."""
    project = losing_its_state(bench)
    outcome = supervise(project, "do it").outcome
    assert any(FEEDBACK in request.last_text for request in requests(project, WORKING))
    assert (project.directory / "b.txt").exists()
    assert "not completed" in outcome.stdout
    assert "not everything could be recorded" in outcome.stdout


@pytest.mark.parametrize(
    ("language", "reason", "remedy"),
    [("en", "could not be judged", "Check the owner"), ("zh", "无法审查", "请检查该处的所有者")],
)
def test_nothing_can_be_written(bench: Bench, language: str, reason: str, remedy: str) -> None:
    """If the state can't be written before the review, the message says why."""

    def agent(request: Request) -> Reply:
        place = project.claude_dir / "ccc"
        place.rename(project.root / "aside")
        place.write_text("")
        return answer(DONE)

    project = bench(Rule(WORKING, agent))
    (message,) = supervise(project, "do it", CCC_LANG=language).told
    assert reason in message
    assert str(project.claude_dir / "ccc") in message
    assert remedy in message
    assert not requests(project, ASKED)


def test_of_a_run(bench: Bench) -> None:
    """In a run, the feedback is the next message."""
    project = losing_its_state(bench)
    outcome = project.run("run", "do it", "--", *FREELY)
    assert any(FEEDBACK in request.last_text for request in requests(project, WORKING))
    assert (project.directory / "b.txt").exists()
    assert "Traceback" not in outcome.stderr
