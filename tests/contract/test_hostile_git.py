"""ccc asks git about a repository with a hostile configuration without running any of it."""

import os
import subprocess
from pathlib import Path

import pytest

from ccc.project.tree import Tree
from harness.programs import needs


class Trap:
    """Programs that leave a mark when they run, and a repository whose configuration names them."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.marks = root / "marks"
        self.marks.mkdir()
        self.top = self.repository("top")

    def program(self, name: str, then: str = "cat") -> str:
        """Create a program that leaves a mark with this name."""
        path = self.root / f"evil-{name}"
        path.write_text(f"#!/bin/sh\ntouch {self.marks}/{name}\n{then}\n")
        path.chmod(0o755)
        return str(path)

    def repository(self, name: str) -> Path:
        """Create a repository with two commits."""
        top = self.root / name
        top.mkdir()
        git(top, "init", "--quiet")
        for text in ("one\n", "two\n"):
            (top / "a.txt").write_text(text)
            (top / "b.txt").write_text(text)
            git(top, "add", ".")
            git(top, "commit", "--quiet", "--message", text)
        return top

    def configure(self, top: Path, prefix: str = "") -> None:
        """Configure a program wherever git would run one, and change a file and its time."""
        (top / ".gitattributes").write_text("* filter=ev=il diff=evil merge=evil\n")
        programs = """core.fsmonitor core.pager pager.diff pager.status diff.external
            diff.evil.command diff.evil.textconv filter.ev=il.clean filter.ev=il.smudge
            filter.ev=il.process core.sshCommand core.editor gpg.program credential.helper
            core.alternateRefsCommand uploadpack.packObjectsHook interactive.diffFilter"""
        for key in programs.split():
            git(top, "config", key, self.program(f"{prefix}{key}"))
        git(top, "config", "filter.ev=il.required", "true")
        git(top, "config", "alias.status", f"!{self.program(f'{prefix}alias')}")
        hooks = self.root / f"{prefix}hooks"
        hooks.mkdir()
        for hook in ("post-index-change", "fsmonitor-watchman", "reference-transaction"):
            (hooks / hook).symlink_to(self.program(f"{prefix}{hook}"))
        git(top, "config", "core.hooksPath", str(hooks))
        (top / "a.txt").write_text("changed\n")
        os.utime(top / "b.txt", (1, 1))

    @property
    def sprung(self) -> list[str]:
        """Return the programs that ran."""
        return sorted(path.name for path in self.marks.iterdir())


def git(directory: Path, *arguments: str) -> None:
    """Run git with a fixed identity."""
    who = (
        "-c",
        "user.name=n",
        "-c",
        "user.email=e@example.org",
        "-c",
        "protocol.file.allow=always",
    )
    subprocess.run(["git", *who, *arguments], cwd=directory, check=True, capture_output=True)


def ask_everything(directory: Path) -> str:
    """Ask everything that ccc ever asks about a tree and return the diff."""
    tree = Tree(str(directory))
    tree.head(), tree.dirty(), tree.outside(), tree.fingerprint(), tree.size("")
    return tree.diff("", 10_000)


@pytest.fixture
def trap(tmp_path: Path) -> Trap:
    """A trap that plain git falls into."""
    needs("git")
    return Trap(tmp_path)


def test_configuration(trap: Trap) -> None:
    """No filter, hook, external diff, pager or monitor runs, and the changes are seen."""
    trap.configure(trap.top)
    assert "+changed" in ask_everything(trap.top)
    assert trap.sprung == []
    # plain git runs them, so the trap works
    subprocess.run(["git", "-C", trap.top, "diff"], capture_output=True, check=False)
    assert trap.sprung


def test_included_configuration(trap: Trap) -> None:
    """A filter that an included file defines counts as the repository's own."""
    (trap.top / ".gitattributes").write_text("* filter=other\n")
    more = trap.root / "more"
    more.write_text(f'[filter "other"]\n\tclean = {trap.program("included")}\n')
    git(trap.top, "config", "include.path", str(more))
    (trap.top / "a.txt").write_text("changed\n")
    assert "+changed" in ask_everything(trap.top)
    assert trap.sprung == []


