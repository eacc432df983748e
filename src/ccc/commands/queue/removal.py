"""`ccc queue rm`: forget tasks and remove their worktrees; the branches stay."""

import argparse
import os

from ccc import words
from ccc.backlog import delivery, store, worktree
from ccc.backlog.snapshot import open_queue, task_values
from ccc.backlog.task import RUNNING, Task
from ccc.errors import CccError
from ccc.storage.paths import Paths
from ccc.system import terminal
from ccc.ui import prompts


def main(where: Paths, options: argparse.Namespace) -> int:
    """Remove the tasks after a confirmation."""
    with open_queue(where) as queue:
        with queue.read() as connection:
            tasks = [store.find(connection, id_) for id_ in dict.fromkeys(options.ids)]
        for task in tasks:
            _refuse_running(task)
        if not options.yes and not _confirm(tasks):
            terminal.tell(words.say("provider.unchanged"))
            return 0
        for task in tasks:
            with queue.change() as connection:
                # it may have started since
                store.remove(connection, store.find(connection, task.id))
            if os.path.isdir(task.worktree) and task.branch:
                # the branch keeps what the agent didn't commit
                delivery.commit(task, os.environ)
            is_removed = worktree.remove(task)
            if not options.json:
                _report(task, is_removed)
    if options.json:
        print(terminal.as_json({"tasks": [task_values(each) for each in tasks]}))
    return 0


def _refuse_running(task: Task) -> None:
    if task.state == RUNNING:
        raise CccError(
            "queue.cannot_remove", hint="queue.state_hint", id=task.id, reason="queue.is_running"
        )


def _confirm(tasks: list[Task]) -> bool:
    names = ", ".join(f"#{task.id}" for task in tasks)
    if not prompts.is_interactive():
        raise CccError("queue.confirm", hint="queue.confirm_hint", tasks=names)
    return prompts.yes(words.say("queue.ask_remove", tasks=names), False)


def _report(task: Task, is_removed: bool) -> None:
    print(words.say("queue.removed", id=task.id))
    if task.worktree and not is_removed:
        there = words.say("queue.worktree_stays", host=task.host, directory=task.worktree)
        terminal.tell(there)
