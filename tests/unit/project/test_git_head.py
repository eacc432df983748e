"""The checked-out commit, read without git and compared with what git says."""

import os
import subprocess
from pathlib import Path

import pytest

from ccc.project.git import read_head
from harness.programs import needs


def git(directory: Path, *arguments: str) -> str:
    """Run git with a fixed identity and without this machine's configuration."""
    env = {
        "PATH": os.environ["PATH"],
        "HOME": str(directory),
        "GIT_CONFIG_NOSYSTEM": "1",
        **{
            f"GIT_{who}_{what}": "x@example.org"
            for who in ("AUTHOR", "COMMITTER")
            for what in ("NAME", "EMAIL")
        },
    }
    done = subprocess.run(
        ["git", *arguments], cwd=directory, env=env, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with one commit on the branch main."""
    needs("git")
    directory = tmp_path / "repository"
    directory.mkdir()
    git(directory, "init", "--quiet", "--initial-branch=main")
    commit(directory)
    return directory


def commit(directory: Path) -> str:
    """Make another commit and return its id."""
    git(directory, "commit", "--quiet", "--allow-empty", "--message", "more")
    return git(directory, "rev-parse", "HEAD")


def test_branch(repository: Path) -> None:
    """HEAD is the branch's commit, even after another one and from a subdirectory."""
    assert read_head(str(repository)) == git(repository, "rev-parse", "HEAD")
    newest = commit(repository)
    below = repository / "a" / "b"
    below.mkdir(parents=True)
    assert read_head(str(below)) == newest


def test_packed_refs(repository: Path) -> None:
    """A branch is found in packed-refs, among others with similar names."""
    for name in ("xmain", "main2", "x/main"):
        git(repository, "branch", name)
        commit(repository)
    newest = git(repository, "rev-parse", "HEAD")
    git(repository, "pack-refs", "--all")
    assert not (repository / ".git/refs/heads/main").exists()
    assert read_head(str(repository)) == newest
    # a loose ref is newer than the packed one
    later = commit(repository)
    assert read_head(str(repository)) == later != newest


def test_detached(repository: Path) -> None:
    """Without a branch, HEAD names the commit itself."""
    first = git(repository, "rev-parse", "HEAD")
    commit(repository)
    git(repository, "checkout", "--quiet", "--detach", first)
    assert read_head(str(repository)) == first


@pytest.mark.parametrize("packed", [False, True])
def test_worktree(repository: Path, packed: bool) -> None:
    """A worktree has its own HEAD and shares the branches."""
    other = repository.parent / "other"
    git(repository, "worktree", "add", "--quiet", "-b", "topic", str(other))
    newest = commit(other)
    if packed:
        git(repository, "pack-refs", "--all")
    assert read_head(str(other)) == newest
    assert read_head(str(repository)) == git(repository, "rev-parse", "HEAD") != newest


def test_submodule(repository: Path) -> None:
    """A submodule's .git is a file with a relative path."""
    outer = repository.parent / "outer"
    outer.mkdir()
    git(outer, "init", "--quiet", "--initial-branch=main")
    allow = ("-c", "protocol.file.allow=always")
    git(outer, *allow, "submodule", "--quiet", "add", str(repository), "inner")
    newest = commit(outer / "inner")
    assert read_head(str(outer / "inner")) == newest


def test_no_commit_yet(tmp_path: Path) -> None:
    """A new repository has no commit."""
    needs("git")
    git(tmp_path, "init", "--quiet")
    assert read_head(str(tmp_path)) == ""


@pytest.mark.parametrize(
    "content", [None, "", "nonsense", "gitdir: /nowhere", "gitdir: gone", "\xff\xfe"]
)
def test_no_repository(tmp_path: Path, content: str | None) -> None:
    """A missing or broken repository gives nothing, without an error."""
    if content is not None:
        (tmp_path / ".git").write_bytes(content.encode("latin-1"))
    assert read_head(str(tmp_path)) == ""


@pytest.mark.parametrize("ref", ["ref: refs/heads/gone", "ref: ", "ref: ../../../etc", ""])
def test_broken_head(repository: Path, ref: str) -> None:
    """A HEAD that points nowhere gives nothing."""
    (repository / ".git/HEAD").write_text(ref)
    assert read_head(str(repository)) == ""


def test_missing_directory(tmp_path: Path) -> None:
    """A missing directory gives nothing."""
    assert read_head(str(tmp_path / "gone")) == ""
