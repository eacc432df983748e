"""`ccc queue answer|cancel|retry|move|rm`: change tasks."""

import argparse
import os
from collections.abc import Callable, Sequence
from functools import partial

import sqlalchemy as sa

from ccc import words
from ccc.backlog import delivery, locks, store, worktree
from ccc.backlog.snapshot import open_queue, task_values
from ccc.backlog.task import RUNNING, WAITING, QueuedTask
from ccc.commands.queue.add import read_text
from ccc.errors import CccError
from ccc.storage.paths import Paths
from ccc.system import terminal
from ccc.ui import prompts
from ccc.ui.arguments import given_limits

_Change = Callable[[sa.Connection, QueuedTask], None]


def cancel(where: Paths, options: argparse.Namespace) -> int:
    """Cancel tasks; the worker ends a running one."""
    with open_queue(where) as queue:
        is_alive = partial(locks.is_alive, queue, where)
        return _change(where, options, lambda c, task: store.cancel(c, task, is_alive))


def retry(where: Paths, options: argparse.Namespace) -> int:
    """Let tasks run again, each in its session, if wanted with more permissions or limits."""
    limits = given_limits(options)
    return _change(where, options, lambda c, task: store.retry(c, task, options.allow, limits))


def answer(where: Paths, options: argparse.Namespace) -> int:
    """Give the agent of a task an answer."""
    given = read_text(options.words)
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


def remove(where: Paths, options: argparse.Namespace) -> int:
    """Forget tasks and remove their worktrees, all or none; the branches stay."""
    ids = list(dict.fromkeys(options.ids))
    with open_queue(where) as queue:
        with queue.read() as connection:
            _find(connection, ids, options.force)
        if not options.yes and not _confirm(ids):
            terminal.tell(words.say("ask.unchanged"))
            return 0
        with queue.change() as connection:
            # one may have started since, or another may wait for it now
            tasks, waiting = _find(connection, ids, options.force)
            for task in tasks:
                store.remove(connection, task)
    removed = []
    for task in tasks:
        is_removed, problem = _remove_worktree(task)
        removed.append(
            task_values(task) | {"worktree_removed": is_removed, "worktree_problem": problem}
        )
        if not options.json:
            _report_removal(task, waiting[task.id], is_removed, problem)
    if options.json:
        freed = sorted({id_ for each in waiting.values() for id_ in each})
        print(terminal.as_json({"tasks": removed, "no_longer_wait": freed}))
    return 1 if any(each["worktree_problem"] for each in removed) else 0


def _find(
    connection: sa.Connection, ids: list[int], is_forced: bool
) -> tuple[list[QueuedTask], dict[int, list[int]]]:
    """Return the tasks, and which others wait for each; raise if one can't be removed."""
    tasks = [store.find(connection, id_) for id_ in ids]
    waiting = {
        task.id: [id_ for id_ in store.dependents(connection, task) if id_ not in ids]
        for task in tasks
    }
    for task in tasks:
        if task.state == RUNNING:
            raise store.wrong_state(task, "remove")
        if (others := waiting[task.id]) and not is_forced:
            names = _names(others)
            raise CccError("queue.awaited", id=task.id, tasks=names)
    return tasks, waiting


def _confirm(ids: list[int]) -> bool:
    if not prompts.is_interactive():
        raise CccError("queue.confirm", tasks=_names(ids))
    return prompts.yes(words.say("queue.ask_remove", tasks=_names(ids)), False)


def _names(ids: list[int]) -> str:
    return ", ".join(f"#{id_}" for id_ in ids)


def _remove_worktree(task: QueuedTask) -> tuple[bool, str]:
    """Remove the task's worktree; return whether that was done, or why it must stay."""
    try:
        if os.path.isdir(task.worktree) and task.branch:
            # the branch keeps what the agent didn't commit
            delivery.commit(task)
    except (CccError, OSError) as error:
        return False, str(error)
    return worktree.remove(task), ""


def _report_removal(task: QueuedTask, waiting: list[int], is_removed: bool, problem: str) -> None:
    print(words.say("queue.removed", id=task.id))
    for id_ in waiting:
        print(words.say("queue.waits_no_more", id=id_, other=task.id))
    place = {"host": task.host, "directory": task.worktree}
    if problem:
        terminal.tell(words.say("queue.worktree_kept", **place, cause=problem))
    elif task.worktree and not is_removed:
        terminal.tell(words.say("queue.worktree_stays", **place))
