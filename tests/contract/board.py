"""Shared by the tests of the page's board."""

import subprocess
import sys
import time

from ccc.backlog import store
from ccc.backlog.database import Database
from ccc.backlog.task import QueuedTask
from harness.backlog import store_tasks


def put(queue: Database, **values: object) -> QueuedTask:
    """Add a task in any state."""
    given = {"text": "Rename the option", "repo": "/r", "cost_source": "", **values}
    (task,) = store_tasks(queue, [QueuedTask(**given)])  # type: ignore[arg-type]
    return task


def get(queue: Database, task: QueuedTask) -> QueuedTask:
    """Return the task as it is now."""
    with queue.read() as connection:
        return store.find(connection, task.id)


def standin(*words: str) -> "subprocess.Popen[bytes]":
    """Start a process with these words in its command line, which exits with 7 at Ctrl-C."""
    code = "import time, sys\ntry:\n time.sleep(60)\nexcept KeyboardInterrupt:\n sys.exit(7)"
    process = subprocess.Popen([sys.executable, "-c", code, *words])
    return _Ended(process)  # type: ignore[return-value]


class _Ended:
    """A process that ends with its block."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self._process = process

    def __enter__(self) -> "subprocess.Popen[bytes]":
        time.sleep(0.2)  # until Python handles signals
        return self._process

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
