"""The empty files that claude's sandbox leaves in a tree and in its git directories."""

import os
import stat
from collections.abc import Collection, Iterator

from ccc.project import git
from ccc.project.tree import Tree

# files that claude's sandbox leaves at its mount points, parents first
_LEFT_IN_PROJECT = (".claude", ".claude/.cc-writes")


def find(tree: Tree) -> frozenset[str]:
    """Return the existing paths at which claude's sandbox may leave files."""
    return frozenset(path for path in _paths(tree) if os.path.lexists(path))


def remove(tree: Tree, before: Collection[str]) -> None:
    """Remove empty files and directories that the sandbox left, except those in `before`."""
    for path in [path for path in _paths(tree) if path not in before][::-1]:
        try:
            status = os.lstat(path)
            if stat.S_ISREG(status.st_mode) and status.st_size == 0:
                os.unlink(path)
            elif stat.S_ISDIR(status.st_mode):
                os.rmdir(path)
        except OSError:
            continue


def _paths(tree: Tree) -> Iterator[str]:
    # for a worktree, include the main one, which contains the common git directory
    main = map(os.path.dirname, tree.repository[1:])
    roots = dict.fromkeys((tree.directory, *tree.repository[:1], *main))
    yield from (os.path.join(root, name) for root in roots for name in _LEFT_IN_PROJECT)
    yield from (
        os.path.join(own, name) for own in tree.repository[1:] for name in git.LEFT_BY_SANDBOX
    )
