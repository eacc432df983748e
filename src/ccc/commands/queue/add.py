"""`ccc queue add`: store a task, or all tasks of a file."""

import argparse
import functools
import os
import re
import shlex
import sys
from typing import Any

from msgspec.structs import replace

from ccc import words
from ccc.backlog import delivery, locks, places, settings, task_file, task_run
from ccc.backlog.database import URL, Database
from ccc.backlog.repository import storable_address
from ccc.backlog.snapshot import open_queue, task_values
from ccc.backlog.task import QueuedTask, is_url
from ccc.backlog.task_file import FileTask
from ccc.config import ccc_json, projects
from ccc.config.schema import Config
from ccc.errors import CccError
from ccc.project import git
from ccc.providers import selection
from ccc.storage import files
from ccc.storage.paths import Paths, display_path
from ccc.system import stdin, terminal
from ccc.text import names
from ccc.ui.arguments import given_limits

_VERIFY = ("rev-parse", "--verify", "--quiet", "--end-of-options")


def main(where: Paths, options: argparse.Namespace) -> int:
    """Check the tasks, store them and print their numbers."""
    defaults = _defaults(options)
    if options.source:
        others = {"--file": options.file, "--branch": options.branch, '"…"': options.words}
        for name in (name for name, value in others.items() if value):
            problem = words.say("usage.not_both", what="--from", value=name)
            raise CccError("usage.wrong", hint="usage.see", command="queue", problem=problem)
        entries = task_file.read(options.source, defaults)
    else:
        written = read_text(options.words, options.file)
        if not written:
            raise CccError("run.no_task", hint="usage.see", command="queue")
        entries = [FileTask(replace(defaults, text=written))]
    config = ccc_json.find(where)
    entries = [replace(entry, task=_complete(entry.task, config)) for entry in entries]
    with open_queue(where) as queue:
        _report(where, queue, task_file.store_all(queue, entries), options.json)
    return 0


def _defaults(options: argparse.Namespace) -> QueuedTask:
    providers = (name.strip() for given in options.provider for name in given.split(","))
    return QueuedTask(
        repo=options.repo,
        branch=options.branch,
        base=options.base,
        providers=tuple(dict.fromkeys(filter(None, providers))),
        checks=tuple(options.check),
        allow=tuple(options.allow),
        limits=given_limits(options),
        setup=options.setup,
        push=options.push,
        pull_request=options.pr,
        priority=options.priority,
        after=tuple(dict.fromkeys(options.after)),
    )


def read_text(given: list[str], file: str = "") -> str:
    """Return the words and the text of the file; without both, what is piped in; may be empty."""
    reads_pipe = given == ["-"] or file == "-"
    parts = [" ".join(given)] if given and given != ["-"] else []
    if file and file != "-":
        text = files.read(os.path.abspath(os.path.expanduser(file)))
        if text is None:
            raise CccError("run.no_file", file=file)
        parts.append(text)
    if reads_pipe or not parts:
        has_pipe = sys.stdin is not None and not sys.stdin.isatty()
        parts.append(stdin.read_task() if has_pipe else "")
    whole = names.storable("\n\n".join(part.strip() for part in parts if part.strip()))
    stdin.check_task_size(len(whole.encode()))
    return whole


def _complete(task: QueuedTask, config: Config | None) -> QueuedTask:
    """Check a task and fill in its repository."""
    # the workers of a shared queue have providers of their own
    for name in () if os.environ.get(URL) else task.providers:
        selection.require(name, config)
    repo = find_repository(task.repo)
    if config and not is_url(repo):
        task = _with_project(task, config, repo)
    check_branch(repo, task.branch, task.base)
    push = task.push or task.pull_request
    url = push_url(repo) if push else ""
    # only this machine has a directory of its own
    host = places.host() if os.environ.get(URL) and not is_url(repo) else ""
    is_run_here = bool(host) or not os.environ.get(URL)
    if task.pull_request and is_run_here and not delivery.find_forges():
        raise CccError("queue.no_forge")
    return replace(task, repo=repo, host=host, push=push, push_url=url)


