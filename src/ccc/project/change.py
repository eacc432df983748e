"""Read the whole change of a tree, and find its signals."""

import os
import stat
from collections.abc import Sequence

from ccc.project import git
from ccc.project.tree import Tree
from ccc.signals import files, patch
from ccc.signals.claims import Work
from ccc.signals.find import find
from ccc.signals.patch import FileChange
from ccc.signals.signal import Signal
from ccc.text.values import replace

_EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
_SECONDS = 5.0
_MOST_DIFF = 8 * 1024 * 1024
_MOST_NEW, _LARGEST_NEW = 300, 256 * 1024
_MOST_TESTS, _LARGEST_TEST = 100, 128 * 1024


def find_signals(tree: Tree, start: str, work: Work, texts: Sequence[str]) -> tuple[Signal, ...]:
    """Return the signals of the work since the commit `start`; `texts` are the agent's messages."""
    changes = read_change(tree, start)
    names = [each.path for each in changes]
    added = [line.text for each in changes for line in each.added]
    work = replace(
        work,
        names=names,
        trace="\n".join([*added, *names, *texts]),
        has_commit=tree.head() != start if start and tree.repository else None,
    )
    return find(changes, work, read_tests(tree))


def read_change(tree: Tree, start: str) -> list[FileChange]:
    """Return the changes since the commit `start`, including files that git doesn't track."""
    if not tree.repository:
        return []
    begin = start or tree.head() or _EMPTY_TREE
    diff = tree.git_output(*git.DIFF, "--find-renames", "--text", begin, seconds=_SECONDS) or b""
    changes = patch.parse(diff[:_MOST_DIFF].decode(errors="replace"))
    new = tree.git_names("ls-files", "--others", "--exclude-standard")
    for name in sorted(new)[:_MOST_NEW]:
        changes.append(patch.new_file(name, _read(tree, name, _LARGEST_NEW).splitlines()))
    return changes


def read_tests(tree: Tree) -> dict[str, str]:
    """Return the text of the project's test files, by path, as far as they aren't many or large."""
    if not tree.repository:
        return {}
    names = [name for name in tree.git_names("ls-files") if files.is_test(name)]
    return {name: _read(tree, name, _LARGEST_TEST) for name in names[:_MOST_TESTS]}


def _read(tree: Tree, name: str, most: int) -> str:
    """Return the text of a file; empty if it is large, binary, or no regular file."""
    path = os.path.join(tree.repository[0], name)
    try:
        if not stat.S_ISREG(os.lstat(path).st_mode):
            return ""
        with open(path, "rb") as file:
            content = file.read(most + 1)
    except OSError:
        return ""
    return "" if len(content) > most or b"\0" in content else content.decode(errors="replace")
