"""Run git for the queue: it starts nothing that a repository names, and its errors are told."""

import os
from collections.abc import Mapping, Sequence
from typing import Any

from ccc.backlog import places
from ccc.errors import CccError
from ccc.project import git
from ccc.system import capture

SECONDS = 120.0
LONGEST_ERROR = 500


def environment(filters: Sequence[str] = (), *, is_online: bool = False) -> dict[str, str]:
    """Return the environment for git, without the secrets of the worker."""
    return git.environment(places.env_of_run(os.environ), filters, is_online=is_online)


def run(
    directory: str,
    *arguments: str,
    env: Mapping[str, str] | None = None,
    fails: bool = False,
    seconds: float = SECONDS,
    **options: Any,
) -> str:
    """Return what git prints; if it fails, raise CccError or, with `fails`, return ""."""
    env = environment() if env is None else env
    done, output = capture.run(("git", *arguments), directory, env, seconds, **options)
    if done or fails:
        return output if done else ""
    verb = next(each for each in arguments if not each.startswith("-") and "=" not in each)
    raise CccError("worker.git", command=f"git {verb}", directory=directory, cause=end_of(output))


def end_of(output: str) -> str:
    """Return the last part of an error, which names the cause."""
    end = output.strip()[-LONGEST_ERROR:]
    return end if len(end) < LONGEST_ERROR else end.partition("\n")[2] or end
