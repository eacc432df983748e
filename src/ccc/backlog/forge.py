"""Open a pull request for a task's branch, with the forge's own program: `gh` or `glab`."""

import json
import re
import shutil
from collections.abc import Mapping, Sequence

from ccc.backlog import repository
from ccc.backlog.task import Task
from ccc.errors import CccError
from ccc.system import capture

_SECONDS = 120.0
_LONGEST_TITLE = 72
_LONGEST_BODY = 60_000
_LONGEST_ERROR = 500
_PROGRAMS = ("gh", "glab")


def open_pull_request(task: Task, environ: Mapping[str, str]) -> str:
    """Open a pull request, or find the one of an interrupted delivery; return its address.

    A forge's address doesn't always tell which one it is, so the other program is tried, too.
    """
    is_gitlab = "gitlab" in _remote(task, environ)
    path = environ.get("PATH")
    wanted = reversed(_PROGRAMS) if is_gitlab else _PROGRAMS
    programs = [each for each in wanted if shutil.which(each, path=path)]
    if not programs:
        raise CccError("worker.no_forge", id=task.id)
    causes = []
    for program in programs:
        if url := _find(task, program, environ):
            return url
        done, output = _run(task, _create_line(task, program), environ)
        if done:
            addresses = re.findall(r"https?://\S+", output)
            return addresses[-1] if addresses else ""
        causes.append(f"{program}: {output[-_LONGEST_ERROR:]}")
    raise CccError("worker.forge", id=task.id, branch=task.branch, cause="\n".join(causes))


def title(task: Task) -> str:
    """Return the first line of the task, short enough for a commit or a pull request."""
    return task.headline[:_LONGEST_TITLE]


def _create_line(task: Task, program: str) -> Sequence[str]:
    body = task.text[:_LONGEST_BODY]
    base = task.base if re.fullmatch(r"[\w./-]+", task.base) else ""
    if program == "gh":
        options = ("--head", task.branch, "--title", title(task), "--body", body)
        return ["gh", "pr", "create", *options, *(("--base", base) if base else ())]
    options = ("--source-branch", task.branch, "--title", title(task), "--description", body)
    target = ("--target-branch", base) if base else ()
    return ["glab", "mr", "create", "--yes", *options, *target]


def _find(task: Task, program: str, environ: Mapping[str, str]) -> str:
    """Return the address of an open request for the branch, if an interrupted delivery made one."""
    if program == "gh":
        line, key = ["gh", "pr", "list", "--head", task.branch, "--json", "url"], "url"
    else:
        options = ("--source-branch", task.branch, "--output", "json")
        line, key = ["glab", "mr", "list", *options], "web_url"
    done, output = _run(task, line, environ)
    try:
        return str(json.loads(output)[0][key]) if done else ""
    except (ValueError, TypeError, LookupError):
        return ""  # no request, or an older program


def _remote(task: Task, environ: Mapping[str, str]) -> str:
    if task.is_remote:
        return task.repo
    line = ["git", "remote", "get-url", "origin"]
    return capture.run(line, task.repo, environ, _SECONDS)[1]


def _run(task: Task, line: Sequence[str], environ: Mapping[str, str]) -> tuple[bool, str]:
    """Run the program, which runs git in the worktree."""
    off = {"core.hooksPath": "/dev/null", "core.fsmonitor": "false", "commit.gpgsign": "false"}
    env = {**repository.environment(environ), "GIT_CONFIG_COUNT": str(len(off))}
    for number, (name, value) in enumerate(off.items()):
        env |= {f"GIT_CONFIG_KEY_{number}": name, f"GIT_CONFIG_VALUE_{number}": value}
    return capture.run(line, task.worktree, env, _SECONDS)
