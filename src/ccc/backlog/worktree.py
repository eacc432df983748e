"""The place of a task: a worktree or clone with its own branch, never the user's checkout."""

import os
import shutil
import zlib
from collections.abc import Mapping

from ccc.backlog import places
from ccc.backlog.task import Task
from ccc.errors import CccError
from ccc.project import git
from ccc.system import capture, private_files
from ccc.text.values import dataclass, replace

_SECONDS = 120.0
_CLONE_SECONDS = 1_800.0
_SETUP_SECONDS = 1_800.0
_LONGEST_ERROR = 500
# The agent may have changed the repository's hooks, and they would run outside of its sandbox.
_GIT = ("git", "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false")
_ASKS_NOBODY = {"GIT_TERMINAL_PROMPT": "0", "GIT_SSH_COMMAND": "ssh -o BatchMode=yes"}


@dataclass(frozen=True, slots=True)
class Place:
    """The directory of a task, its branch and the commit from which that started."""

    directory: str
    branch: str
    start: str


def plan(task: Task, environ: Mapping[str, str]) -> Place:
    """Choose the place of a task; nothing is created yet.

    The place is stored before it is created, so that an interrupted start can go on with it.
    """
    path = places.worktree(environ, task)
    if task.is_remote:
        return Place(path, task.branch_name, "")
    top = _git(task.repo, environ, "rev-parse", "--show-toplevel")
    start = _git(top, environ, "rev-parse", "--verify", "--end-of-options", _base(task))
    return Place(path, _free_branch(top, environ, task.branch_name), start)


def create(task: Task, place: Place, environ: Mapping[str, str]) -> Place:
    """Create the worktree or clone, and prepare it with the user's command."""
    if is_ready(place.directory, environ):
        return place
    os.makedirs(os.path.dirname(place.directory), mode=0o700, exist_ok=True)
    shutil.rmtree(place.directory, ignore_errors=True)  # half of an interrupted clone
    if task.is_remote:
        place = _clone(task, place, environ)
    else:
        is_made = _has_branch(task.repo, environ, place.branch)
        names = (place.directory, place.branch)
        new = names if is_made else ("-b", place.branch, place.directory, place.start)
        # twice: git locks a worktree until it is complete. Not prune, which would remove
        # what another worker has just begun.
        _change_worktrees(task.repo, environ, "add", "--quiet", "--force", "--force", *new)
    if task.setup:
        _set_up(task.setup, place.directory, environ)
    return place


def is_ready(directory: str, environ: Mapping[str, str]) -> bool:
    """Return whether there is a checkout in the directory itself."""
    if not os.path.lexists(os.path.join(directory, ".git")):
        return False
    try:
        return bool(_git(directory, environ, "rev-parse", "--verify", "HEAD"))
    except CccError:
        return False


def _clone(task: Task, place: Place, environ: Mapping[str, str]) -> Place:
    parent, directory = os.path.split(place.directory)
    _git(parent, environ, "clone", "--quiet", "--", task.repo, directory, seconds=_CLONE_SECONDS)
    base = task.base or "HEAD"
    names = [f"refs/remotes/origin/{base}", base] if task.base else [base]
    start = ""
    for name in names:
        ok, start = _try(place.directory, environ, "rev-parse", "--verify", "--quiet", f"{name}^0")
        if ok:
            break
    else:
        raise CccError("worker.no_base", base=base, repo=task.repo)
    branch = place.branch
    if _has_branch(place.directory, environ, branch, "refs/remotes/origin"):
        branch = _free_branch(place.directory, environ, branch, "refs/remotes/origin")
    _git(place.directory, environ, "switch", "--quiet", "--create", branch, start)
    return replace(place, branch=branch, start=start)


def _set_up(command: str, directory: str, environ: Mapping[str, str]) -> None:
    ok, output = capture.run(["/bin/sh", "-c", command], directory, environ, _SETUP_SECONDS)
    if not ok:
        raise CccError("worker.setup", command=command, cause=_end(output))


def remove(task: Task, environ: Mapping[str, str] = os.environ) -> bool:
    """Remove the task's worktree, but not its branch; False if there is none on this machine."""
    path = task.worktree
    inside = os.path.join(places.directory(environ), "")
    # nothing but what ccc has created
    if not path.startswith(inside) or not os.path.isdir(path):
        return False
    if not task.is_remote and os.path.isdir(task.repo):
        try:
            _change_worktrees(task.repo, environ, "remove", "--force", "--force", path)
        except CccError:
            pass  # git has forgotten it
    shutil.rmtree(path, ignore_errors=True)
    return True


def _change_worktrees(repo: str, environ: Mapping[str, str], *arguments: str) -> None:
    """Run `git worktree` while no other worker does: git reads half-written entries of others.

    Git keeps the lock if the worker is killed.
    """
    name = f".worktrees-{zlib.crc32(os.path.realpath(repo).encode()):08x}.lock"
    lock = _wait_for(os.path.join(places.directory(environ), name))
    try:
        command = [*_GIT, "worktree", *arguments]
        env = {**environ, **_ASKS_NOBODY}
        ok, output = capture.run(command, repo, env, _CLONE_SECONDS, keeps=(lock,))
    finally:
        os.close(lock)
    if not ok:
        cause = _end(output)
        raise CccError("worker.git", command="git worktree", directory=repo, cause=cause)


def _wait_for(file: str) -> int:
    """Lock the file, however long a large worktree of another task takes."""
    while True:
        try:
            return private_files.lock(file)
        except CccError as error:
            if error.message != "lock.busy":
                raise


def _base(task: Task) -> str:
    return f"{task.base or 'HEAD'}^0"


def _free_branch(
    repo: str, environ: Mapping[str, str], wanted: str, where: str = "refs/heads"
) -> str:
    """Return the name with a number if there is such a branch already."""
    name, number = wanted, 1
    while _has_branch(repo, environ, name, where):
        number += 1
        name = f"{wanted}-{number}"
    return name


def _has_branch(
    repo: str, environ: Mapping[str, str], name: str, where: str = "refs/heads"
) -> bool:
    return _try(repo, environ, "show-ref", "--verify", "--quiet", f"{where}/{name}")[0]


def git_in(directory: str, environ: Mapping[str, str], *arguments: str) -> tuple[bool, str]:
    """Run git in a task's worktree; the agent may have changed the repository's configuration."""
    return _try(directory, environ, *arguments, filters=git.own_filters(directory))


def _git(
    directory: str, environ: Mapping[str, str], *arguments: str, seconds: float = _SECONDS
) -> str:
    """Run git and return what it prints; raise CccError if it fails."""
    ok, output = _try(directory, environ, *arguments, seconds=seconds)
    if not ok:
        command = f"git {arguments[0]}"
        raise CccError("worker.git", command=command, directory=directory, cause=_end(output))
    return output


def _try(
    directory: str,
    environ: Mapping[str, str],
    *arguments: str,
    seconds: float = _SECONDS,
    filters: tuple[str, ...] = (),
) -> tuple[bool, str]:
    env = {**environ, **_ASKS_NOBODY, **git.disable(filters)}
    env.setdefault("LC_ALL", "C")
    return capture.run([*_GIT, *arguments], directory, env, seconds)


def _end(output: str) -> str:
    """Return the last part of an error, which names the cause."""
    return output[-_LONGEST_ERROR:].strip()
