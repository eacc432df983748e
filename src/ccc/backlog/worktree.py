"""The place of a task: a worktree or clone with its own branch, never the user's checkout."""

import json
import os
import shutil
import sys
import time
import zlib
from collections.abc import Callable, Mapping, Sequence

from msgspec.structs import replace

from ccc.backlog import git_command, places
from ccc.backlog.task import QueuedTask
from ccc.errors import CccError
from ccc.project import git
from ccc.storage import files
from ccc.system import private_files

_CLONE_SECONDS = 1_800.0
_SETUP_SECONDS = 1_800.0
_LOCK_SECONDS = 0.05
Execute = Callable[[Sequence[str], str, Mapping[str, str], float], tuple[bool, str]]
"""Runs a command that may take long: its line, directory, environment and most seconds."""
# it has the task's lock, which the user's command doesn't inherit: what that leaves running (a
# database, a build server) must not keep the task from going on
_SETUP = "import subprocess, sys; sys.exit(subprocess.call(['/bin/sh', '-c', sys.argv[1]]))"


def plan(task: QueuedTask) -> QueuedTask:
    """Return the task with a place: worktree, branch and start; nothing is created yet.

    The place is stored before it is created, so that an interrupted start can go on with it.
    """
    path = places.worktree(task)
    if task.is_remote:
        return replace(task, worktree=path, branch=task.branch_name, start="")
    verify = ("rev-parse", "--verify", "--end-of-options")
    start = git_command.run(task.repo, *verify, f"{task.base or 'HEAD'}^0")
    branch = _free_branch(task.repo, task.branch_name)
    return replace(task, worktree=path, branch=branch, start=start)


def create(task: QueuedTask, execute: Execute) -> QueuedTask:
    """Create the worktree or clone, and prepare it with the user's command."""
    if not is_ready(task.worktree):
        files.make_directory(os.path.dirname(task.worktree))
        shutil.rmtree(task.worktree, ignore_errors=True)  # half of an interrupted clone
        if task.is_remote:
            _clone(task, execute)
        else:
            task = _add_worktree(task)
    if task.is_remote and not task.start:
        task = _switch(task)
    if task.setup:
        line = (sys.executable, "-IS", "-c", _SETUP, task.setup)
        env = places.env_of_run(os.environ)
        done, output = execute(line, task.worktree, env, _SETUP_SECONDS)
        if not done:
            if len(output) > 2 * git_command.LONGEST_ERROR:  # either end may name the cause
                begin, end = output[: git_command.LONGEST_ERROR], git_command.end_of(output)
                output = f"{begin.strip()}\n…\n{end}"
            raise CccError("worker.setup", command=task.setup, cause=output)
    where = ("rev-parse", "--path-format=absolute", "--git-dir", "--git-common-dir")
    own, common = git_command.run(task.worktree, *where).split("\n")
    with open(os.path.join(own, git.TASK_MARK), "w") as file:
        json.dump(git.programs(own, common), file)
    return task


def _add_worktree(task: QueuedTask) -> QueuedTask:
    start = task.start
    if _has_branch(task.repo, task.branch):
        used = git_command.run(task.repo, "worktree", "list", "--porcelain").splitlines()
        ref = f"branch refs/heads/{task.branch}"
        at = used.index(ref) if ref in used else 0
        paths = [each for each in used[:at] if each.startswith("worktree ")]
        if paths and paths[-1] != f"worktree {task.worktree}":
            # the user looks at it: the agent must not move it under their feet
            start = task.branch
            task = replace(task, branch=_free_branch(task.repo, task.branch))
        else:
            start = ""
    new = ("-b", task.branch) if start else ()
    where = (task.worktree, start or task.branch)
    # twice: git locks a worktree until it is complete. Not prune, which would remove what another
    # worker has just begun.
    options = ("--quiet", "--no-checkout", "--force", "--force")
    _change_worktrees(task.repo, "add", *options, *new, *where)
    # what the settings include may depend on the worktree and its branch
    if git.own_settings(task.worktree) is None:
        raise CccError("worker.no_settings", directory=task.repo)
    env = git_command.environment(git.own_filters(task.worktree))
    line = ("reset", "--hard", "--quiet")
    git_command.run(task.worktree, *line, env=env, seconds=_CLONE_SECONDS)
    return task