def test_a_filter_of_the_user_runs(trap: Trap, monkeypatch: pytest.MonkeyPatch) -> None:
    """The user's git-lfs filter runs, because without it every large file would look changed."""
    home = trap.root / "home"
    home.mkdir()
    (home / ".gitconfig").write_text(f'[filter "mine"]\n\tclean = {trap.program("users")}\n')
    monkeypatch.setenv("HOME", str(home))
    (trap.top / ".gitattributes").write_text("* filter=mine\n")
    (trap.top / "a.txt").write_text("changed\n")
    ask_everything(trap.top)
    assert trap.sprung == ["users"]


def test_submodules(trap: Trap) -> None:
    """Changes in a submodule are seen, and nothing in its own configuration runs."""
    outer = trap.repository("outer")
    git(outer, "submodule", "--quiet", "add", str(trap.top), "inner")
    git(outer, "commit", "--quiet", "--message", "with a submodule")
    tree = Tree(str(outer))
    assert (tree.dirty(), tree.diff("", 1_000)) == (False, "")
    clean = tree.fingerprint()
    trap.configure(outer / "inner", "inner-")
    tree = Tree(str(outer))
    assert tree.dirty()
    changed = tree.fingerprint()
    assert "In the submodule inner:" in ask_everything(outer)
    assert "+changed" in ask_everything(outer)
    (outer / "inner" / "a.txt").write_text("changed again\n")
    assert len({clean, changed, tree.fingerprint()}) == 3
    assert trap.sprung == []


def test_commits_in_a_submodule(trap: Trap) -> None:
    """Commits made in a submodule since the start are part of the diff."""
    outer = trap.repository("outer")
    git(outer, "submodule", "--quiet", "add", str(trap.top), "inner")
    git(outer, "commit", "--quiet", "--message", "with a submodule")
    tree = Tree(str(outer))
    start = tree.head()
    (outer / "inner" / "a.txt").write_text("committed\n")
    git(outer / "inner", "commit", "--quiet", "--all", "--message", "more")
    assert "+committed" in tree.diff(start, 10_000)


def test_submodules_that_are_none(trap: Trap) -> None:
    """Submodule paths that lead elsewhere, or to the repository itself, are skipped."""
    lines = [
        f'[submodule "{n}"]\n\tpath = {path}\n' for n, path in enumerate(("..", ".", "/", "x", ""))
    ]
    (trap.top / ".gitmodules").write_text("".join(lines))
    assert ".gitmodules" in ask_everything(trap.top)


@pytest.mark.parametrize("how", ["uploadpack", "ext"])
def test_a_partial_clone(trap: Trap, how: str) -> None:
    """Missing objects are not fetched, because the repository would choose the program."""
    git(trap.top, "config", "uploadpack.allowFilter", "true")
    lacking = ("--no-local", "--filter=blob:none", "--no-checkout")
    git(trap.root, "clone", "--quiet", *lacking, trap.top.as_uri(), "part")
    part = trap.root / "part"
    git(part, "config", "remote.origin.uploadpack", trap.program("uploadpack"))
    if how == "ext":
        git(part, "config", "protocol.ext.allow", "always")
        git(part, "config", "remote.origin.url", f"ext::{trap.program('ext')}")
    ask_everything(part)
    assert trap.sprung == []


@pytest.mark.parametrize("entry", [".", "", "bin"])
def test_a_git_of_the_project(trap: Trap, monkeypatch: pytest.MonkeyPatch, entry: str) -> None:
    """With the current directory on PATH, the project still can't choose the git that runs."""
    own = trap.top / entry / "git"
    own.parent.mkdir(exist_ok=True)
    own.symlink_to(trap.program("git", then="exit 1"))
    monkeypatch.setenv("PATH", f"{entry}:{os.environ['PATH']}:{entry}")
    assert Tree(str(trap.top)).head()
    assert trap.sprung == []
