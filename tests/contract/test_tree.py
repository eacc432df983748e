"""The working tree as git sees it: what counts as a change, and what is outside the project."""

import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from ccc.project import change
from ccc.project import git as project_git
from ccc.project.tree import Tree
from ccc.supervision import workspace
from harness.programs import needs


def git(directory: Path, *arguments: str) -> None:
    """Run git with a fixed identity."""
    who = ("-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "init.defaultBranch=main")
    subprocess.run(["git", *who, *arguments], cwd=directory, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with one commit and a directory in it."""
    needs("git")
    top = tmp_path / "top"
    (top / "sub").mkdir(parents=True)
    git(top, "init")
    (top / "sub" / "a.txt").write_text("a")
    git(top, "add", ".")
    git(top, "commit", "-m", "first")
    return top


CHANGES: dict[str, Callable[[Path], object]] = {
    "a tracked file": lambda top: (top / "sub" / "a.txt").write_text("b"),
    "a new file": lambda top: (top / "sub" / "new.txt").write_text("x"),
    "a file above the project": lambda top: (top / "above.txt").write_text("x"),
    "a tag": lambda top: git(top, "tag", "t"),
    "a branch": lambda top: git(top, "branch", "b"),
    "a commit": lambda top: git(top, "commit", "--allow-empty", "-m", "x"),
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("where", ["", "sub"])
def test_changes_are_seen(repository: Path, change: str, where: str) -> None:
    """Each change alters the fingerprint, even from a subdirectory."""
    tree = Tree(str(repository / where))
    before = tree.fingerprint()
    assert tree.fingerprint() == before
    CHANGES[change](repository)
    assert tree.fingerprint() != before


def test_ignored_files_are_work(repository: Path) -> None:
    """Ignored files count by content; caches and installed packages don't."""
    (repository / ".gitignore").write_text("*.env\nout/\nnode_modules/\n.pytest_cache/\n")
    for name in ("out", "node_modules", ".pytest_cache"):
        (repository / name).mkdir()
        (repository / name / "x").write_text("1")
    (repository / "local.env").write_text("1")
    tree = Tree(str(repository))
    before = tree.fingerprint()
    for name in ("node_modules/x", ".pytest_cache/x"):
        (repository / name).write_text("2")
    (repository / "out" / "x").write_text("1")
    assert tree.fingerprint() == before
    for name in ("local.env", "out/x", "out/y"):
        (repository / name).write_text("2")
        assert tree.fingerprint() != before
        before = tree.fingerprint()


@pytest.mark.parametrize("is_tracked", [False, True])
@pytest.mark.parametrize("has_git", [False, True])
def test_the_state_of_a_plugin(repository: Path, has_git: bool, is_tracked: bool) -> None:
    """ralph-loop counts in a file at every stop, beside ccc's hook: that is no change."""
    own = repository / ".claude"
    own.mkdir()
    state = own / "ralph-loop.local.md"
    state.write_text("iteration: 1")
    if is_tracked:
        git(repository, "add", ".")
    if not has_git:
        (repository / ".git").rename(repository.parent / "git")
    tree = Tree(str(repository))
    before, around = tree.fingerprint(), tree.surroundings()
    state.write_text("iteration: 2")
    (own / "ralph-loop.local.md.tmp.123").write_text("iteration: 3")
    assert (tree.fingerprint(), tree.surroundings()) == (before, around)
    (repository / "ralph-loop.local.md").write_text("not the plugin's")
    assert tree.fingerprint() != before


def test_a_file_that_becomes_ignored(repository: Path) -> None:
    """claude adds its local settings to the user's ignore file when it starts: no change."""
    (repository / ".claude").mkdir()
    (repository / ".claude" / "settings.local.json").write_text("{}")
    (repository / "!.txt").write_text("new")
    tree = Tree(str(repository))
    before = tree.fingerprint()
    (repository / ".git" / "info" / "exclude").write_text("**/.claude/settings.local.json\n")
    assert tree.fingerprint() == before


def test_the_diff_names_every_file(repository: Path) -> None:
    """Neither attributes nor excludes hide a change, and no file displaces the others."""
    (repository / "big.txt").write_text("")
    (repository / "small.txt").write_text("")
    (repository / "data.bin").write_bytes(b"\0\1")
    git(repository, "add", ".")
    git(repository, "commit", "-m", "more")
    (repository / ".gitattributes").write_text("* -diff\n")
    (repository / ".git" / "info" / "exclude").write_text("hidden.txt\nsecret/\n")
    (repository / "big.txt").write_text("line\n" * 50_000)
    (repository / "small.txt").write_text("the change\n")
    (repository / "data.bin").write_bytes(b"\0\2")
    (repository / "hidden.txt").write_text("x")
    (repository / "secret").mkdir()
    (repository / "secret" / "y.txt").write_text("x")
    diff = Tree(str(repository)).diff("", 20_000)
    for name in ("big.txt", "small.txt", "data.bin", "hidden.txt", "secret/y.txt"):
        assert name in diff.partition("diff --git")[0]
    assert "+the change" in diff
    assert "[cut]" in diff
    assert len(diff) < 45_000


@pytest.mark.parametrize("flag", ["--skip-worktree", "--assume-unchanged"])
def test_files_that_git_was_told_not_to_compare(repository: Path, flag: str) -> None:
    """Files that git doesn't compare are named, and their edits and removal count as changes."""
    tree = Tree(str(repository))
    assert not tree.dirty()
    git(repository, "update-index", flag, "sub/a.txt")
    before = tree.fingerprint()
    (repository / "sub" / "a.txt").write_text("z")
    assert tree.fingerprint() != before
    assert tree.dirty()
    assert "not to compare (1):\nsub/a.txt\n" in tree.diff(tree.head(), 1_000)
    (repository / "sub" / "a.txt").unlink()
    assert "not to compare (1):\nsub/a.txt\n" in tree.diff(tree.head(), 1_000)


def test_a_sparse_checkout_is_no_change(repository: Path) -> None:
    """Files outside a sparse checkout are neither named nor a change."""
    (repository / "top.txt").write_text("x")
    git(repository, "add", ".")
    git(repository, "commit", "-m", "more")
    git(repository, "sparse-checkout", "set", "--no-cone", "/top.txt")
    tree = Tree(str(repository))
    assert (tree.dirty(), tree.diff(tree.head(), 1_000)) == (False, "")


@pytest.mark.parametrize("where", ["..", "sub"])
def test_a_work_tree_that_is_elsewhere(repository: Path, tmp_path: Path, where: str) -> None:
    """With `core.worktree`, git compares another directory, so the files themselves count."""
    elsewhere = tmp_path / "elsewhere" if where == ".." else repository / where
    elsewhere.mkdir(exist_ok=True)
    git(repository, "config", "core.worktree", str(elsewhere))
    (repository / "node_modules").mkdir()
    tree = Tree(str(repository))
    before, around = tree.fingerprint(), tree.surroundings()
    (repository / "planted.txt").write_text("x")
    assert tree.fingerprint() != before
    diff = tree.diff("", 1_000)
    assert "core.worktree" in diff.partition("\n")[0]
    assert diff.endswith("\nplanted.txt\nsub/a.txt\nnode_modules/")
    (repository / ".git" / "hooks" / "pre-commit").write_text("x")
    assert tree.surroundings() != around


def test_ignored_files_that_look_old(repository: Path) -> None:
    """A file with an old date is named; for packages and caches, only the directory is."""
    began = time.time() - 60
    (repository / ".gitignore").write_text("out/\nnode_modules/\n*.env\n")
    git(repository, "add", ".")
    git(repository, "commit", "-m", "ignore")
    for name in ("node_modules/x/y.js", "out/venv/x.py", "out/worktrees/z", "local.env"):
        (repository / name).parent.mkdir(parents=True, exist_ok=True)
        (repository / name).write_text("x")
        os.utime(repository / name, (1, 1))
    diff = Tree(str(repository)).diff("", 1_000, began)
    assert "changed since (2):\nlocal.env\nout/worktrees/z\n" in diff
    assert "as a whole (2):\nnode_modules/\nout/venv/\n" in diff


def test_more_names_than_are_shown(repository: Path, tmp_path: Path) -> None:
    """If there are too many names, the rest is counted, with and without a repository."""
    plain = tmp_path / "plain"
    plain.mkdir()
    (repository / ".gitignore").write_text("out/\n")
    (repository / "out").mkdir()
    for number in range(2_100):
        (repository / "out" / f"{number:04}").touch()
        (plain / f"{number:04}").touch()
    assert "\n0499\n… and 1600 more" in Tree(str(plain)).diff("", 1_000)
    diff = Tree(str(repository)).diff("", 1_000)
    assert "changed since (2100):\nout/0000\n" in diff
    assert "\nout/0499\n… and 1600 more\n" in diff


def test_too_many_files_to_compare(repository: Path, tmp_path: Path) -> None:
    """A directory that is not compared as a whole is named."""
    added = tmp_path / "added"
    added.mkdir()
    tree = Tree(str(repository))
    tree.surroundings([str(added)])
    assert tree.too_large == set()
    for number in range(20_001):
        os.link(repository / "sub" / "a.txt", added / str(number))
    tree.surroundings([str(added)])
    assert tree.too_large == {str(added)}
    plain = Tree(str(added))
    plain.fingerprint()
    assert plain.too_large == {str(added)}


SURROUNDINGS: dict[str, Callable[[Path], object]] = {
    "a worktree": lambda top: git(top, "worktree", "add", "--detach", str(top.parent / "w")),
    "a link to a directory": lambda top: (top / ".claude" / "skills").symlink_to("/tmp"),
    **{
        path: lambda top, path=path: (top / path).write_text("planted")  # type: ignore[misc]
        for path in (
            ".claude/scheduled_tasks.json",
            ".git/hooks/pre-commit",
            ".git/info/exclude",
            ".git/objects/info/alternates",
            "../added/x",
            "../added/objects/x",
        )
    },
}


@pytest.mark.parametrize("change", SURROUNDINGS)
def test_what_the_surroundings_are(repository: Path, tmp_path: Path, change: str) -> None:
    """The surroundings include claude's and git's own files, and added directories."""
    added = tmp_path / "added"
    (added / "objects").mkdir(parents=True)
    (repository / ".claude").mkdir()
    (repository / ".git" / "info" / "exclude").write_text(".claude/\n")
    tree = Tree(str(repository))
    before = tree.surroundings([str(added)])
    tree.dirty()
    git(repository, "status")
    assert tree.surroundings([str(added)]) == before
    SURROUNDINGS[change](repository)
    assert tree.surroundings([str(added)]) != before


def test_sandboxes_of_other_tasks(repository: Path, tmp_path: Path) -> None:
    """Reviews of two tasks share a repository: the other one's mount points are no change."""
    worktree = tmp_path / "task"
    git(repository, "worktree", "add", "--quiet", str(worktree), "-b", "task")
    common = repository / ".git"
    (common / "worktrees" / "task" / project_git.TASK_MARK).touch()
    tree = Tree(str(worktree))
    before = tree.surroundings()
    for name in ("config.worktree", "glab-cli", "info/.claude-sandbox-noreplace"):
        (common / name).touch()
    assert tree.surroundings() == before
    (common / "config.worktree").write_text("[core]\n\tfsmonitor = ./program\n")
    assert tree.surroundings() != before


def test_a_new_file_that_is_edited(repository: Path) -> None:
    """An untracked file counts with its content."""
    tree = Tree(str(repository / "sub"))
    (repository / "sub" / "new.txt").write_text("one")
    before = tree.fingerprint()
    (repository / "sub" / "new.txt").write_text("two")
    assert tree.fingerprint() != before


def test_a_repository_without_a_commit(tmp_path: Path) -> None:
    """Files staged before the first commit are in the diff, and their changes are seen."""
    needs("git")
    git(tmp_path, "init")
    (tmp_path / "a.txt").write_text("hello there\n")
    git(tmp_path, "add", ".")
    tree = Tree(str(tmp_path))
    before = tree.fingerprint()
    assert "+hello there" in tree.diff("", 10_000)
    (tmp_path / "a.txt").write_text("other\n")
    assert tree.fingerprint() != before


def test_without_git(tmp_path: Path) -> None:
    """Without a repository, times and sizes count, and the diff lists the files."""
    (tmp_path / "a.txt").write_text("a")
    tree = Tree(str(tmp_path))
    before = tree.fingerprint()
    (tmp_path / "b.txt").write_text("b")
    assert tree.fingerprint() != before
    assert tree.diff("", 10_000).endswith("a.txt\nb.txt")
    assert (tree.head(), tree.dirty(), tree.outside()) == ("", False, [])


def test_what_lies_beyond(repository: Path) -> None:
    """In a subdirectory it is the rest of the repository, and in a worktree the main one."""
    assert Tree(str(repository)).outside() == []
    assert str(repository) in Tree(str(repository / "sub")).outside()
    other = repository.parent / "other"
    git(repository, "worktree", "add", str(other), "-b", "side")
    assert str(repository / ".git") in Tree(str(other)).outside()


def test_new_files_come_before_the_cut(repository: Path) -> None:
    """A long diff doesn't hide which files are new."""
    (repository / "sub" / "a.txt").write_text("long\n" * 10_000)
    (repository / "new.txt").write_text("x")
    assert "new.txt" in Tree(str(repository)).diff("", 1_000)


def test_leftovers(repository: Path) -> None:
    """What the sandbox leaves is removed; what existed before or has content stays."""
    tree = Tree(str(repository / "sub"))
    (repository / ".git" / "remotes").mkdir()
    killed = [repository / "sub" / ".bashrc", repository / ".gitmodules"]
    killed.append(repository / ".git" / "config.lock")
    for path in killed:
        path.touch(0o444)
    own = repository / "sub" / ".mcp.json"
    own.touch()
    before = workspace.find_leftovers(tree)
    (repository / ".git" / "glab-cli").mkdir()
    (repository / ".git" / "config.worktree").touch()
    (repository / ".git" / "index.lock").touch()
    (repository / "sub" / ".claude" / ".cc-writes").mkdir(parents=True)
    (repository / "empty.txt").touch()
    workspace.remove_leftovers(tree, before)
    git_dir = {path.name for path in (repository / ".git").iterdir()}
    assert {"remotes", "index.lock"} <= git_dir
    assert not {"glab-cli", "config.worktree"} & git_dir
    assert not (repository / "sub" / ".claude").exists()
    assert (repository / "empty.txt").exists()
    assert own.exists()
    assert not any(path.exists() for path in killed)


def test_how_much_has_changed(repository: Path) -> None:
    """The size counts lines since a commit, including later commits and untracked files."""
    tree = Tree(str(repository / "sub"))
    start = tree.head()
    assert tree.size(start) == {"files": 0, "added": 0, "removed": 0}
    (repository / "sub" / "a.txt").write_text("one\ntwo\n")
    git(repository, "commit", "-am", "second")
    (repository / "above.txt").write_text("new\nand no end")
    (repository / "picture").write_bytes(b"\0\n\n\n")
    assert tree.size(start) == {"files": 3, "added": 4, "removed": 1}
    assert tree.size("") == {"files": 2, "added": 2, "removed": 0}
    git(repository, "mv", "sub/a.txt", "sub/moved.txt")
    assert tree.size(tree.head()) == {"files": 3, "added": 2, "removed": 0}


def test_how_much_nobody_knows(tmp_path: Path, repository: Path) -> None:
    """Without a repository, or if the commit is gone, there is no size."""
    assert Tree(str(tmp_path)).size("") is None
    assert Tree(str(repository)).size("0" * 40) is None


def test_no_commit_yet(tmp_path: Path) -> None:
    """Before the first commit, everything is new."""
    needs("git")
    git(tmp_path, "init")
    (tmp_path / "a").write_text("x\n")
    assert Tree(str(tmp_path)).size("") == {"files": 1, "added": 1, "removed": 0}


def records(place: Path) -> list[Path]:
    """Return the state directory and what ccc writes into it."""
    files = [place / "ccc" / name for name in ("supervisor-a.json", "hook-invocation.log")]
    for file in files:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("one\n")
    return files


@pytest.mark.parametrize("tracked", [False, True])
@pytest.mark.parametrize("where", ["", "sub", "odd [*] :!x"])
def test_our_own_records_are_not_the_work(repository: Path, where: str, tracked: bool) -> None:
    """A state directory in the project is no part of the tree, tracked or not; its neighbour is."""
    place = repository / where / ".claude"
    first, _ = records(place)
    if tracked:
        git(repository, "add", ".")
        git(repository, "commit", "-m", "records")
    tree = Tree(str(repository), without=(str(place / "ccc"),))
    before, start = tree.fingerprint(), tree.head()
    first.write_text("two\nand three\n")
    assert tree.fingerprint() == before
    assert not tree.dirty()
    assert tree.diff(start, 10_000) == ""
    assert tree.size(start) == {"files": 0, "added": 0, "removed": 0}
    (place / "settings.json").write_text("{}\n")
    assert tree.fingerprint() != before
    assert tree.dirty()
    assert "settings.json" in tree.diff(start, 10_000)
    assert tree.size(start) == {"files": 1, "added": 1, "removed": 0}


def test_our_own_records_without_git(tmp_path: Path) -> None:
    """The same holds without a repository, and through a symlink."""
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    first, _ = records(tmp_path / "real")
    (tmp_path / "real" / "a.txt").write_text("a")
    tree = Tree(str(tmp_path / "link"), without=(str(tmp_path / "real" / "ccc"),))
    before = tree.fingerprint()
    first.write_text("two\n")
    assert tree.fingerprint() == before
    assert tree.diff("", 10_000).endswith("The files:\na.txt")
    (tmp_path / "real" / "a.txt").write_text("ab")
    assert tree.fingerprint() != before


def worktree(repository: Path, name: str, made: float) -> Path:
    """Create a worktree on a new branch at that time."""
    path = repository.parent / name
    git(repository, "worktree", "add", "-q", str(path))
    os.utime(repository / ".git" / "worktrees" / name / "gitdir", (made, made))
    return path


def test_which_other_worktrees_are_named(repository: Path) -> None:
    """Worktrees with changes from this session are named, however many there are."""
    for number in range(21):
        worktree(repository, f"a{number}", 1e9)
    (repository.parent / "a0" / "draft.txt").write_text("before")
    old = {name: worktree(repository, name, 1e9 + 1) for name in ("edits", "removes", "commits")}
    time.sleep(0.05)
    since = time.time()
    new = worktree(repository, "z", since)
    for path in (new, old["edits"]):
        (path / "new.txt").write_text("x")
    (old["removes"] / "sub" / "a.txt").unlink()
    git(old["commits"], "commit", "--allow-empty", "-m", "work")
    others = change.find_place(Tree(str(repository)), str(repository), since).others
    assert set(others) == set(map(str, (new, *old.values())))


def test_a_fetch_in_an_added_repository_changes_nothing(repository: Path, tmp_path: Path) -> None:
    """An editor that fetches, or a `git status`, during a review isn't a change by the reviewer."""
    added = tmp_path / "added"
    (added / ".git").mkdir(parents=True)
    tree = Tree(str(repository))
    before = tree.surroundings([str(added)])
    (added / ".git" / "FETCH_HEAD").write_text("x")
    (added / ".git" / "index").write_text("x")
    assert tree.surroundings([str(added)]) == before
    (added / ".git" / "config").write_text("x")
    assert tree.surroundings([str(added)]) != before
