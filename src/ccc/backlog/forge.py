"""Open a pull request for a task's branch, with the forge's own program: `gh` or `glab`."""

import json
import re
import shutil
from collections.abc import Callable, Sequence

from ccc.backlog import git_command, repository
from ccc.backlog.task import QueuedTask
from ccc.errors import CccError
from ccc.system import capture

_SECONDS = 120.0
_LONGEST_BODY = 60_000
_LONGEST_ERROR = 500
_LONGEST_ADDRESS = 500
_PROGRAMS = ("gh", "glab")
_Run = Callable[[Sequence[str]], tuple[bool, str]]


def open_pull_request(task: QueuedTask, remote: str) -> str:
    """Open a pull request, or find the one of an interrupted delivery; return its address.

    The address of a `remote` doesn't always tell which forge it is, so the other program is tried,
    too. Both run git, so they run where the agent has set nothing.
    """
    programs = find_programs()
    if not programs:
        raise CccError("worker.no_forge", id=task.id)
    programs.sort(reverse="gitlab" in remote)
    with repository.empty_checkout(remote) as directory:
        env = git_command.environment(is_online=True)
        return _open(task, programs, lambda line: capture.run(line, directory, env, _SECONDS))


def find_programs() -> list[str]:
    """Return the programs of forges that are installed."""
    return [each for each in _PROGRAMS if shutil.which(each)]


def _open(task: QueuedTask, programs: Sequence[str], run: _Run) -> str:
    causes = []
    for program in programs:
        if url := _find(task, program, run):
            return url
        done, output = run(_create_line(task, program))
        if done:
            addresses = [each for each in output.split() if _is_address(each)]
            return addresses[-1] if addresses else ""
        causes.append(f"{program}: {output[-_LONGEST_ERROR:]}")
    raise CccError("worker.forge", id=task.id, branch=task.branch, cause="\n".join(causes))


def _create_line(task: QueuedTask, program: str) -> Sequence[str]:
    body = task.text[:_LONGEST_BODY]
    base = task.base if re.fullmatch(r"[\w./-]+", task.base) else ""
    if program == "gh":
        options = ("--head", task.branch, "--title", task.headline, "--body", body)
        return ["gh", "pr", "create", *options, *(("--base", base) if base else ())]
    options = ("--source-branch", task.branch, "--title", task.headline, "--description", body)
    target = ("--target-branch", base) if base else ()
    return ["glab", "mr", "create", "--yes", *options, *target]


def _find(task: QueuedTask, program: str, run: _Run) -> str:
    """Return the address of an open request for the branch, if an interrupted delivery made one."""
    if program == "gh":
        line, key = ["gh", "pr", "list", "--head", task.branch, "--json", "url"], "url"
    else:
        options = ("--source-branch", task.branch, "--output", "json")
        line, key = ["glab", "mr", "list", *options], "web_url"
    done, output = run(line)
    try:
        found = json.loads(output)[0][key] if done else ""
    except (ValueError, TypeError, LookupError, RecursionError):
        return ""  # no request, or an older program
    return found if isinstance(found, str) and _is_address(found) else ""


def _is_address(word: str) -> bool:
    """Return whether a forge's word can be shown and opened as an address."""
    is_plain = word.isprintable() and " " not in word and len(word) <= _LONGEST_ADDRESS
    return is_plain and word.startswith(("https://", "http://"))
