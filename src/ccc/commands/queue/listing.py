"""`ccc queue list`: a table of the tasks, with what keeps those that wait."""

import argparse
import sys

import sqlalchemy as sa

from ccc import words
from ccc.backlog import store
from ccc.backlog.task import ENDED, NEEDS_INPUT, STATES, WAITING, Task
from ccc.commands.queue import lines
from ccc.commands.queue.snapshot import Snapshot, open_queue, take
from ccc.storage.paths import Paths
from ccc.system import terminal
from ccc.ui import table

_ENDED_SHOWN = 10
OPEN = tuple(state for state in STATES if state not in ENDED)


def main(where: Paths, options: argparse.Namespace) -> int:
    """Print the tasks."""
    with open_queue(where) as queue:
        snapshot = take(queue, where, lambda connection: _choose(connection, options))
    if options.json:
        print(terminal.as_json(snapshot.values()))
    elif not sum(snapshot.totals.values()):
        print(terminal.fit(words.say("queue.empty"), sys.stdout))
    else:
        _print(snapshot, options)
    return 0


def _choose(connection: sa.Connection, options: argparse.Namespace) -> list[Task]:
    most = options.n or 0
    if options.state or options.all:
        return store.load(connection, options.state, most)
    tasks = store.load(connection, OPEN, most) + last_ended(connection, _ENDED_SHOWN)
    return tasks[:most] if most else tasks


def last_ended(connection: sa.Connection, most: int) -> list[Task]:
    """Return the tasks that ended last, newest first."""
    ended = [task for state in ENDED for task in store.load(connection, [state], most)]
    return sorted(ended, key=lambda task: -task.ended_at)[:most]


def _print(snapshot: Snapshot, options: argparse.Namespace) -> None:
    for line in lines.head(snapshot):
        print(terminal.fit(line, sys.stdout))
    if snapshot.tasks:
        print()
        rows = [lines.headings(), *(lines.row(snapshot, task) for task in snapshot.tasks)]
        styles = [
            {0: lines.STYLES[each.state], lines.STATE: lines.STYLES[each.state]}
            for each in snapshot.tasks
        ]
        table.print_rows(rows, lines.LEAST, styles)
    for task in snapshot.tasks:
        if task.state == NEEDS_INPUT:
            _print_question(task)
    of_states = options.state or STATES
    more = sum(snapshot.totals.get(state, 0) for state in of_states) - len(snapshot.tasks)
    if more > 0:
        print(words.say("queue.more", n=more))
    if snapshot.totals.get(WAITING) and not snapshot.workers:
        print(terminal.fit(words.say("queue.start_worker"), sys.stdout))


def _print_question(task: Task) -> None:
    asked, command = lines.question(task)
    print("\n" + terminal.fit(terminal.plain(f"? {asked}"), sys.stdout))
    print(f"  {command}")
