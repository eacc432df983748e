"""What the queue's own git commands do in a repository that an agent has worked in."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from msgspec.structs import replace

from ccc.backlog import delivery, worktree
from ccc.backlog.delivery import Delivery
from ccc.backlog.repository import storable_address
from ccc.backlog.task import QueuedTask
from ccc.commands.queue import add
from ccc.errors import CccError
from ccc.system import capture

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
        task = QueuedTask(id=7, text="Do it\nnow", repo=repo, push=True)
        if not is_remote:
            task = replace(task, push_url=add.push_url(repo))
        with self.worker():
            self.task = worktree.create(worktree.plan(task), self.execute)
        self.tree = Path(self.task.worktree)
        (self.tree / "new").write_text("new\n")
        self.evil = root / "evil"
        self.evil.write_text(f"#!/bin/sh\necho ran >> {root}/ran\ncat\n")
        self.evil.chmod(0o755)

    def execute(
        self, line: Sequence[str], cwd: str, env: Mapping[str, str], seconds: float
    ) -> tuple[bool, str]:
        """Run a command at once."""
        return capture.run(line, cwd, env, seconds)

    def worker(self) -> AbstractContextManager[object]:
        """Return a context with the environment of the worker."""
        return mock.patch.dict(os.environ, self.env, clear=True)

    def deliver(self) -> Delivery:
        """Deliver a complete result."""
        with self.worker():
            return delivery.deliver(self.task, self.execute, is_complete=True)

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
    assert (done.changes["is_pushed"], done.error) == (True, None)
    assert (done.changes["commits"], done.changes["files"]) == (1, 3)
    assert place.pushed == [".gitignore", "new"]
    assert git(place.tree, "status", "--porcelain") == ""
    assert git(place.tree, "log", "-1", "--format=%s") == "Do it"
    again = place.deliver()
    assert again.changes == done.changes


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
    assert done.changes["is_pushed"]
    assert "new" in place.pushed


def test_the_agent_does_not_choose_where_to_push(place: Place) -> None:
    """Another address in the configuration gets nothing, and its hooks don't run."""
    other = place.tree / "other.git"
    git(place.root, "init", "--quiet", "--bare", str(other))
    hook = other / "hooks" / "pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(place.evil.read_text())
    hook.chmod(0o755)
    git(place.tree, "config", "remote.origin.pushurl", str(other))
    git(place.tree, "config", f"url.{other}.insteadOf", str(place.origin))
    assert place.deliver().changes["is_pushed"]
    assert not (place.root / "ran").exists()
    assert "new" in place.pushed


@pytest.mark.parametrize("address", ["ext::{evil}", "--receive-pack={evil}"])
def test_an_address_runs_nothing(tmp_path: Path, address: str) -> None:
    """An address that git would take for a program or an option fails."""
    place = Place(tmp_path, is_remote=False)
    git(place.repo, "config", "remote.origin.pushurl", address.format(evil=place.evil))
    place.task = replace(place.task, push_url=add.push_url(str(place.repo)))
    done = place.deliver()
    assert done.error is not None
    assert not (place.root / "ran").exists()


@pytest.mark.parametrize(
    "settings",
    [
        ("remote.origin.pushurl={root}/second.git",),
        ("remote.origin.pushurl=../second.git",),
        ("remote.origin.url=short:second.git", "url.{root}/.insteadOf=short:"),
        ("url.{root}/second.git.pushInsteadOf={root}/origin.git",),
    ],
)
def test_the_users_own_settings_of_origin(tmp_path: Path, settings: tuple[str, ...]) -> None:
    """What the user has set before the task was added says where to push."""
    place = Place(tmp_path, is_remote=False)
    second = tmp_path / "second.git"
    git(tmp_path, "init", "--quiet", "--bare", str(second))
    for each in settings:
        name, _, value = each.format(root=tmp_path).partition("=")
        git(place.repo, "config", name, value)
    place.task = replace(place.task, push_url=add.push_url(str(place.repo)))
    assert place.deliver().error is None
    assert "new" in git(second, "ls-tree", "-r", "--name-only", place.task.branch)


@pytest.mark.parametrize(
    ("address", "stored"),
    [
        ("https://me:secret@git.example/a", "https://git.example/a"),
        ("https://token@git.example:8443/a@b", "https://git.example:8443/a@b"),
        ("https://evil.example?@git.example/a", "https://evil.example?@git.example/a"),
        ("https://evil.example/@git.example/a", "https://evil.example/@git.example/a"),
        ("git@git.example:a", "git@git.example:a"),
        ("ssh://git@git.example/a", "ssh://git@git.example/a"),
        ("../a", "/repo/../a"),
        ("/a:b", "/a:b"),
    ],
)
def test_a_task_keeps_no_password(address: str, stored: str) -> None:
    """The address of a task says where, but not who; a host is never taken for a user."""
    assert storable_address(address, "/repo") == stored


