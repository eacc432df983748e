"""The project of a task: the one whose settings apply, whatever the agent does to its worktree."""

import os
from dataclasses import replace

from ccc.backlog.task import QueuedTask
from ccc.config import projects
from ccc.config.schema import Check, Config
from ccc.project import checks, git


def directory(config: Config, task: QueuedTask) -> str:
    """Return the task's repository on this machine, or the project that was cloned from it."""
    if not task.is_remote:
        return task.repo if os.path.isdir(task.repo) else ""
    for path in filter(os.path.isdir, map(os.path.expanduser, config.projects)):
        origin = git.ask(path, "config", "--get", "remote.origin.url")
        if _address(os.fsdecode(origin or b"")) == _address(task.repo):
            return path
    return ""


def _address(url: str) -> str:
    return url.strip().removesuffix("/").removesuffix(".git")


def list_checks(config: Config | None, task: QueuedTask) -> str:
    """List the checks of a task: those of its project, and its own."""
    if config is None:
        return ""
    project = directory(config, task)
    config = projects.apply(config, project) if project else config
    rules = config.supervisor
    rules = replace(rules, checks=(*rules.checks, *map(Check, task.checks)))
    # the commit from which the task starts, and its setup, decide what can run
    shown = "" if rules.checks else project
    return checks.list_checks(replace(config, supervisor=rules), shown)
