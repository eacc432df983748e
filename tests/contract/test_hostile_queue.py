"""No git command of the queue starts a program that a repository names, wherever that is."""

import contextlib
import os
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace
from test_queue_delivery import Place, git

from ccc.backlog import delivery, worktree
from ccc.commands.queue import add
from ccc.errors import CccError
from ccc.project.git import TASK_MARK, trust_command
from ccc.system import capture, processes
from harness.processes import wait_until

PROGRAMS = """core.fsmonitor core.pager core.editor core.askPass core.sshCommand core.gitProxy
    core.alternateRefsCommand credential.helper gpg.program diff.external diff.e.command
    diff.e.textconv merge.e.driver filter.e.clean filter.e.smudge filter.e.process
    sequence.editor interactive.diffFilter uploadpack.packObjectsHook remote.origin.uploadpack
    remote.origin.receivepack pager.add pager.diff pager.status""".split()
HOOKS = """post-checkout post-index-change post-commit pre-commit pre-push reference-transaction
    fsmonitor-watchman pre-auto-gc""".split()
ATTRIBUTES = "* filter=e diff=e merge=e\n"


def configure(top: Path, evil: Path, file: Path | None = None) -> None:
    """Name the program in every setting that takes one."""
    where = ("--file", str(file)) if file else ()
    for name in PROGRAMS:
        git(top, "config", *where, name, str(evil))
    git(top, "config", *where, "core.hooksPath", str(hooks(evil)))


def hooks(evil: Path) -> Path:
    """Return a directory with the program as every hook."""
    directory = evil.parent / "evil-hooks"
    directory.mkdir(exist_ok=True)
    for name in HOOKS:
        shutil.copy(evil, directory / name)
    return directory


def settings(top: Path, evil: Path) -> None:
    """The repository's own configuration, and hooks where git looks for them by default."""
    common = Path(git(top, "rev-parse", "--path-format=absolute", "--git-common-dir"))
    shutil.copytree(hooks(evil), common / "hooks", dirs_exist_ok=True)
    configure(top, evil)


def included(top: Path, evil: Path) -> None:
    """A file that is included only for the branches of tasks, and one for their worktrees."""
    for number, condition in enumerate(("onbranch:ccc/**", "gitdir:**/worktrees/**", "gitdir:/")):
        file = evil.parent / f"included-{number}"
        configure(top, evil, file)
        git(top, "config", f"includeIf.{condition}.path", str(file))


def of_the_worktree(top: Path, evil: Path) -> None:
    """The configuration that only one worktree has."""
    git(top, "config", "extensions.worktreeConfig", "true")
    for name in PROGRAMS:
        git(top, "config", "--worktree", name, str(evil))


def lazy_fetch(top: Path, evil: Path) -> None:
    """A partial clone without the objects of its own commit; its remote is a program."""
    settings(top, evil)
    git(top, "config", "extensions.partialClone", "promisor")
    git(top, "config", "remote.promisor.promisor", "true")
    git(top, "config", "remote.promisor.url", str(evil.parent))
    git(top, "config", "remote.promisor.uploadpack", str(evil))
    git(top, "update-ref", "--no-deref", "refs/heads/lost", "HEAD")
    (top / "lost").write_text("lost\n")
    git(top, "-c", "core.hooksPath=/dev/null", "add", "--force", "lost")
    blob = git(top, "rev-parse", ":lost")
    common = Path(git(top, "rev-parse", "--path-format=absolute", "--git-common-dir"))
    (common / "objects" / blob[:2] / blob[2:]).unlink()


def alternates(top: Path, evil: Path) -> None:
    """Objects from a repository whose configuration names programs."""
    other = evil.parent / "other"
    git(evil.parent, "clone", "--quiet", str(top), str(other))
    settings(other, evil)
    common = Path(git(top, "rev-parse", "--path-format=absolute", "--git-common-dir"))
    (common / "objects" / "info" / "alternates").write_text(f"{other}/.git/objects\n")
    settings(top, evil)


