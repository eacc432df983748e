"""Deliver the result of a task: a branch with commits, pushed if wanted, and a pull request."""

import re
import shutil
from collections.abc import Mapping

from ccc.backlog import repository
from ccc.backlog.repository import Repository
from ccc.backlog.task import Task
from ccc.backlog.worktree import Execute
from ccc.errors import CccError
from ccc.system import capture
from ccc.text.values import dataclass

_FORGE_SECONDS = 120.0
_PUSH_SECONDS = 600.0
_LONGEST_TITLE = 72
_LONGEST_BODY = 60_000
_STAT = re.compile(r"(\d+) (file|insertion|deletion)")
_LONGEST_ERROR = 500


@dataclass(frozen=True, slots=True)
class Size:
    """How much a task has changed."""

    commits: int = 0
    files: int = 0
    added: int = 0
    removed: int = 0


@dataclass(frozen=True, slots=True)
class Delivery:
    """What became of a task's result."""

    size: Size
    is_pushed: bool
    url: str = ""
    error: CccError | None = None
    """Why it was not delivered completely."""


def deliver(
    task: Task, environ: Mapping[str, str], execute: Execute, is_complete: bool
) -> Delivery:
    """Measure the result; commit, push and offer it if it is complete."""
    opened = repository.open_repository(task, environ)
    is_pushed, url = task.is_pushed, task.pull_request_url
    try:
        tree = opened.snapshot()
        error = None
        if is_complete:
            commit = opened.commit(tree, task.branch, _message(task))
            try:
                if task.push and not is_pushed:
                    _push(task, opened, commit, execute)
                    is_pushed = True
                if task.pull_request and not url:
                    url = open_pull_request(task, environ)
            except CccError as failed:
                error = failed
        return Delivery(_measure(task, opened, tree), is_pushed, url, error)
    finally:
        repository.close(opened)


def commit(task: Task, environ: Mapping[str, str]) -> None:
    """Commit what is left in the task's worktree to its branch."""
    opened = repository.open_repository(task, environ)
    try:
        opened.commit(opened.snapshot(), task.branch, _message(task))
    finally:
        repository.close(opened)


def is_clean(task: Task, environ: Mapping[str, str]) -> bool:
    """Return whether the branch has everything that is in the worktree."""
    opened = repository.open_repository(task, environ)
    try:
        branch = opened.ask("rev-parse", "--verify", f"refs/heads/{task.branch}^{{tree}}")
        return opened.snapshot() == branch
    finally:
        repository.close(opened)


def _message(task: Task) -> str:
    return f"{task.headline[:_LONGEST_TITLE]}\n\nccc queue, task {task.id}"


def _measure(task: Task, opened: Repository, tree: str) -> Size:
    """Return the size of the change since the task's start, committed or not."""
    if not task.start:
        return Size()
    stat = opened.diff_stat(task.start, tree)
    sizes = {name: int(number) for number, name in _STAT.findall(stat)}
    return Size(
        opened.commits_since(task.start),
        sizes.get("file", 0),
        added=sizes.get("insertion", 0),
        removed=sizes.get("deletion", 0),
    )


def _push(task: Task, opened: Repository, commit: str, execute: Execute) -> None:
    """Push the task's branch to origin; raise CccError if that fails."""
    url = task.repo if task.is_remote else opened.ask("remote", "get-url", "--push", "origin")
    line = opened.push_line(url, commit, task.branch)
    done, output = execute(line, task.worktree, _PUSH_SECONDS)
    if not done:
        cause = output[-_LONGEST_ERROR:]
        raise CccError("worker.git", command="git push", directory=task.worktree, cause=cause)


def open_pull_request(task: Task, environ: Mapping[str, str]) -> str:
    """Open a pull request with the forge's own program; return its address."""
    wants_gitlab = "gitlab" in _remote(task, environ)
    programs = ("glab", "gh") if wants_gitlab else ("gh", "glab")
    path = environ.get("PATH")
    program = next((each for each in programs if shutil.which(each, path=path)), "")
    if not program:
        raise CccError("worker.no_forge")
    if url := _known_request(task, program, environ):
        return url
    title, body = task.headline[:_LONGEST_TITLE], task.text[:_LONGEST_BODY]
    base = task.base if task.base and re.fullmatch(r"[\w./-]+", task.base) else ""
    if program == "gh":
        options = ("--head", task.branch, "--title", title, "--body", body)
        command = ["gh", "pr", "create", *options, *(("--base", base) if base else ())]
    else:
        options = ("--source-branch", task.branch, "--title", title, "--description", body)
        target = ("--target-branch", base) if base else ()
        command = ["glab", "mr", "create", "--yes", *options, *target]
    done, output = capture.run(command, task.worktree, _forge_environment(environ), _FORGE_SECONDS)
    addresses = re.findall(r"https?://\S+", output)
    if not done:
        raise CccError("worker.forge", program=program, cause=output[-_LONGEST_ERROR:])
    return addresses[-1] if addresses else ""


def _remote(task: Task, environ: Mapping[str, str]) -> str:
    if task.is_remote:
        return task.repo
    line = ["git", "remote", "get-url", "origin"]
    return capture.run(line, task.repo, environ, _FORGE_SECONDS)[1]


def _forge_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the environment for a forge's program, which runs git in the worktree."""
    off = {"core.hooksPath": "/dev/null", "core.fsmonitor": "false", "commit.gpgsign": "false"}
    env = {**repository.environment(environ), "GIT_CONFIG_COUNT": str(len(off))}
    for number, (name, value) in enumerate(off.items()):
        env |= {f"GIT_CONFIG_KEY_{number}": name, f"GIT_CONFIG_VALUE_{number}": value}
    return env


def _known_request(task: Task, program: str, environ: Mapping[str, str]) -> str:
    """Return the address of an open request for the branch, if an interrupted delivery made one."""
    command = {
        "gh": ["gh", "pr", "list", "--head", task.branch, "--json", "url", "--jq", ".[].url"],
        "glab": ["glab", "mr", "list", "--source-branch", task.branch, "--output", "json"],
    }[program]
    done, output = capture.run(command, task.worktree, _forge_environment(environ), _FORGE_SECONDS)
    addresses = re.findall(r"https?://[^\s\"]+", output) if done else []
    requests = [each for each in addresses if program == "gh" or "/merge_requests/" in each]
    return requests[0] if requests else ""
