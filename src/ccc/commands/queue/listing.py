"""`ccc queue list`: a table of the tasks, with what keeps those that wait."""

import argparse
import sys

import sqlalchemy as sa

from ccc import words
from ccc.backlog import store, wording
from ccc.backlog.snapshot import Snapshot, open_and_last, open_queue, take
from ccc.backlog.task import NEEDS_INPUT, STATES, WAITING, QueuedTask
from ccc.storage.paths import Paths
from ccc.system import terminal
from ccc.ui import table

_ENDED_SHOWN = 10


def main(where: Paths, options: argparse.Namespace) -> int:
    """Print the tasks."""
    most = options.n or 0

    def choose(connection: sa.Connection) -> list[QueuedTask]:
        if options.state or options.all:
            return store.load(connection, options.state, most)
        return open_and_last(connection, most, _ENDED_SHOWN)

    with open_queue(where) as queue:
        snapshot = take(queue, where, choose)
    if options.json:
        print(terminal.as_json(snapshot.values()))
    elif not sum(snapshot.totals.values()):
        print(terminal.fit(words.say("queue.empty"), sys.stdout))
    else:
        _print(snapshot, options)
    return 0


def _print(snapshot: Snapshot, options: argparse.Namespace) -> None:
    for line in wording.head(snapshot):
        print(terminal.fit(line, sys.stdout))
    if snapshot.tasks:
        print()
        rows = [wording.headings(), *(wording.row(snapshot, task) for task in snapshot.tasks)]
        styles = [
            {0: wording.STYLES[each.state], wording.STATE: wording.STYLES[each.state]}
            for each in snapshot.tasks
        ]
        table.print_rows(rows, wording.LEAST, styles)
    for task in snapshot.tasks:
        if task.state == NEEDS_INPUT:
            asked, command = wording.question(task)
            print("\n" + terminal.fit(terminal.plain(f"? {asked}"), sys.stdout))
            print(f"  {command}")
    of_states = options.state or STATES
    more = sum(snapshot.totals.get(state, 0) for state in of_states) - len(snapshot.tasks)
    if more > 0:
        print(words.say("look.more", n=more, command="ccc queue list --all"))
    if snapshot.totals.get(WAITING) and not snapshot.workers:
        print(terminal.fit(words.say("queue.start_worker"), sys.stdout))
