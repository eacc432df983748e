"""What claude's sandbox leaves in a project, empty, where it mounts something."""

import os
import stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from ccc.project.tree import Tree

# outermost first
_IN_PROJECT = (".claude", ".claude/.cc-writes")
_IN_GIT = (
    *("branches", "config.worktree", "glab-cli", "info/.claude-sandbox-noreplace"),
    *("objects/info/.claude-sandbox-noreplace", "objects/info/alternates"),
    *("objects/info/commit-graphs", "objects/info/commit-graphs/.claude-sandbox-noreplace"),
    *("remotes", "worktrees"),
)


def find(tree: "Tree") -> frozenset[str]:
    """What stands where the sandbox would leave something."""
    return frozenset(path for path in _places(tree) if os.path.lexists(path))


def remove(tree: "Tree", before: "Collection[str]") -> None:
    """Remove the empty files and directories that the sandbox left since then."""
    for path in reversed(list(_places(tree))):
        if path in before:
            continue
        try:
            found = os.lstat(path)
            if stat.S_ISREG(found.st_mode) and found.st_size == 0:
                os.unlink(path)
            elif stat.S_ISDIR(found.st_mode):
                os.rmdir(path)
        except OSError:
            continue


def _places(tree: "Tree") -> "Iterator[str]":
    # of a worktree the main one too, which stands around the common git directory
    main = [os.path.dirname(own) for own in tree.repository[1:]]
    for root in dict.fromkeys((tree.directory, *tree.repository[:1], *main)):
        yield from (os.path.join(root, name) for name in _IN_PROJECT)
    for own in tree.repository[1:]:
        yield from (os.path.join(own, name) for name in _IN_GIT)
