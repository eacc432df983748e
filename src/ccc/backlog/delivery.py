"""Deliver the result of a task: a branch with commits, pushed if wanted, and a pull request."""

import re
import shutil
from collections.abc import Mapping

from ccc.backlog.task import Task
from ccc.backlog.worktree import Execute, git_in, safe_git
from ccc.errors import CccError
from ccc.system import capture
from ccc.text.values import dataclass

_FORGE_SECONDS = 120.0
_PUSH_SECONDS = 600.0
_LONGEST_TITLE = 72
_STAT = re.compile(r"(\d+) (file|insertion|deletion)")
_LONGEST_ERROR = 500


@dataclass(frozen=True, slots=True)
class Size:
    """How much a task has changed."""

    commits: int = 0
    files: int = 0
    added: int = 0
    removed: int = 0


def measure(task: Task, environ: Mapping[str, str]) -> Size:
    """Return the size of the change since the task's start, committed or not."""
    if not task.start:
        return Size()
    counted, commits = git_in(
        task.worktree, environ, "rev-list", "--count", f"{task.start}..HEAD", "--"
    )
    diff = ("diff", "--shortstat", "--no-ext-diff", "--no-textconv", task.start, "--")
    _, stat = git_in(task.worktree, environ, *diff)
    sizes = {name: int(number) for number, name in _STAT.findall(stat)}
    _, new = git_in(task.worktree, environ, "ls-files", "--others", "--exclude-standard")
    return Size(
        int(commits) if counted and commits.isdigit() else 0,
        sizes.get("file", 0) + len(new.splitlines()),
        added=sizes.get("insertion", 0),
        removed=sizes.get("deletion", 0),
    )


def commit(task: Task, environ: Mapping[str, str]) -> None:
    """Commit what the agent left uncommitted, and let the task's branch name the result."""
    changed, status = git_in(task.worktree, environ, "status", "--porcelain")
    if changed and status:
        _must(task, environ, "add", "--all")
        message = f"{task.headline[:_LONGEST_TITLE]}\n\nccc queue, task {task.id}"
        identity = _identity(task, environ)
        _must(task, environ, *identity, "commit", "--quiet", "--no-verify", "--message", message)
    _, branch = git_in(task.worktree, environ, "rev-parse", "--abbrev-ref", "HEAD")
    if branch != task.branch:
        # the agent has made a branch of its own
        ref = f"refs/heads/{task.branch}"
        is_behind, _ = git_in(task.worktree, environ, "merge-base", "--is-ancestor", ref, "HEAD")
        if is_behind:
            _must(task, environ, "update-ref", ref, "HEAD")


def _identity(task: Task, environ: Mapping[str, str]) -> tuple[str, ...]:
    """Return options for a repository whose user has no name yet."""
    if git_in(task.worktree, environ, "var", "GIT_COMMITTER_IDENT")[0]:
        return ()
    return ("-c", "user.name=ccc", "-c", "user.email=ccc@localhost")


def push(task: Task, environ: Mapping[str, str], execute: Execute) -> None:
    """Push the task's branch to origin; raise CccError if that fails."""
    refs = f"refs/heads/{task.branch}:refs/heads/{task.branch}"
    line = (*safe_git(task.worktree), "push", "--quiet", "--no-verify", "origin", refs)
    done, output = execute(line, task.worktree, _PUSH_SECONDS)
    if not done:
        raise _failed("git push", task, output)


def open_pull_request(task: Task, environ: Mapping[str, str]) -> str:
    """Open a pull request with the forge's own program; return its address."""
    _, remote = git_in(task.worktree, environ, "remote", "get-url", "origin")
    wants_gitlab = "gitlab" in remote
    programs = ("glab", "gh") if wants_gitlab else ("gh", "glab")
    path = environ.get("PATH")
    program = next((each for each in programs if shutil.which(each, path=path)), "")
    if not program:
        raise CccError("worker.no_forge")
    if url := _known_request(task, program, environ):
        return url
    title, body = task.headline[:_LONGEST_TITLE], task.text
    base = task.base if task.base and re.fullmatch(r"[\w./-]+", task.base) else ""
    if program == "gh":
        options = ("--head", task.branch, "--title", title, "--body", body)
        command = ["gh", "pr", "create", *options, *(("--base", base) if base else ())]
    else:
        options = ("--source-branch", task.branch, "--title", title, "--description", body)
        target = ("--target-branch", base) if base else ()
        command = ["glab", "mr", "create", "--yes", *options, *target]
    done, output = capture.run(command, task.worktree, environ, _FORGE_SECONDS)
    addresses = re.findall(r"https?://\S+", output)
    if not done:
        raise CccError("worker.forge", program=program, cause=output[-_LONGEST_ERROR:])
    return addresses[-1] if addresses else ""


def _known_request(task: Task, program: str, environ: Mapping[str, str]) -> str:
    """Return the address of an open request for the branch, if an interrupted delivery made one."""
    command = {
        "gh": ["gh", "pr", "list", "--head", task.branch, "--json", "url", "--jq", ".[].url"],
        "glab": ["glab", "mr", "list", "--source-branch", task.branch, "--output", "json"],
    }[program]
    done, output = capture.run(command, task.worktree, environ, _FORGE_SECONDS)
    addresses = re.findall(r"https?://[^\s\"]+", output) if done else []
    requests = [each for each in addresses if program == "gh" or "/merge_requests/" in each]
    return requests[0] if requests else ""


def _must(task: Task, environ: Mapping[str, str], *arguments: str) -> None:
    done, output = git_in(task.worktree, environ, *arguments)
    if not done:
        verb = next(a for a in arguments if not a.startswith("-") and "=" not in a)
        raise _failed(f"git {verb}", task, output)


def _failed(command: str, task: Task, output: str) -> CccError:
    cause = output[-_LONGEST_ERROR:]
    return CccError("worker.git", command=command, directory=task.worktree, cause=cause)