def test_the_password_of_the_same_address(tmp_path: Path) -> None:
    """The user and the password of the repository's configuration are still used."""
    place = Place(tmp_path, is_remote=False)
    lines: list[Sequence[str]] = []

    def execute(
        line: Sequence[str], cwd: str, env: Mapping[str, str], seconds: float
    ) -> tuple[bool, str]:
        lines.append(line)
        return True, ""

    place.task = replace(place.task, push_url="https://git.example/a")
    for now in ("https://me:secret@git.example/a", "https://me:secret@evil.example/a"):
        git(place.repo, "remote", "set-url", "origin", now)
        with place.worker():
            delivery.deliver(place.task, execute, is_complete=True)
    assert "https://me:secret@git.example/a" in lines[0]
    assert "https://git.example/a" in lines[1]


def test_a_task_without_an_address(tmp_path: Path) -> None:
    """The agent isn't asked where to push a task that doesn't know it."""
    place = Place(tmp_path, is_remote=False)
    place.task = replace(place.task, push_url="")
    done = place.deliver()
    assert not done.changes["is_pushed"]
    assert done.error is not None
    assert done.error.message == "worker.no_push_url"


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


FORGE = """#!{python}
# Takes only the options that the real program has; prints what the test has prepared.
import argparse, os, pathlib, sys
here = pathlib.Path({root!r})
parser = argparse.ArgumentParser(prog={name!r}, allow_abbrev=False)
parser.add_argument("noun", choices=[{noun!r}])
parser.add_argument("verb", choices=["create", "list"])
for option in {options!r}:
    parser.add_argument(option)
parser.add_argument("--yes", action="store_true")
given = parser.parse_args()
with open(here / "calls", "a") as calls:
    calls.write({name!r} + " " + given.verb + "\\n")
if (here / f"{name}-{{given.verb}}-fails").exists():
    sys.exit((here / f"{name}-{{given.verb}}-fails").read_text())
prepared = here / f"{name}-{{given.verb}}"
print(prepared.read_text() if prepared.exists() else "")
"""
"""A forge's program."""
_CREATE = {
    "gh": ("pr", ["--head", "--title", "--body", "--base", "--json"]),
    "glab": (
        "mr",
        ["--source-branch", "--target-branch", "--title", "--description", "--output"],
    ),
}


class Forges:
    """The programs of forges, as far as a test installs them."""

    def __init__(self, root: Path, *names: str) -> None:
        self.root = root
        self.bin = root / "bin"
        self.bin.mkdir()
        for name in ("git", "sh"):
            (self.bin / name).symlink_to(shutil.which(name) or name)
        for name in names:
            noun, options = _CREATE[name]
            values = {"python": sys.executable, "root": str(root), "name": name, "noun": noun}
            program = self.bin / name
            program.write_text(FORGE.format(**values, options=options))
            program.chmod(0o755)

    def prepare(self, what: str, text: str) -> None:
        """Let a call print the text, or with "-fails" fail with it."""
        (self.root / what).write_text(text)

    def open(self, repo: str, **values: Any) -> str:
        """Open a pull request for a task's branch."""
        task = QueuedTask(id=7, text="Do it\nnow", repo=repo, branch="b", worktree=str(self.root))
        with mock.patch.dict(os.environ, {**ENV, "PATH": str(self.bin)}, clear=True):
            return delivery.open_pull_request(replace(task, **values), repo)

    @property
    def calls(self) -> list[str]:
        """The calls in their order."""
        file = self.root / "calls"
        return file.read_text().splitlines() if file.exists() else []


GH_WITH_GIT = """#!/bin/sh
case "$2" in list) echo '[]' ;; create)
    git status --porcelain
    git remote -v > "{root}/remotes"
    echo https://github.example/o/r/pull/1
esac
"""
"""It looks at the checkout in the way of the real gh."""


