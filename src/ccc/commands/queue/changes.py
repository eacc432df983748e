"""`ccc queue answer|cancel|retry|move`: change tasks."""

import argparse
from collections.abc import Callable, Sequence
from functools import partial

import sqlalchemy as sa

from ccc import words
from ccc.backlog import locks, store
from ccc.backlog.snapshot import open_queue, task_values
from ccc.backlog.task import RUNNING, WAITING, QueuedTask
from ccc.commands.queue import text
from ccc.config import schema
from ccc.errors import CccError
from ccc.storage.paths import Paths
from ccc.system import terminal

_Change = Callable[[sa.Connection, QueuedTask], None]


def cancel(where: Paths, options: argparse.Namespace) -> int:
    """Cancel tasks; the worker ends a running one."""
    with open_queue(where) as queue:
        is_alive = partial(locks.is_alive, queue, where)
        return _change(where, options, lambda c, task: store.cancel(c, task, is_alive))


def retry(where: Paths, options: argparse.Namespace) -> int:
    """Let tasks run again, each in its session, if wanted with more permissions or limits."""
    given = {name: getattr(options, name) for name in schema.LIMITS}
    limits = {name: value for name, value in given.items() if value is not None}
    return _change(where, options, lambda c, task: store.retry(c, task, options.allow, limits))


def answer(where: Paths, options: argparse.Namespace) -> int:
    """Give the agent of a task an answer."""
    given = text.read(options.words)
    if not given:
        raise CccError("queue.no_answer", id=options.id)
    earlier: list[str] = []

    def change(connection: sa.Connection, task: QueuedTask) -> None:
        earlier.append(task.message)
        store.answer(connection, task, given)

    code = _change(where, options, change, [options.id])
    if any(earlier):
        terminal.tell(words.say("queue.answer_added", id=options.id))
    return code


def move(where: Paths, options: argparse.Namespace) -> int:
    """Change the turn of a task."""
    return _change(where, options, lambda c, task: store.move(c, task, options.to), [options.id])


def _change(
    where: Paths, options: argparse.Namespace, change: _Change, ids: Sequence[int] = ()
) -> int:
    """Change all of the tasks or none, and print how they are now."""
    tasks = []
    with open_queue(where) as queue:
        with queue.change() as connection:
            for id_ in dict.fromkeys(ids or options.ids):
                change(connection, store.find(connection, id_))
                tasks.append(store.find(connection, id_))
        if options.json:
            print(terminal.as_json({"tasks": [task_values(each) for each in tasks]}))
            return 0
        for task in tasks:
            print(_describe(task))
        is_waiting = any(task.state == WAITING for task in tasks)
        if is_waiting and not locks.find_living(queue, where):
            terminal.tell(words.say("queue.start_worker"))
    return 0


def _describe(task: QueuedTask) -> str:
    if task.state == RUNNING:
        return words.say("queue.will_cancel", id=task.id)
    state = words.say(f"queue.state_{task.state}")
    message = "queue.now_waiting" if task.state == WAITING else "queue.now"
    return words.say(message, id=task.id, state=state, priority=task.priority)
