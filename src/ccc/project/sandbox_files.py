"""The empty files that claude's sandbox leaves in a tree and in its git directories."""

import contextlib
import os
import stat
from collections.abc import Collection, Iterator

from ccc.project import git
from ccc.project.tree import Tree

# what claude's sandbox leaves at its mount points, parents first
_LEFT_IN_PROJECT = (".claude", ".claude/.cc-writes")
# what it protects by mounting over it; if claude is killed meanwhile, they stay
_PLACEHOLDERS = (
    *(".bash_profile", ".bashrc", ".gitconfig", ".gitmodules", ".idea", ".mcp.json", ".profile"),
    *(".ripgreprc", ".vscode", ".zprofile", ".zshrc"),
    *(f".claude/{name}" for name in ("agents", "commands", "hooks", "launch.json", "loop.md")),
    *(f".claude/{name}" for name in ("output-styles", "routines", "scheduled_tasks.json")),
    *(f".claude/{name}" for name in ("settings.json", "settings.local.json", "skills")),
    ".claude/workflows",
)
_MODE = 0o444  # that of bwrap: nobody else creates an empty file that can't be written


def find(tree: Tree) -> frozenset[str]:
    """Return the existing paths at which claude's sandbox may leave files."""
    return frozenset(path for path in _paths(tree) if os.path.lexists(path))


def remove(tree: Tree, before: Collection[str]) -> None:
    """Remove empty files and directories that the sandbox left, except those in `before`."""
    for directory in (tree.directory, *tree.repository[:1]):
        remove_placeholders(directory, *tree.repository[1:])
    for path in [path for path in _paths(tree) if path not in before][::-1]:
        try:
            status = os.lstat(path)
            if stat.S_ISREG(status.st_mode) and status.st_size == 0:
                os.unlink(path)
            elif stat.S_ISDIR(status.st_mode):
                os.rmdir(path)
        except OSError:
            continue


def remove_placeholders(directory: str, *git_dirs: str) -> None:
    """Remove the empty files that a killed sandbox has left in a project and its git directories.

    With the lock, git would change no setting any more.
    """
    locks = (os.path.join(each, "config.lock") for each in git_dirs)
    for path in (*(os.path.join(directory, name) for name in _PLACEHOLDERS), *locks):
        with contextlib.suppress(OSError):
            status = os.lstat(path)
            if status.st_mode == stat.S_IFREG | _MODE and status.st_size == 0:
                os.unlink(path)


def _paths(tree: Tree) -> Iterator[str]:
    # for a worktree, include the main one, which contains the common git directory
    main = map(os.path.dirname, tree.repository[1:])
    roots = dict.fromkeys((tree.directory, *tree.repository[:1], *main))
    yield from (os.path.join(root, name) for root in roots for name in _LEFT_IN_PROJECT)
    yield from (
        os.path.join(own, name) for own in tree.repository[1:] for name in git.LEFT_BY_SANDBOX
    )
