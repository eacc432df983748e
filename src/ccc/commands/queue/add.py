"""`ccc queue add`: store a task, or all tasks of a file."""

import argparse
import functools
import os
import shlex
from dataclasses import replace

from ccc import words
from ccc.backlog import forge, locks, places, settings, task_file, task_project
from ccc.backlog.database import URL, Database
from ccc.backlog.snapshot import open_queue, task_values
from ccc.backlog.task import QueuedTask, is_url
from ccc.backlog.task_entry import FileTask
from ccc.commands.queue import repository, text
from ccc.config import ccc_json, projects, schema
from ccc.config.schema import Config
from ccc.errors import CccError
from ccc.providers import selection
from ccc.storage.paths import Paths
from ccc.system import terminal


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
        written = text.read(options.words, options.file)
        if not written:
            raise CccError("run.no_task", hint="usage.see", command="queue")
        entries = [FileTask(replace(defaults, text=written))]
    config = ccc_json.find(where)
    entries = [replace(entry, task=_complete(entry.task, config)) for entry in entries]
    with open_queue(where) as queue:
        _report(where, queue, task_file.store_all(queue, entries), options.json)
    return 0


def _defaults(options: argparse.Namespace) -> QueuedTask:
    names = (name.strip() for given in options.provider for name in given.split(","))
    limits = {name: getattr(options, name) for name in schema.LIMITS}
    return QueuedTask(
        repo=options.repo,
        branch=options.branch,
        base=options.base,
        providers=tuple(dict.fromkeys(filter(None, names))),
        checks=tuple(options.check),
        allow=tuple(options.allow),
        limits={name: value for name, value in limits.items() if value is not None},
        setup=options.setup,
        push=options.push,
        pull_request=options.pr,
        priority=options.priority,
        after=tuple(dict.fromkeys(options.after)),
    )


# looks at each repository once
_resolve = functools.cache(repository.resolve)
_check = functools.cache(repository.check)


def _complete(task: QueuedTask, config: Config | None) -> QueuedTask:
    """Check a task and fill in its repository."""
    # the workers of a shared queue have providers of their own
    for name in () if os.environ.get(URL) else task.providers:
        selection.require(name, config)
    repo = _resolve(task.repo)
    if config and not is_url(repo):
        task = _with_project(task, config, repo)
    _check(repo, task.branch, task.base)
    push = task.push or task.pull_request
    push_url = repository.push_url(repo) if push else ""
    # only this machine has a directory of its own
    host = places.host() if os.environ.get(URL) and not is_url(repo) else ""
    is_run_here = bool(host) or not os.environ.get(URL)
    if task.pull_request and is_run_here and not forge.find_programs():
        raise CccError("queue.no_forge")
    return replace(task, repo=repo, host=host, push=push, push_url=push_url)


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
        checks = task_project.list_checks(config, task)
        added = words.say("queue.added", id=task.id, branch=task.branch_name, checks=checks)
        print(terminal.plain(added))
    if not workers:
        terminal.tell(words.say("queue.start_worker"))
    elif is_paused:
        terminal.tell(words.say("queue.is_paused"))
