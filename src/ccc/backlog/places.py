"""Where the queue keeps worktrees, logs and locks on this machine."""

import itertools
import os
import socket
import zlib
from collections.abc import Mapping

from ccc.backlog.task import QueuedTask, slug
from ccc.claude.formats import environment
from ccc.storage.paths import Paths

DIRECTORY = "CCC_QUEUE_DIR"
URL = "CCC_QUEUE_URL"
HOST = "CCC_QUEUE_HOST"  # the name of this machine, if its host name changes
_NOT_FOR_RUNS = (URL, environment.SESSION, environment.LAUNCHER)
"""The first contains a password, the others belong to the session that ccc was called in."""


def database_file(where: Paths) -> str:
    """Return the path of the queue's database on this machine."""
    return os.path.join(where.state_dir, "queue.db")


def queue_configured(where: Paths, environ: Mapping[str, str]) -> bool:
    """Return whether there is a queue: a shared one, or a database on this machine."""
    return bool(environ.get(URL)) or os.path.exists(database_file(where))


def host(environ: Mapping[str, str] = os.environ) -> str:
    """Return the name of this machine; one that is alone needs none, and its name may change."""
    own = environ.get(HOST) or socket.gethostname()
    return (own if environ.get(URL) else "") or "localhost"


def directory(environ: Mapping[str, str]) -> str:
    """Return the directory of the worktrees.

    It isn't below ~/.claude, where claude asks before every edit.
    """
    if own := environ.get(DIRECTORY):
        return os.path.realpath(os.path.expanduser(own))
    home = environ.get("HOME") or os.path.expanduser("~")
    state = environ.get("XDG_STATE_HOME") or os.path.join(home, ".local", "state")
    # as `ccc run` names its directory
    return os.path.realpath(os.path.join(state, "ccc", "queue", _name(environ)))


def worktree(task: QueuedTask) -> str:
    """Return an unused path for the task's worktree."""
    path = os.path.join(directory(os.environ), f"{task.id}-{slug(task.text)}")
    paths = itertools.chain([path], (f"{path}-{number}" for number in itertools.count(2)))
    return next(each for each in paths if not os.path.lexists(each))


def is_worktree(environ: Mapping[str, str], path: str) -> bool:
    """Return whether a directory is the worktree of a task, or below one."""
    return path.startswith(directory(environ) + os.sep)


def records(where: Paths, environ: Mapping[str, str] = os.environ) -> str:
    """Return the directory of logs and locks."""
    return os.path.join(where.state_dir, "queue", _name(environ))


def env_of_run(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the variables that a run gets."""
    return {name: value for name, value in environ.items() if name not in _NOT_FOR_RUNS}


def log_file(where: Paths, id_: int) -> str:
    """Return the path of what a task's runs have shown."""
    return os.path.join(records(where), f"task-{id_}.log")


def _name(environ: Mapping[str, str]) -> str:
    """Return a name for this machine's part of the queue; each database has its own."""
    url = environ.get(URL, "")
    # without the password, which may change
    where = url.rpartition("@")[2].partition("?")[0]
    return f"shared-{zlib.crc32(where.encode()):08x}" if url else "local"