def _with_project(task: QueuedTask, config: Config, repo: str) -> QueuedTask:
    """Add what is set for the directory in which the task was added.

    The run starts at the top of its worktree, where what is set for the repository applies.
    """
    here = os.path.abspath(os.path.expanduser(task.repo or os.curdir))
    bound, top = projects.binding(config, here)[0], os.path.realpath(repo)
    inside = [
        f"cd {shlex.quote(os.path.relpath(root, top))} && {check.command}"
        for name, root in projects.roots(config, here).items()
        for check in config.projects[name].checks
        if root.startswith(f"{top}/")
    ]
    providers = task.providers or ((bound,) if bound else ())
    return replace(task, checks=(*task.checks, *inside), providers=providers)


def _report(where: Paths, queue: Database, tasks: list[QueuedTask], as_json: bool) -> None:
    with queue.read() as connection:
        is_paused = settings.load(connection).is_paused
    workers, config = locks.find_living(queue, where), ccc_json.try_load(where)[0]
    if as_json:
        values = {"tasks": [task_values(each) for each in tasks], "workers": len(workers)}
        print(terminal.as_json(values))
        return
    for task in tasks:
        checks = task_run.list_checks(config, task)
        added = words.say("queue.added", id=task.id, branch=task.branch_name, checks=checks)
        print(terminal.plain(added))
    if not workers:
        terminal.tell(words.say("queue.start_worker"))
    elif is_paused:
        terminal.tell(words.say("queue.is_paused"))


@functools.cache
def find_repository(repo: str) -> str:
    """Return the top directory of the repository, by default of the current one, or its URL."""
    if is_url(repo):
        if re.match(r"[^/]+://[^/@]*:[^/@]*@", repo):
            raise CccError("queue.url_password")
        return repo
    path = os.path.abspath(os.path.expanduser(repo or os.curdir))
    shown = display_path(path)
    if not os.path.isdir(path):
        raise CccError("check.no_directory", hint="queue.no_repo", directory=shown)
    top = _ask(path, "rev-parse", "--path-format=absolute", "--show-toplevel")
    if not top and _ask(path, "rev-parse", "--is-bare-repository") == "true":
        top = _ask(path, "rev-parse", "--absolute-git-dir")
    if not top and (command := git.trust_command(path)):
        raise CccError("git.not_trusted", directory=shown, command=command)
    if not top:
        raise _git_error("queue.no_repo", directory=shown)
    if not _ask(top, *_VERIFY, "HEAD^{commit}"):
        raise CccError("queue.no_commit", directory=shown)
    return top


@functools.cache
def check_branch(repo: str, branch: str, base: str) -> None:
    """Raise if the branch can't have this name, or the commit to start from doesn't exist."""
    is_ref = branch and git.ask(os.sep, "check-ref-format", f"refs/heads/{branch}") is not None
    if branch and (branch[0] == "-" or branch == "HEAD" or not is_ref):
        raise _git_error("queue.branch", branch=branch)
    if is_url(repo):
        return
    if branch and _ask(repo, "show-ref", f"refs/heads/{branch}"):
        raise CccError("queue.branch_exists", branch=branch)
    if base and not _ask(repo, *_VERIFY, f"{base}^{{commit}}"):
        raise CccError("queue.no_base", base=base, repo=display_path(repo))


def push_url(repo: str) -> str:
    """Return where a directory's origin is, as a task keeps it; raise if there is none."""
    if is_url(repo):
        return ""
    address = _ask(repo, "remote", "get-url", "--push", "origin")
    if not address:
        raise CccError("queue.no_origin", directory=display_path(repo))
    return storable_address(address, repo)


def _ask(directory: str, *arguments: str) -> str:
    return os.fsdecode(git.ask(directory, *arguments) or b"").removesuffix("\n")


def _git_error(message: str, **params: Any) -> CccError:
    """Return the error, unless git itself is missing."""
    has_git = git.ask(os.sep, "--version") is not None
    return CccError(message, **params) if has_git else CccError("queue.no_git")
