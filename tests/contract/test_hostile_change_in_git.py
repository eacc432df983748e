"""Finding signals in repositories in every state that git knows, in bounded time and memory."""

import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from ccc.model.evidence import Signal
from ccc.project import change
from ccc.project.tree import Tree
from ccc.signals.claims import Work
from harness.programs import needs

STUB = "raise NotImplementedError\n"


def git(directory: Path, *arguments: str) -> str:
    """Run git with a fixed identity and return its output."""
    who = ("-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "init.defaultBranch=main")
    allow = ("-c", "protocol.file.allow=always")
    command = ["git", *who, *allow, *arguments]
    return subprocess.run(command, cwd=directory, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def top(tmp_path: Path) -> Path:
    """A repository with one commit."""
    needs("git")
    directory = tmp_path / "top"
    directory.mkdir()
    git(directory, "init")
    (directory / "a.py").write_text("x = 1\n")
    git(directory, "add", ".")
    git(directory, "commit", "-m", "first")
    return directory


def signals(directory: Path, start: str = "") -> tuple[Signal, ...]:
    """Return the signals of a tree."""
    work = Work(message="Done.", requests=("Fix it.",))
    return change.find_signals(Tree(str(directory)), start, work, ["Done."])


def head(directory: Path) -> str:
    """Return the id of the last commit."""
    return git(directory, "rev-parse", "HEAD").strip()


def test_names_that_are_not_text(top: Path) -> None:
    """Line breaks, quotes and bytes that aren't UTF-8 in a name end up as something to print."""
    for name in (b"new\nline.py", b'"quoted".py', b"\xff\xfe.py", b"\x1b[31m.py"):
        Path(os.fsdecode(os.path.join(os.fsencode(top), name))).write_text(STUB)
    untracked = signals(top)
    git(top, "add", ".")
    tracked = signals(top)
    assert len(untracked) == len(tracked) == 4
    for each in (*untracked, *tracked):
        assert each.place.isprintable()
        assert each.summary.encode()
    assert {each.file for each in untracked} == {each.file for each in tracked}


def move(top: Path) -> Path:
    """A renamed and changed file."""
    (top / "a.py").rename(top / "b.py")
    (top / "b.py").write_text("x = 1\n" + STUB)
    git(top, "add", ".")
    return top


def link(top: Path) -> Path:
    """Links to nothing and to a device, and a pipe."""
    (top / "link.py").symlink_to("/dev/zero")
    (top / "loop.py").symlink_to("loop.py")
    os.mkfifo(top / "pipe.py")
    (top / "new.py").write_text(STUB)
    return top


def binary(top: Path) -> Path:
    """Binary files."""
    (top / "a.bin").write_bytes(bytes(range(256)) * 1000)
    git(top, "add", ".")
    (top / "b.bin").write_bytes(b"\0TODO")
    (top / "new.py").write_text(STUB)
    return top


def nested(top: Path) -> Path:
    """A submodule with a change."""
    git(top, "submodule", "add", str(top), "part")
    (top / "part" / "a.py").write_text("y = 1\n")
    (top / "new.py").write_text(STUB)
    return top


def shallow(top: Path) -> Path:
    """A clone without its history."""
    (top / "a.py").write_text("x = 2\n")
    git(top, "commit", "-am", "second")
    git(top.parent, "clone", "--depth=1", f"file://{top}", "shallow")
    (top.parent / "shallow" / "a.py").write_text(STUB)
    return top.parent / "shallow"


def detached(top: Path) -> Path:
    """A worktree without a branch."""
    git(top, "worktree", "add", "--detach", "../tree")
    (top.parent / "tree" / "a.py").write_text(STUB)
    return top.parent / "tree"


def unborn(top: Path) -> Path:
    """No commit at all."""
    empty = top.parent / "empty"
    empty.mkdir()
    git(empty, "init")
    (empty / "a.py").write_text(STUB)
    git(empty, "add", ".")
    return empty


def other_prefixes(top: Path) -> Path:
    """A configuration that changes how git shows a diff."""
    git(top, "config", "diff.noprefix", "true")
    git(top, "config", "diff.submodule", "log")
    (top / "a.py").write_text(STUB)
    return top


def conflict(top: Path) -> Path:
    """A merge that stopped."""
    git(top, "checkout", "-b", "other")
    (top / "a.py").write_text("x = 2\n")
    git(top, "commit", "-am", "theirs")
    git(top, "checkout", "main")
    (top / "a.py").write_text("x = 3\n")
    git(top, "commit", "-am", "ours")
    with pytest.raises(subprocess.CalledProcessError):
        git(top, "merge", "other")
    (top / "new.py").write_text(STUB)
    return top


@pytest.mark.parametrize(
    "prepare",
    [move, link, binary, nested, shallow, detached, unborn, other_prefixes, conflict],
)
def test_states(top: Path, prepare: Callable[[Path], Path]) -> None:
    """The stub is found, and nothing else, in a repository in this state."""
    found = signals(prepare(top))
    assert [each.name for each in found] == ["stub"]
    assert found[0].file in {"a.py", "b.py", "new.py"}


def test_the_start_is_gone(top: Path) -> None:
    """Without the commit at which the task began, uncommitted changes are looked at."""
    (top / "a.py").write_text(STUB)
    assert [each.name for each in signals(top, "1" * 40)] == ["stub"]


def test_the_start_was_rebased_away(top: Path) -> None:
    """A commit that no branch has any more is still what the work is compared with."""
    begin = head(top)
    (top / "a.py").write_text(STUB)
    git(top, "commit", "-a", "--amend", "-m", "other")
    assert [each.name for each in signals(top, begin)] == ["stub"]


def used() -> float:
    """Return the processor time of this process and its children."""
    both = (resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in both)


def test_a_huge_change(top: Path) -> None:
    """A huge file, many lines and thousands of new files take a bounded time and memory."""
    (top / "data.txt").write_text("x = 1  # a line of a generated file\n" * 3_000_000)
    git(top, "add", ".")
    for number in range(5_000):
        (top / f"new{number}.py").write_text("def f(x):\n    return 'a text'\n" * 5)
    begin, before = used(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    signals(top)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert used() - begin < 3
    unit = 1 if sys.platform == "darwin" else 1024
    assert grown * unit < 100 * 1024**2  # the diff alone has 110 MB


def test_a_slow_git(top: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A git that hangs is ended, with what it has written so far lost."""
    fake = tmp_path / "bin" / "git"
    fake.parent.mkdir()
    fake.write_text("#!/bin/sh\necho begun\nexec sleep 60\n")
    fake.chmod(0o755)
    tree = Tree(str(top))
    assert tree.repository
    monkeypatch.setenv("PATH", f"{fake.parent}:{os.environ['PATH']}")
    begin = time.monotonic()
    assert tree.git_output("diff", seconds=0.5, most=1_000) is None
    assert tree.git_output("diff", seconds=30, most=3) == b"beg"
    assert time.monotonic() - begin < 20