def nested(place: Place, name: str) -> Path:
    """A repository inside the worktree, which the agent has added by force."""
    top = place.tree / name / "x"
    top.mkdir(parents=True)
    git(top, "init", "--quiet")
    (top / "a").write_text("a\n")
    git(top, "add", "--all")
    git(top, "commit", "--quiet", "-m", "x")
    git(place.tree, "add", "--force", str(top))
    git(place.tree, "config", "--file", ".gitmodules", f"submodule.{name}.path", f"{name}/x")
    git(place.tree, "config", f"submodule.{name}.update", f"!{place.evil}")
    (top / "a").write_text("b\n")  # of the same size: git has to read it
    return top


WAYS: list[Callable[[Path, Path], None]] = [
    *(settings, included, of_the_worktree, lazy_fetch, alternates)
]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("where", ["own", "target", "unlistable"])
def test_no_program_runs(tmp_path: Path, where: str, way: Callable[[Path, Path], None]) -> None:
    """Everything that the queue does with git, after an agent has prepared its repository."""
    place = Place(tmp_path, is_remote=False)
    top = place.tree if where == "own" else nested(place, where)
    (top / ".gitattributes").write_text(ATTRIBUTES)
    way(top, place.evil)
    if where == "unlistable":
        top.parent.chmod(0o311)  # not for root
    # the objects that are missing stay so
    tolerated = (CccError,) if way is lazy_fetch else ()
    mark = tmp_path / "ran"
    mark.unlink(missing_ok=True)
    try:
        use_queue(place, *tolerated)
        assert not mark.exists(), mark.read_text()
        if where == "own":
            # the next task in the same repository
            after = Place.__new__(Place)
            after.__dict__ |= place.__dict__
            task = replace(place.task, id=8, base=place.task.branch, worktree="", branch="")
            with place.worker():
                after.task = worktree.create(worktree.plan(task), place.execute)
            after.tree = Path(after.task.worktree)
            use_queue(after, *tolerated)
            with place.worker():
                assert worktree.remove(after.task)
            assert not mark.exists(), mark.read_text()
        fall_into(top, place)
        assert mark.exists(), "no trap"
    finally:
        top.parent.chmod(0o755)


def use_queue(place: Place, *tolerated: type[Exception]) -> None:
    """Do what the queue does before, during and after a task."""
    repo = str(place.repo)
    assert add.find_repository(str(place.tree)) == str(place.tree)
    add.check_branch(repo, "another", "HEAD")
    add.push_url(repo)
    with place.worker():
        assert worktree.is_prepared(str(place.tree))
    with contextlib.suppress(*tolerated):
        assert place.deliver().error is None
    with place.worker():
        with contextlib.suppress(*tolerated):
            assert delivery.is_clean(place.task)
        worktree.plan(replace(place.task, branch=""))


def fall_into(top: Path, place: Place) -> None:
    """Use plain git, which runs what the repository names."""
    for line in (("status",), ("cat-file", "-p", ":lost"), ("add", "--all"), ("commit", "-m", "x")):
        capture.run(("git", *line), str(top), place.env, 20)


def test_a_program_that_hangs(tmp_path: Path) -> None:
    """A timeout ends the whole group, and what left it, and doesn't wait for their output."""
    script = f"setsid sh -c 'echo $$ > {tmp_path}/one; sleep 300' & echo $! > {tmp_path}/two; wait"
    begin = time.monotonic()
    done, said = capture.run(["sh", "-c", script], str(tmp_path), {"PATH": "/usr/bin:/bin"}, 1.0)
    assert (done, said) == (False, "> 1 s")
    assert time.monotonic() - begin < 60
    pids = [int((tmp_path / name).read_text()) for name in ("one", "two")]
    wait_until(lambda: not any(processes.is_alive(pid, "sleep", "sh") for pid in pids), "the end")


def test_the_worker_has_secrets(tmp_path: Path) -> None:
    """A filter of the user's own works as it does elsewhere, without the worker's secrets."""
    place = Place(tmp_path, is_remote=False)
    clean = tmp_path / "clean"
    clean.write_text(f"#!/bin/sh\nenv > {tmp_path}/env\ntr a-z A-Z\n")
    clean.chmod(0o755)
    (place.home / ".gitconfig").write_text(f'[filter "mine"]\n\tclean = {clean}\n')
    (place.tree / ".gitattributes").write_text("new filter=mine\n")
    place.env["CCC_QUEUE_URL"] = "postgresql://me:hunter2@host/db"
    place.deliver()
    assert git(place.repo, "show", f"{place.task.branch}:new") == "NEW"
    assert "hunter2" not in (tmp_path / "env").read_text()