def is_prepared(directory: str) -> bool:
    """Return whether the checkout is complete and the user's command has prepared it."""
    return _has_git_file(directory, git.TASK_MARK)


def is_ready(directory: str) -> bool:
    """Return whether there is a checkout in the directory itself."""
    # git writes the index when all files are there
    return _has_git_file(directory, "index")


def _has_git_file(directory: str, name: str) -> bool:
    if not os.path.lexists(os.path.join(directory, ".git")):
        return False
    own = git_command.run(directory, "rev-parse", "--absolute-git-dir", fails=True)
    return bool(own) and os.path.exists(os.path.join(own, name))


def _clone(task: QueuedTask, execute: Execute) -> None:
    parent, directory = os.path.split(task.worktree)
    line = ("git", "clone", "--quiet", "--", task.repo, directory)
    env = git_command.environment(is_online=True)
    done, output = execute(line, parent, env, _CLONE_SECONDS)
    if not done:
        cause = git_command.end_of(output)
        raise CccError("worker.git", command="git clone", directory=parent, cause=cause)


def _switch(task: QueuedTask) -> QueuedTask:
    """Create the task's branch in a clone."""
    base = task.base or "HEAD"
    places_ = [f"refs/remotes/origin/{base}", base] if task.base else [base]
    verify = ("rev-parse", "--verify", "--quiet", "--end-of-options")
    for name in places_:
        if start := git_command.run(task.worktree, *verify, f"{name}^0", fails=True):
            break
    else:
        raise CccError("queue.no_base", base=base, repo=task.repo)
    branch = _free_branch(task.worktree, task.branch, "refs/remotes/origin")
    create = "-C" if _has_branch(task.worktree, branch) else "-c"
    git_command.run(task.worktree, "switch", "--quiet", create, branch, start)
    return replace(task, branch=branch, start=start)


def remove(task: QueuedTask) -> bool:
    """Remove the task's worktree, but not its branch; False if there is none on this machine."""
    path = task.worktree
    inside = os.path.join(places.directory(os.environ), "")
    # nothing but what ccc has created
    if not os.path.realpath(path).startswith(inside) or not os.path.isdir(path):
        return False
    if not task.is_remote and os.path.isdir(task.repo):
        try:
            _change_worktrees(task.repo, "remove", "--force", "--force", path)
        except CccError:
            pass  # git has forgotten it
    shutil.rmtree(path, ignore_errors=True)
    return not os.path.lexists(path)


def _change_worktrees(repo: str, *arguments: str) -> None:
    """Run `git worktree` while no other worker does: git reads half-written entries of others.

    Git keeps the lock if the worker is killed.
    """
    name = f".worktrees-{zlib.crc32(os.path.realpath(repo).encode()):08x}.lock"
    lock = private_files.open_file(os.path.join(places.directory(os.environ), name), os.O_RDWR)
    try:
        # however long a large worktree of another task takes
        while not private_files.try_lock(lock):
            time.sleep(_LOCK_SECONDS)
        line = ("worktree", *arguments)
        git_command.run(repo, *line, seconds=_CLONE_SECONDS, pass_fds=(lock,))
    finally:
        os.close(lock)


def _free_branch(repo: str, wanted: str, where: str = "refs/heads") -> str:
    """Return the name with a number if there is such a branch already.

    Git keeps branches like files: no branch can be `ccc/…` beside one that is `ccc`.
    """
    parts = wanted.split("/")
    above = ("/".join(parts[:end]) for end in range(1, len(parts)))
    if any(_has_branch(repo, each, where) for each in above):
        wanted = "-".join(parts)
    name, number = wanted, 1
    while _has_branch(repo, name, where):
        number += 1
        name = f"{wanted}-{number}"
    return name


def _has_branch(repo: str, name: str, where: str = "refs/heads") -> bool:
    return bool(git_command.run(repo, "show-ref", "--verify", f"{where}/{name}", fails=True))