def test_a_forges_program_uses_nothing_of_the_agent(place: Place) -> None:
    """No setting in the worktree runs a program, or sends the request elsewhere."""
    (place.root / "bin").mkdir()
    program = place.root / "bin" / "gh"
    program.write_text(GH_WITH_GIT.format(root=place.root))
    program.chmod(0o755)
    place.env["PATH"] = f"{place.root}/bin:{ENV['PATH']}"
    place.task = replace(place.task, pull_request=True)
    git(place.tree, "config", "filter.e.clean", str(place.evil))
    git(place.tree, "config", "remote.origin.url", "https://github.example/attacker/r")
    (place.tree / ".gitattributes").write_text("* filter=e\n")
    if not place.task.is_remote:
        fake = place.tree / ".fake"
        git(place.root, "init", "--quiet", "--bare", str(fake))
        git(fake, "config", "core.bare", "false")
        git(fake, "config", "core.worktree", str(place.tree))
        git(fake, "config", "filter.e.clean", str(place.evil))
        git(place.root, f"--git-dir={fake}", f"--work-tree={place.tree}", "add", "new")
        (place.root / "ran").unlink()
        (place.tree / "new").write_text("NEW\n")
        (place.tree / ".git").write_text(f"gitdir: {fake}\n")
    done = place.deliver()
    assert (done.changes["pull_request_url"], done.error) == (
        "https://github.example/o/r/pull/1",
        None,
    )
    assert not (place.root / "ran").exists()
    remotes = (place.root / "remotes").read_text()
    assert "attacker" not in remotes
    assert str(place.origin) in remotes


GITLAB = "https://gitlab.example/team/shop.git"
OTHER = "https://git.example/team/shop.git"
ADDRESS = "https://gitlab.example/team/shop/-/merge_requests/7"


def test_a_merge_request(tmp_path: Path) -> None:
    """On GitLab, glab opens it with options that glab knows, also if gh is installed."""
    forges = Forges(tmp_path, "gh", "glab")
    forges.prepare("glab-create", f"{ADDRESS}\n")
    assert forges.open(GITLAB, base="main") == ADDRESS
    assert forges.calls == ["glab list", "glab create"]


def test_a_merge_request_of_an_interrupted_delivery(tmp_path: Path) -> None:
    """The request that is there is found, whatever its description links to."""
    forges = Forges(tmp_path, "glab")
    other = "https://gitlab.example/team/shop/-/merge_requests/3"
    listed = [{"description": f"as in {other} we", "web_url": ADDRESS}]
    forges.prepare("glab-list", json.dumps(listed))
    assert forges.open(GITLAB) == ADDRESS
    assert forges.calls == ["glab list"]


def test_a_forge_with_another_name(tmp_path: Path) -> None:
    """If the address doesn't tell which forge it is, the program that knows it is found."""
    forges = Forges(tmp_path, "gh", "glab")
    forges.prepare("gh-create-fails", "no known GitHub host")
    forges.prepare("glab-create", f"{ADDRESS}\n")
    assert forges.open(OTHER) == ADDRESS


def test_no_pull_request(tmp_path: Path) -> None:
    """The error has what each program said, and the way to try again."""
    forges = Forges(tmp_path, "gh", "glab")
    forges.prepare("gh-create-fails", "no known GitHub host")
    forges.prepare("glab-create-fails", "not logged in")
    with pytest.raises(CccError) as failed:
        forges.open(OTHER)
    said = str(failed.value)
    assert "gh: no known GitHub host\nglab: not logged in" in said
    assert "ccc queue retry 7" in said


def test_no_forge(tmp_path: Path) -> None:
    """Without both programs, the error names them."""
    with pytest.raises(CccError) as failed:
        Forges(tmp_path).open(GITLAB)
    assert "gh or glab" in str(failed.value)


@pytest.mark.parametrize(
    "listed",
    [
        '[{"web_url": null}]',
        '[{"web_url": {"a": 1}}]',
        '[{"web_url": "javascript:alert(1)"}]',
        '[{"web_url": "https://x/\\u001b[2J"}]',
        '[{"web_url": "https://x/\\ud800"}]',
        '[{"web_url": "https://x/ y"}]',
        json.dumps([{"web_url": "https://x/" + "a" * 500}]),
        "[" * 200_000,
        '[{"web_url": ' + "9" * 5_000 + "}]",
    ],
)
def test_a_request_without_a_usable_address(tmp_path: Path, listed: str) -> None:
    """What isn't the address of a request is none: a request is opened."""
    forges = Forges(tmp_path, "glab")
    forges.prepare("glab-list", listed)
    forges.prepare("glab-create", f"see https://x/\x1b]0;a\x07 at\n{ADDRESS}\nhttps://x/\x1b[2J\n")
    assert forges.open(GITLAB) == ADDRESS