def test_the_users_submodules(tmp_path: Path) -> None:
    """They stay what they are, one that the agent moves is moved, and no other repository joins."""
    place = Place(tmp_path, is_remote=False)
    for name in ("kept", "moved", "removed"):
        git(place.tree, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "-f",
            str(place.origin), name)  # fmt: skip
    git(place.tree, "commit", "--quiet", "--all", "-m", "submodules")
    before = git(place.tree, "ls-tree", "HEAD", "kept")
    (place.tree / "kept" / "file").write_text("changed")
    git(place.tree / "moved", "commit", "--quiet", "--allow-empty", "-m", "more")
    git(place.tree, "add", "moved")
    git(place.tree, "rm", "--quiet", "--force", "removed")
    for name in ("added", "found", "empty"):
        git(place.root, "init", "--quiet", str(place.tree / name))
    for name in ("added", "found"):
        git(place.tree / name, "commit", "--quiet", "--allow-empty", "-m", "x")
    git(place.tree, "add", "added")
    assert place.deliver().error is None
    assert place.pushed == [".gitmodules", "file", "kept", "moved", "new"]
    assert git(place.tree, "ls-tree", place.task.branch, "kept") == before
    moved = git(place.tree / "moved", "rev-parse", "HEAD")
    assert moved in git(place.tree, "ls-tree", place.task.branch, "moved")


def test_changed_settings_are_told(tmp_path: Path) -> None:
    """Settings, hooks and attributes that changed while the task ran; not the branches' own."""
    place = Place(tmp_path, is_remote=False)
    git(place.repo, "config", "branch.main.remote", "origin")
    assert place.deliver().changed_programs == []
    git(place.repo, "config", "filter.e.smudge", str(place.evil))
    (place.repo / ".git" / "info" / "attributes").write_text(ATTRIBUTES)
    shutil.copy(place.evil, place.repo / ".git" / "hooks" / "pre-merge-commit")
    changed = ["filter.e.smudge", "hooks/pre-merge-commit", "info/attributes"]
    assert place.deliver().changed_programs == changed
    # a task that an older version has prepared
    (place.repo / ".git" / "worktrees" / place.tree.name / TASK_MARK).write_text("")
    assert place.deliver().changed_programs == []


def test_an_index_that_cannot_be_read(tmp_path: Path) -> None:
    """The result is everything that is there."""
    place = Place(tmp_path, is_remote=False)
    (place.repo / ".git" / "worktrees" / place.tree.name / "index").write_text("broken")
    place.deliver()
    assert place.pushed == ["file", "new"]


def test_a_branch_with_the_name_of_the_directory(tmp_path: Path) -> None:
    """Git can't have `ccc/…` beside `ccc`, so the task's branch gets another name."""
    place = Place(tmp_path, is_remote=False)
    git(place.repo, "branch", "-m", place.task.branch, "aside")
    git(place.repo, "branch", "ccc")
    task = replace(place.task, id=8, branch="", worktree="")
    with place.worker():
        task = worktree.plan(task)
        assert task.branch == "ccc-8-do-it-now"
        made = worktree.create(task, place.execute)
    assert git(Path(made.worktree), "branch", "--show-current") == task.branch


def test_a_repository_of_another_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error says why git refuses it, and the command that helps really does."""
    if os.geteuid():
        pytest.skip("only root can give files away")
    place = Place(tmp_path, is_remote=False)
    monkeypatch.setenv("HOME", str(place.home))
    shutil.chown(place.repo, "nobody")
    shutil.chown(place.repo / ".git", "nobody")
    with pytest.raises(CccError) as refused:
        add.find_repository(str(place.repo))
    assert refused.value.message == "git.not_trusted"
    command = trust_command(str(place.repo))
    assert refused.value.params["command"] == command
    subprocess.run(["sh", "-c", command], env=place.env, check=True)
    assert add.find_repository(str(place.repo)) == str(place.repo)
    assert trust_command(str(place.repo)) == ""
