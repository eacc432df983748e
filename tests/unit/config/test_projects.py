"""The entries of `projects` that apply in a directory, compared with real worktrees."""

import os
import subprocess
from pathlib import Path

import pytest
from config_texts import parse

from ccc.config import projects
from ccc.config.schema import Config
from harness.programs import needs

WHO = ("-c", "user.name=x", "-c", "user.email=x@example.org")


def git(directory: Path, *arguments: str) -> None:
    """Run git."""
    subprocess.run(["git", *WHO, *arguments], cwd=directory, check=True, capture_output=True)


def repository(directory: Path) -> Path:
    """Return a new repository with one commit."""
    directory.mkdir(parents=True)
    (directory / "app").mkdir()
    (directory / "app" / "file").write_text("x")
    git(directory, "init", "--quiet")
    git(directory, "add", ".")
    git(directory, "commit", "--quiet", "--message", "x")
    return directory


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A directory with two repositories; one has a linked worktree elsewhere."""
    needs("git")
    git(repository(tmp_path / "code" / "shop"), "worktree", "add", "--quiet", f"{tmp_path}/wt")
    repository(tmp_path / "other")
    return tmp_path


def config(home: Path, **entries: str) -> Config:
    """Return a configuration with a check and a provider for each path below the home."""
    found = {
        str(home / path): {"checks": [name], "provider": name} for name, path in entries.items()
    }
    return parse({"providers": {"p": {}, **{name: {} for name in entries}}, "projects": found})


@pytest.mark.parametrize(
    ("entries", "here", "applied"),
    [
        ({"a": "code/shop"}, "code/shop", {"a": ""}),
        ({"a": "code/shop"}, "code/shop/app", {"a": "code/shop"}),
        ({"a": "code/shop"}, "wt", {"a": ""}),
        ({"a": "code/shop"}, "wt/app", {"a": "wt"}),
        ({"a": "code/shop/app"}, "wt/app", {"a": ""}),
        ({"a": "code/shop/app"}, "wt", {}),
        ({"a": "code/shop", "b": "code/shop/app"}, "wt/app", {"a": "wt", "b": ""}),
        # the worktree has an entry of its own
        ({"a": "code/shop", "b": "wt"}, "wt/app", {"b": "wt"}),
        ({"a": "wt"}, "code/shop", {"a": ""}),
        # a directory with several repositories
        ({"a": "code"}, "code/shop/app", {"a": "code/shop"}),
        ({"a": "code", "b": "code/shop"}, "wt/app", {"a": "wt", "b": "wt"}),
        ({"a": "code"}, "code", {"a": ""}),
        ({"a": "code/shop"}, "other", {}),
        ({"a": "code/sh"}, "code/shop", {}),
    ],
)
def test_where_entries_apply(
    home: Path, entries: dict[str, str], here: str, applied: dict[str, str]
) -> None:
    """An entry applies in all of its repository's worktrees; its checks run at its place there."""
    found = config(home, **entries)
    checks = projects.apply(found, str(home / here)).supervisor.checks
    places = {c.command: os.path.relpath(c.directory, home) if c.directory else "" for c in checks}
    assert places == applied
    assert list(places) == list(applied)
    # the innermost one decides
    assert projects.binding(found, str(home / here))[0] == ([*applied, ""][len(applied) - 1 :][0])


@pytest.mark.parametrize("link", ["gitdir: {other}/.git", "gitdir: {other}/.git/worktrees/wt"])
def test_a_tree_that_only_claims_to_be_a_worktree(home: Path, link: str) -> None:
    """Whoever can write a `.git` can't choose whose checks run."""
    git(home / "other", "worktree", "add", "--quiet", str(home / "elsewhere" / "wt"))
    found = config(home, a="code/shop", b="other")
    (home / "wt" / ".git").write_text(link.format(other=home / "other"))
    assert projects.roots(found, str(home / "wt")) == {}
    (home / "wt" / ".git").unlink()
    (home / "wt" / ".git").symlink_to(home / "other" / ".git")
    assert projects.roots(found, str(home / "wt")) == {}


def test_what_applied_when_the_session_began(home: Path) -> None:
    """A change of git's files since then drops no entry."""
    found, wt = config(home, a="code/shop"), str(home / "wt")
    known = projects.roots(found, wt)
    (home / "wt" / ".git").unlink()
    assert projects.roots(found, wt) == {}
    assert projects.roots(found, wt, known=known) == known


def test_the_repository_of_a_task(home: Path) -> None:
    """For the queue, the task's repository decides, not what the tree says about itself."""
    found = config(home, a="code/shop", b="other", c="code/shop/app")
    wt, shop = str(home / "wt"), str(home / "code" / "shop")
    (home / "wt" / ".git").write_text(f"gitdir: {home}/other/.git")
    assert projects.roots(found, wt, shop) == {f"{home}/code/shop": wt}


@pytest.mark.parametrize(
    ("entries", "here", "key"),
    [
        ({}, "wt/app", "code/shop/app"),
        ({"a": "code/shop"}, "wt", "code/shop"),
        ({"a": "wt"}, "wt", "wt"),
        ({"a": "code/shop"}, "code", "code"),
    ],
)
def test_the_key_for_a_directory(home: Path, entries: dict[str, str], here: str, key: str) -> None:
    """A setting for a worktree is stored for the main checkout, since the worktree may go."""
    assert projects.key(config(home, **entries), str(home / here)) == str(home / key)
