"""Checks and reviewer look where the agent worked: in worktrees and changed directories."""

import os
from pathlib import Path
from typing import Any

import pytest
from supervised import (
    ASKED,
    DONE,
    FREELY,
    WORKING,
    YES,
    Record,
    bash,
    git,
    requests,
    supervise,
)

from harness import Bench, CccProject
from harness.programs import needs
from harness.scripted import Block, Reply, Request, Rule, answer, shared_prefix, tool

pytestmark = pytest.mark.real

CHECK = "pwd; test -e made.txt"


def working(*steps: Block) -> Rule:
    """Return an agent that takes the steps one after another and claims to be done."""

    def reply(request: Request) -> Reply:
        turns = sum(message.get("role") == "assistant" for message in request.messages)
        return answer(steps[turns] if turns < len(steps) else DONE)

    return Rule(WORKING, reply, name="agent")


def repository(bench: Bench, *rules: Rule) -> CccProject:
    """Return a repository with a commit, whose check requires made.txt in its directory."""
    needs("git")
    project = bench(Rule(ASKED, answer(YES), name="reviewer"), *rules)
    project.configure(supervisor={"checks": [CHECK], "max_iterations": 2})
    git(project, "init", "--quiet")
    (project.directory / "there.txt").write_text("there\n")
    git(project, "add", ".")
    git(project, "commit", "--quiet", "--message", "begin")
    return project


def directory_of_check(verdict: dict[str, Any]) -> str:
    """Return the directory where the check ran."""
    return str(Path(verdict["receipts"][0]["output"].splitlines()[0]))


ENTER = tool("EnterWorktree", name="feat")
MAKE = bash("echo made > made.txt")


@pytest.mark.parametrize("unattended", [False, True], ids=["hook", "run"])
@pytest.mark.parametrize("by", ["--worktree", "EnterWorktree"])
def test_a_worktree(bench: Bench, by: str, unattended: bool) -> None:
    """The worktree of the session's start or one that the agent enters is judged."""
    steps = (MAKE,) if by == "--worktree" else (ENTER, MAKE)
    project = repository(bench, working(*steps))
    more = ("--worktree", "feat") if by == "--worktree" else ()
    tree = project.directory / ".claude" / "worktrees" / "feat"
    if unattended:
        project.run("run", "do it", "--", *FREELY, *more).succeeded()
    else:
        assert supervise(project, "do it", *FREELY, *more).result == DONE
    (review,) = requests(project, ASKED)
    assert f"The project, {tree}, is read-only for you" in review.last_text
    assert (tree / "made.txt").exists()
    assert not (project.directory / "made.txt").exists()
    (verdict,) = Record(project).verdicts
    assert (verdict["outcome"], directory_of_check(verdict)) == ("completed", str(tree))


def test_the_prefix_is_shared_in_a_worktree(bench: Bench) -> None:
    """The fork of an agent that changed its directory repeats the agent's last request."""
    project = repository(bench, working(ENTER, MAKE))
    supervise(project, "do it")
    last, (review,) = requests(project, WORKING)[-1], requests(project, ASKED)
    assert shared_prefix(last, review) > 0.999


def test_what_is_left_elsewhere_is_named(bench: Bench) -> None:
    """Work in the project that the agent left for a worktree is reported."""
    project = repository(bench, working(MAKE, ENTER, MAKE, bash("git -C ../../.. status")))
    run = supervise(project, "do it")
    (review,) = requests(project, ASKED)
    assert f"There are changes in {project.directory}, too" in review.last_text
    assert any(f"other changes in {project.directory}" in text for text in run.told)


DECOY = """echo .claude >> .git/info/exclude; git worktree add -q .claude/worktrees/decoy
touch .claude/worktrees/decoy/made.txt
echo made > work.txt && git add work.txt && git -c user.name=n -c user.email=e commit -qm work"""


def test_commits_in_the_project_that_was_left(bench: Bench) -> None:
    """Commits in the project are reported if the agent ended in a worktree without them."""
    cd = bash("cd .claude/worktrees/decoy")
    project = repository(bench, working(bash(DECOY), cd))
    run = supervise(project, "do it")
    (review,) = requests(project, ASKED)
    assert f"{project.directory}/.claude/worktrees/decoy, is read-only" in review.last_text
    assert f"There are changes in {project.directory}, too" in review.last_text
    assert any(f"other changes in {project.directory}" in text for text in run.told)


def test_an_older_worktree_is_not_named(bench: Bench) -> None:
    """Changes that the user left in a worktree before the run are not reported."""
    project = repository(bench, working(MAKE))
    old = project.root / "old"
    git(project, "worktree", "add", "-q", str(old))
    (old / "draft.txt").write_text("mine\n")
    os.utime(project.directory / ".git" / "worktrees" / "old" / "gitdir", (1e9, 1e9))
    outcome = project.run("run", "do it", "--", *FREELY).succeeded()
    (review,) = requests(project, ASKED)
    assert str(old) not in review.last_text + outcome.stderr


def test_a_worktree_that_was_left(bench: Bench) -> None:
    """If the agent left a worktree, the project is judged and the worktree is named."""
    leave = tool("ExitWorktree", action="keep")
    project = repository(bench, working(ENTER, MAKE, leave, bash("echo made > made.txt")))
    run = supervise(project, "do it")
    tree = project.directory / ".claude" / "worktrees" / "feat"
    (review,) = requests(project, ASKED)
    assert f"The project, {project.directory}, is read-only" in review.last_text
    assert f"There are changes in {tree}, too" in review.last_text
    assert any(str(tree) in text for text in run.told)


def test_a_changed_directory(bench: Bench) -> None:
    """A subdirectory of the project belongs to the project."""
    project = repository(bench, working(bash("mkdir sub; cd sub"), bash("echo made > ../made.txt")))
    run = supervise(project, "do it")
    assert directory_of_check(run.record.verdicts[0]) == str(project.directory)
