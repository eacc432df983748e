"""Where the agent works: in the project, or in another worktree of its repository."""

import os
from dataclasses import dataclass

from ccc.project.tree import Tree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_MOST_WORKTREES = 20


@dataclass(frozen=True, slots=True)
class Place:
    """The directory that is judged, and where else there is work, which nobody checks."""

    directory: str
    others: tuple[str, ...] = ()


def find(project: str, cwd: str, since: float, start: str = "") -> Place:
    """Where the agent of a project works that stands in `cwd` now.

    It is the worktree that it stands in. Others count where they have changes and were made
    `since` then; so does the project that it has left, also with commits since `start`. Another
    repository is named, not judged.
    """
    home = Tree(project).repository
    there = home if cwd in ("", project) else Tree(cwd).repository
    if not home or not there or home[-1] != there[-1]:
        away = bool(cwd) and not _is_below(cwd, project)
        return Place(project, (cwd,) if away else ())
    if there[0] == home[0]:
        return Place(project, tuple(_changed(home, (home[0],), since)))
    inside = os.path.join(there[0], os.path.relpath(os.path.realpath(project), home[0]))
    left = [project] if _is_left(Tree(project), Tree(there[0]), start) else []
    others = (*left, *_changed(home, (home[0], there[0]), since))
    return Place(os.path.normpath(inside) if os.path.isdir(inside) else there[0], others)


def _is_left(project: Tree, worktree: Tree, start: str) -> bool:
    """Whether there is work in the project that the worktree does not have."""
    head = project.head()
    return project.dirty() or (start not in ("", head) and not worktree.has(head))


def _changed(home: tuple[str, ...], known: tuple[str, ...], since: float) -> "Iterator[str]":
    """The other worktrees that were made since then, and have changes."""
    try:
        listed = sorted(os.listdir(os.path.join(home[-1], "worktrees")))
    except OSError:
        return
    for name in listed[:_MOST_WORKTREES]:
        try:
            with open(os.path.join(home[-1], "worktrees", name, "gitdir"), "rb") as file:
                path = os.path.dirname(os.fsdecode(file.readline().rstrip(b"\n")))
                made = os.fstat(file.fileno()).st_mtime
        except OSError:
            continue
        if made >= since - 1 and path not in known and Tree(path).is_changed():
            yield path


def _is_below(path: str, directory: str) -> bool:
    top = os.path.join(os.path.realpath(directory), "")
    return os.path.join(os.path.realpath(path), "").startswith(top)
