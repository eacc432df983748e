"""Deliver the result of a task: a branch with commits, pushed if wanted, as a pull request.

The forge's own program opens that: `gh` or `glab`.
"""

import json
import re
import shutil
from collections.abc import Mapping, Sequence

from msgspec import Struct

from ccc.backlog import git_command, repository
from ccc.backlog.repository import Repository
from ccc.backlog.task import QueuedTask
from ccc.backlog.worktree import Execute
from ccc.errors import CccError
from ccc.system import capture

_PUSH_SECONDS = 600.0
_FORGE_SECONDS = 120.0
_STAT = re.compile(r"(\d+) (file|insertion|deletion)")
_LONGEST_ERROR = _LONGEST_ADDRESS = 500
_LONGEST_BODY = 60_000
_FORGES = ("gh", "glab")


class Delivery(Struct, frozen=True):
    """What became of a task's result."""

    changes: Mapping[str, object]  # what the task stores about it
    error: CccError | None = None  # why it was not delivered completely
    changed_programs: Sequence[str] = ()
    """The settings, hooks and attributes of git that have changed since the task was prepared."""


def deliver(task: QueuedTask, execute: Execute, is_complete: bool) -> Delivery:
    """Measure the result; commit, push and offer it if it is complete."""
    is_pushed, url = task.is_pushed, task.pull_request_url
    with repository.open_repository(task) as opened:
        tree = opened.snapshot()
        error = None
        if is_complete:
            commit = opened.commit(tree, task.branch, _message(task))
            try:
                if task.push and not is_pushed:
                    line = opened.push_line(_address(task, opened), commit, task.branch)
                    # not in the worktree: nothing there is asked
                    env = git_command.environment(is_online=True)
                    is_pushed, output = execute(line, opened.clean, env, _PUSH_SECONDS)
                    if not is_pushed:
                        cause = output[-_LONGEST_ERROR:]
                        raise CccError("worker.push", id=task.id, branch=task.branch, cause=cause)
                if task.pull_request and not url:
                    url = open_pull_request(task, _address(task, opened))
            except CccError as failed:
                error = failed
        changes = {**_measure(task, opened, tree), "is_pushed": is_pushed, "pull_request_url": url}
        return Delivery(changes, error, opened.changed_programs())


def commit(task: QueuedTask) -> None:
    """Commit what is left in the task's worktree to its branch."""
    with repository.open_repository(task) as opened:
        opened.commit(opened.snapshot(), task.branch, _message(task))


def is_clean(task: QueuedTask) -> bool:
    """Return whether the branch has everything that is in the worktree."""
    with repository.open_repository(task) as opened:
        branch = opened.ask("rev-parse", "--verify", f"refs/heads/{task.branch}^{{tree}}")
        return opened.snapshot() == branch


def _message(task: QueuedTask) -> str:
    return f"{task.headline}\n\nccc queue, task {task.id}"


def _measure(task: QueuedTask, opened: Repository, tree: str) -> Mapping[str, int]:
    """Return the size of the change since the task's start, committed or not."""
    if not task.start:
        return dict.fromkeys(("commits", "files", "added", "removed"), 0)
    sizes = {name: int(n) for n, name in _STAT.findall(opened.diff_stat(task.start, tree))}
    return {
        "commits": opened.commits_since(task.start),
        "files": sizes.get("file", 0),
        "added": sizes.get("insertion", 0),
        "removed": sizes.get("deletion", 0),
    }


def _address(task: QueuedTask, opened: Repository) -> str:
    """Return where to push: the address of origin when the task was added.

    The agent may have changed it since. The configuration is asked only for a user and a password,
    which the task doesn't keep.
    """
    if task.is_remote:
        return task.repo
    if not task.push_url:
        raise CccError("worker.no_push_url", id=task.id, branch=task.branch)
    now = opened.ask("remote", "get-url", "--push", "origin", fails=True)
    is_same = repository.storable_address(now, task.repo) == task.push_url
    # a relative path means another directory here
    return now if is_same and "://" in now else task.push_url


def open_pull_request(task: QueuedTask, remote: str) -> str:
    """Open a pull request, or find the one of an interrupted delivery; return its address.

    The address of a `remote` doesn't always tell which forge it is, so the other program is tried,
    too. Both run git, so they run where the agent has set nothing.
    """
    programs = find_forges()
    if not programs:
        raise CccError("worker.no_forge", id=task.id)
    programs.sort(reverse="gitlab" in remote)
    causes = []
    env = git_command.environment(is_online=True)
    with repository.empty_checkout(remote) as directory:
        for program in programs:
            if url := _find(task, program, directory, env):
                return url
            line = _create_line(task, program)
            done, output = capture.run(line, directory, env, _FORGE_SECONDS)
            if done:
                addresses = [each for each in output.split() if _is_address(each)]
                return addresses[-1] if addresses else ""
            causes.append(f"{program}: {output[-_LONGEST_ERROR:]}")
    raise CccError("worker.forge", id=task.id, branch=task.branch, cause="\n".join(causes))


def find_forges() -> list[str]:
    """Return the programs of forges that are installed."""
    return [each for each in _FORGES if shutil.which(each)]


def _create_line(task: QueuedTask, program: str) -> Sequence[str]:
    body = task.text[:_LONGEST_BODY]
    base = task.base if re.fullmatch(r"[\w./-]+", task.base) else ""
    if program == "gh":
        options = ("--head", task.branch, "--title", task.headline, "--body", body)
        return ["gh", "pr", "create", *options, *(("--base", base) if base else ())]
    options = ("--source-branch", task.branch, "--title", task.headline, "--description", body)
    target = ("--target-branch", base) if base else ()
    return ["glab", "mr", "create", "--yes", *options, *target]


def _find(task: QueuedTask, program: str, directory: str, env: Mapping[str, str]) -> str:
    """Return the address of an open request for the branch, if an interrupted delivery made one."""
    if program == "gh":
        line, key = ["gh", "pr", "list", "--head", task.branch, "--json", "url"], "url"
    else:
        options = ("--source-branch", task.branch, "--output", "json")
        line, key = ["glab", "mr", "list", *options], "web_url"
    done, output = capture.run(line, directory, env, _FORGE_SECONDS)
    try:
        found = json.loads(output)[0][key] if done else ""
    except (ValueError, TypeError, LookupError, RecursionError):
        return ""  # no request, or an older program
    return found if isinstance(found, str) and _is_address(found) else ""


def _is_address(word: str) -> bool:
    """Return whether a forge's word can be shown and opened as an address."""
    is_plain = word.isprintable() and " " not in word and len(word) <= _LONGEST_ADDRESS
    return is_plain and word.startswith(("https://", "http://"))
