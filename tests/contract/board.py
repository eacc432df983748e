"""Shared by the tests of the page's board."""

from ccc.backlog import store
from ccc.backlog.database import Database
from ccc.backlog.task import Task


def put(queue: Database, **values: object) -> Task:
    """Add a task in any state."""
    given = {"text": "Rename the option", "repo": "/r", "cost_source": "", **values}
    (task,) = store.add(queue, [Task(**given)])  # type: ignore[arg-type]
    return task


def get(queue: Database, task: Task) -> Task:
    """Return the task as it is now."""
    with queue.read() as connection:
        return store.find(connection, task.id)
