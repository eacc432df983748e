"""Two installations of ccc on one machine: the last one that ran has its hook in the settings.

A session of the other one then runs both hooks, since claude rereads settings while it runs.
"""

from pathlib import Path

import pytest
from facts import STREAM, claude
from supervised import ASKED, DONE, REVIEWING, WORKING, YES, Run, bash, requests, supervise

from harness import Bench, CccProject
from harness.scripted import Reply, Request, Rule, answer, every, isnt, slow, tool_result

pytestmark = pytest.mark.real


def other_ccc(project: CccProject) -> Path:
    """Run another installation and return its path."""
    path = project.root / "other" / "ccc"
    path.parent.mkdir()
    path.symlink_to(project.ccc)
    project.run("install", program=str(path)).succeeded()
    return path


def test_a_stop_is_judged_once(bench: Bench) -> None:
    """Both hooks run, and only one of them reviews the stop."""

    def agent(request: Request) -> Reply:
        other_ccc(project)
        return answer(bash("sleep 3"))  # until claude has noticed the change

    project = bench(
        Rule(REVIEWING, lambda _: slow(answer(YES), 2)),
        Rule(every(WORKING, isnt(tool_result())), agent),
        Rule(WORKING, answer(DONE)),
    )
    run = supervise(project, "do it")
    assert len(run.hooks) == 2
    assert len(requests(project, ASKED)) == 1
    assert run.record.state["count"] == 1
    (message,) = run.told
    assert "round 1/10" in message


def test_a_missing_installation(bench: Bench) -> None:
    """Without the other installation a session continues, and the slash command names the file."""
    project = bench(Rule(WORKING, lambda _: answer(DONE)))
    missing = other_ccc(project)
    missing.unlink()
    plain = Run(project, claude(project, *STREAM, "--include-hook-events", "hello"))
    assert plain.result == DONE
    (hook,) = plain.hooks
    assert (hook["exit_code"], hook["outcome"]) == (127, "error")
    assert str(missing) in Run(project, claude(project, *STREAM, "/supervisor do it")).result
