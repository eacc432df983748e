"""Find where the agent works: in the project or in another worktree of its repository."""

import glob
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass

from ccc.project import git, walk
from ccc.project.tree import Tree

_MAX_WORKTREES = 20
# total time for checking worktrees that existed before the session
_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Workplace:
    """The directory to judge, and other directories with work that isn't checked."""

    directory: str
    others: tuple[str, ...] = ()
    moved: tuple[str, str] = ("", "")
    """The top of the project's worktree, and of the other one in which the agent works."""

    def path(self, directory: str) -> str:
        """Return the same directory where the agent works; "" is the judged one itself."""
        home, there = self.moved
        if not directory or not home or not walk.is_below(directory, home):
            return directory or self.directory
        return os.path.normpath(os.path.join(there, os.path.relpath(directory, home)))


def find(home: Tree, cwd: str, since: float, start: str = "") -> Workplace:
    """Find the worktree that contains `cwd`, where the agent works now.

    Lists other worktrees if they have changes and either the changes or the worktree are newer
    than `since`. Lists the project if the agent left changes there or commits after `start`. A
    different repository is listed, not judged. `home` is the project.
    """
    project, here = home.directory, home.repository
    there = here if cwd in ("", project) else Tree(cwd).repository
    if not here or not there or here[-1] != there[-1]:
        away = bool(cwd) and not walk.is_below(cwd, project)
        return Workplace(project, (cwd,) if away else ())
    if there[0] == here[0]:
        return Workplace(project, tuple(_changed(here, (here[0],), since)))
    moved = here[0], there[0]
    inside = Workplace("", moved=moved).path(os.path.realpath(project))
    head = home.head()
    is_left = home.dirty() or (start not in ("", head) and not Tree(there[0]).has(head))
    others = (*([project] if is_left else []), *_changed(here, (here[0], there[0]), since))
    return Workplace(inside if os.path.isdir(inside) else there[0], others, moved)


def _changed(here: tuple[str, ...], known: tuple[str, ...], since: float) -> Iterator[str]:
    """Yield the other worktrees that this session may have changed, newest first."""
    worktrees = [each for each in _worktrees(here[-1], since) if each[2] not in known]
    worktrees.sort(reverse=True)
    for path in [path for is_new, _, path in worktrees if is_new][:_MAX_WORKTREES]:
        if Tree(path).is_changed():
            yield path
    until = time.monotonic() + _SECONDS
    for path in [path for is_new, _, path in worktrees if not is_new][:_MAX_WORKTREES]:
        if time.monotonic() < until and _has_new_files(path, since):
            yield path


def _worktrees(git_dir: str, since: float) -> Iterator[tuple[bool, float, str]]:
    """Yield for each worktree whether it or its last commit is new, its creation time, its path."""
    for file in glob.iglob(os.path.join(glob.escape(git_dir), "worktrees", "*", "gitdir")):
        try:
            with open(file, "rb") as pointer:
                path = os.path.dirname(os.fsdecode(pointer.readline().rstrip(b"\n")))
                made = os.fstat(pointer.fileno()).st_mtime
        except OSError:
            continue
        if os.path.exists(os.path.join(os.path.dirname(file), git.TASK_MARK)):
            continue  # another task of the queue, with an agent of its own
        log = os.path.join(os.path.dirname(file), "logs", "HEAD")
        yield made >= since - 1 or walk.changed_at(log) > since, made, path


def _has_new_files(worktree: str, since: float) -> bool:
    """Return whether an uncommitted file changed since then."""
    command = (*git.STATUS, "--porcelain", "-z", "--no-renames", "--untracked-files=all")
    filters = git.own_filters(worktree)
    listed = git.ask(worktree, *command, filters=filters, seconds=_SECONDS) or b""
    paths = (os.path.join(worktree, os.fsdecode(each[3:])) for each in listed.split(b"\0")[:-1])
    # if the file was deleted, check its directory
    return any((walk.changed_at(p) or walk.changed_at(os.path.dirname(p))) > since for p in paths)
