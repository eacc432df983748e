"""What the queue's own git commands do in a repository that an agent has worked in."""

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from ccc.backlog import delivery, worktree
from ccc.backlog.delivery import Delivery
from ccc.backlog.task import Task
from ccc.errors import CccError
from ccc.system import capture
from ccc.text.values import replace

ENV = {
    "PATH": os.environ["PATH"],
    **{f"GIT_{who}_NAME": "t" for who in ("AUTHOR", "COMMITTER")},
    **{f"GIT_{who}_EMAIL": "t@localhost" for who in ("AUTHOR", "COMMITTER")},
}


def git(directory: Path, *arguments: str) -> str:
    """Run git as the user or the agent would."""
    env = {**ENV, "HOME": os.environ["HOME"]}
    done = subprocess.run(
        ["git", *arguments], cwd=directory, env=env, capture_output=True, check=True, text=True
    )
    return done.stdout.strip()


class Place:
    """A repository with a task's worktree or clone."""

    def __init__(self, root: Path, is_remote: bool) -> None:
        self.root = root
        self.home = root / "home"
        self.repo = root / "repo"
        self.origin = root / "origin.git"
        self.env = {**ENV, "HOME": str(self.home), "CCC_QUEUE_DIR": str(root / "queue")}
        for directory in (self.home, self.repo):
            directory.mkdir()
        git(self.repo, "init", "--quiet", "--initial-branch=main")
        (self.repo / "file").write_text("start\n")
        git(self.repo, "add", "--all")
        git(self.repo, "commit", "--quiet", "-m", "start")
        git(root, "clone", "--quiet", "--bare", str(self.repo), str(self.origin))
        git(self.repo, "remote", "add", "origin", str(self.origin))
        repo = self.origin.as_uri() if is_remote else str(self.repo)
        task = Task(id=7, text="Do it\nnow", repo=repo, push=True)
        checkout = worktree.create(task, worktree.plan(task, self.env), self.env, self.execute)
        self.task = replace(
            task, worktree=checkout.directory, branch=checkout.branch, start=checkout.start
        )
        self.tree = Path(checkout.directory)
        (self.tree / "new").write_text("new\n")
        self.evil = root / "evil"
        self.evil.write_text(f"#!/bin/sh\necho ran >> {root}/ran\ncat\n")
        self.evil.chmod(0o755)

    def execute(self, line: Sequence[str], cwd: str, seconds: float) -> tuple[bool, str]:
        """Run a command at once."""
        return capture.run(line, cwd, self.env, seconds)

    def deliver(self) -> Delivery:
        """Deliver a complete result."""
        return delivery.deliver(self.task, self.env, self.execute, is_complete=True)

    @property
    def pushed(self) -> list[str]:
        """The files of the pushed branch."""
        return git(self.origin, "ls-tree", "-r", "--name-only", self.task.branch).splitlines()


@pytest.fixture(params=["worktree", "clone"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """Return a task's place of both kinds."""
    return Place(tmp_path, request.param == "clone")


def test_a_result_is_committed_and_pushed(place: Place) -> None:
    """New, changed and removed files are one commit; ignored ones are not part of it."""
    (place.tree / "file").unlink()
    (place.tree / ".gitignore").write_text("*.log\n")
    (place.tree / "debug.log").write_text("x")
    done = place.deliver()
    assert (done.is_pushed, done.error) == (True, None)
    assert (done.size.commits, done.size.files) == (1, 3)
    assert place.pushed == [".gitignore", "new"]
    assert git(place.tree, "status", "--porcelain") == ""
    assert git(place.tree, "log", "-1", "--format=%s") == "Do it"
    again = place.deliver()
    assert again.size == done.size


@pytest.mark.parametrize(
    "settings",
    [
        ("commit.gpgsign=true", "gpg.program={evil}"),
        ("core.fsmonitor={evil}",),
        ("core.hooksPath={root}",),
        ("filter.e.clean={evil}", "filter.e.smudge={evil}", "filter.e.process={evil}"),
        ("diff.external={evil}",),
        ("core.sshCommand={evil}",),
        ("credential.helper=!{evil}",),
        ("core.askPass={evil}",),
        ("remote.origin.receivepack={evil}",),
        ("core.pager={evil}", "core.editor={evil}", "status.showUntrackedFiles=no"),
    ],
)
def test_the_agents_settings_run_nothing(place: Place, settings: tuple[str, ...]) -> None:
    """No program that the repository's configuration names runs when the result is delivered."""
    for each in settings:
        name, _, value = each.partition("=")
        git(place.tree, "config", name, value.format(evil=place.evil, root=place.root))
    (place.tree / ".gitattributes").write_text("* filter=e\n")
    for name in ("pre-commit", "pre-push", "post-commit", "reference-transaction"):
        (place.root / name).write_text(place.evil.read_text())
        (place.root / name).chmod(0o755)
    before = (place.root / "ran").exists()
    done = place.deliver()
    assert not before
    assert not (place.root / "ran").exists()
    assert done.is_pushed
    assert "new" in place.pushed


def test_a_nested_repository_runs_nothing(place: Place) -> None:
    """A repository inside the worktree isn't asked for anything, and not part of the result."""
    nested = place.tree / "nested"
    nested.mkdir()
    git(nested, "init", "--quiet")
    (nested / "a").write_text("a")
    git(nested, "add", "--all")
    git(nested, "commit", "--quiet", "-m", "x")
    git(nested, "config", "filter.e.clean", str(place.evil))
    (nested / ".gitattributes").write_text("* filter=e\n")
    git(place.tree, "add", "nested")
    (nested / "a").write_text("b")
    (place.tree / "empty").mkdir()
    git(place.tree / "empty", "init", "--quiet")
    (place.root / "ran").unlink(missing_ok=True)
    place.deliver()
    assert not (place.root / "ran").exists()
    assert "new" in place.pushed


def test_the_users_checkout_is_not_the_result(place: Place) -> None:
    """A `.git` that points elsewhere moves no branch of the user's."""
    head = git(place.repo, "rev-parse", "HEAD")
    own = place.tree / ".git"
    if place.task.is_remote:
        own.rename(place.root / "moved")
    own.write_text(f"gitdir: {place.repo}/.git\n")
    if place.task.is_remote:
        with pytest.raises(CccError):
            place.deliver()
    else:
        place.deliver()
    assert git(place.repo, "rev-parse", "HEAD") == head
    assert git(place.repo, "status", "--porcelain") == ""


def test_another_work_tree_is_not_committed(place: Place) -> None:
    """`core.worktree` doesn't make the home a part of the result."""
    (place.home / "secret").write_text("key")
    git(place.tree, "config", "core.worktree", str(place.home))
    place.deliver()
    assert place.pushed == ["file", "new"]


def test_a_branch_of_the_agents_own(place: Place) -> None:
    """The task's branch names what is checked out at the end; the rest keeps a name."""
    (place.tree / "draft").write_text("draft")
    git(place.tree, "add", "--all")
    git(place.tree, "commit", "--quiet", "-m", "draft")
    git(place.tree, "checkout", "--quiet", "--detach", "HEAD~1")
    (place.tree / "good").write_text("good")
    place.deliver()
    assert place.pushed == ["file", "good"]
    where = place.tree if place.task.is_remote else place.repo
    assert git(where, "log", "-1", "--format=%s", f"{place.task.branch}-before") == "draft"
