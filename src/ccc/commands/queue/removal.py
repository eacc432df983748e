"""`ccc queue rm`: forget tasks and remove their worktrees; the branches stay."""

import argparse
import os

import sqlalchemy as sa

from ccc import words
from ccc.backlog import delivery, store, worktree
from ccc.backlog.snapshot import open_queue, task_values
from ccc.backlog.task import RUNNING, QueuedTask
from ccc.errors import CccError
from ccc.storage.paths import Paths
from ccc.system import terminal
from ccc.ui import prompts


def main(where: Paths, options: argparse.Namespace) -> int:
    """Remove the tasks after a confirmation: all of them or none."""
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
            _report(task, waiting[task.id], is_removed, problem)
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


def _report(task: QueuedTask, waiting: list[int], is_removed: bool, problem: str) -> None:
    print(words.say("queue.removed", id=task.id))
    for id_ in waiting:
        print(words.say("queue.waits_no_more", id=id_, other=task.id))
    place = {"host": task.host, "directory": task.worktree}
    if problem:
        terminal.tell(words.say("queue.worktree_kept", **place, cause=problem))
    elif task.worktree and not is_removed:
        terminal.tell(words.say("queue.worktree_stays", **place))
