"""`ccc queue` on a terminal: the board, redrawn every second until the user presses q."""

import argparse
import contextlib
import os
import select
import signal
import sys
import termios
import time
import tty
from collections.abc import Iterator

import sqlalchemy as sa
from msgspec import Struct, field
from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from ccc import words
from ccc.backlog import store, wording
from ccc.backlog.database import Database
from ccc.backlog.snapshot import Snapshot, open_and_last, open_queue, take
from ccc.backlog.task import NEEDS_INPUT, RUNNING, QueuedTask
from ccc.commands.queue.show import list_tasks
from ccc.storage.paths import Paths
from ccc.system import terminal
from ccc.ui import rich_output, table

_TICK_SECONDS = 1.0
_QUESTION_LINES = (3, 1, 0)
"""How much of each question is shown, as far as there is room; without it, no command either."""
_QUIT = b"qQ\x03\x04"
_LEAST = {wording.STATE: 12, wording.PROVIDER: 4, wording.TASK: 8}


def main(where: Paths, options: argparse.Namespace) -> int:
    """Show the board until the user quits."""
    if os.environ.get("TERM", "dumb") == "dumb":
        return list_tasks(where, options)
    for number in (signal.SIGTERM, signal.SIGHUP):
        # exiting restores the terminal
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    with open_queue(where) as queue:
        try:
            Board(queue, where).run()
        except KeyboardInterrupt:
            pass  # another way to quit
    return 0


class Board(Struct):
    """The board and what it shows."""

    queue: Database
    where: Paths
    keys: str = "queue.keys"  # the message about the keys that it reads
    console: Console = field(default_factory=rich_output.console)

    def run(self) -> None:
        """Draw until the user presses q."""
        with self.open() as live:
            self.update(live)
            while not quits(_TICK_SECONDS):
                self.update(live)

    @contextlib.contextmanager
    def open(self) -> Iterator[Live]:
        """Take the whole terminal, which reads single keys meanwhile."""
        before = termios.tcgetattr(0)
        try:
            tty.setcbreak(0)
            with Live(console=self.console, screen=True, auto_refresh=False) as live:
                yield live
        finally:
            termios.tcsetattr(0, termios.TCSADRAIN, before)

    def update(self, live: Live) -> None:
        """Draw the queue as it is now."""
        live.update(Group(*self.draw(*self.console.size)), refresh=True)

    def draw(self, width: int, height: int) -> list[Text]:
        """Look at the queue and return the lines of the screen."""

        def load(connection: sa.Connection) -> list[QueuedTask]:
            # as many as can be seen, and all questions, however many tasks are running
            tasks = open_and_last(connection, height)
            known = {task.id for task in tasks}
            asking = store.load(connection, [NEEDS_INPUT], height)
            return tasks + [task for task in asking if task.id not in known]

        snapshot = take(self.queue, self.where, load)
        return screen(snapshot, width, height, self.keys)


def screen(
    snapshot: Snapshot, width: int, height: int, about_keys: str = "queue.keys"
) -> list[Text]:
    """Return the lines of the screen, none of them wider than the terminal."""
    keys = rich_output.text(words.say(about_keys), "dim")
    counts, *facts = wording.head(snapshot, width)
    head = [rich_output.text(each, "bold") for each in terminal.wrap(counts, width, cut=True)]
    rest = terminal.wrap("\n".join(facts), width, cut=True) if facts else []
    head += map(rich_output.text, rest)
    room = height - len(head) - 2
    body = _body(snapshot, width, max(room, 1))
    lines = [*head, Text(), *body, *[Text()] * (room - len(body)), keys]
    for line in lines:
        line.truncate(width, overflow="ellipsis")
        line.no_wrap = True
    return lines


def _body(snapshot: Snapshot, width: int, room: int) -> list[Text]:
    if not snapshot.tasks:
        empty = terminal.wrap(words.say("queue.empty"), width, cut=True)
        return [rich_output.text(each) for each in empty]
    # besides the headings, and the line for what doesn't fit
    tasks, most = _arrange(snapshot.tasks, width, room - 2)
    rows = [wording.headings(), *(wording.row(snapshot, task) for task in tasks)]
    headings, *aligned = table.align(rows, width, _LEAST)
    found = [Text("  ".join(headings), "dim")]
    more = sum(snapshot.totals.values())
    for task, cells in zip(tasks, aligned, strict=True):
        styles = wording.styles(task)
        row = Text("  ").join(Text(cell, styles.get(n, "")) for n, cell in enumerate(cells))
        own = [row, *_question(task, width, most)]
        # the last line of the room is for what doesn't fit
        if len(found) + len(own) > room - (more > 1):
            break
        found += own
        more -= 1
    if more:
        found.append(rich_output.text(words.say("queue.cut", n=more), "dim"))
    return found


def _arrange(tasks: list[QueuedTask], width: int, room: int) -> tuple[list[QueuedTask], int]:
    """Return the tasks in the order of the board, and how many lines each question gets.

    If questions and running tasks don't all fit, questions are first, but leave a third of the
    room to running tasks.
    """
    asking = [task for task in tasks if task.state == NEEDS_INPUT]
    running = [task for task in tasks if task.state == RUNNING]
    for_asking = room - min(len(running), room // 3)
    for most in _QUESTION_LINES:
        lines = sum(1 + len(_question(task, width, most)) for task in asking)
        if lines <= for_asking:
            break
    if lines + len(running) <= room:
        return tasks, most
    rest = [task for task in tasks if task.state not in (NEEDS_INPUT, RUNNING)]
    return [*asking[: max(for_asking, 1)], *running, *rest], most


def _question(task: QueuedTask, width: int, most: int) -> list[Text]:
    if task.state != NEEDS_INPUT or not most:
        return []
    asked, command = wording.question(task)
    indent = "   "
    wrapped = terminal.wrap(" ".join(terminal.plain(asked).split()), width - len(indent), cut=True)
    shown = wrapped[:most]
    if len(wrapped) > len(shown):
        shown[-1] = terminal.cut(f"{shown[-1]} …", width - len(indent))
    body = [rich_output.text(indent + line) for line in shown]
    return [*body, rich_output.text(indent + command, "bold")]


def quits(seconds: float) -> bool:
    """Wait that long for a key; return whether it ends the board."""
    until = time.monotonic() + seconds
    while select.select([0], [], [], max(0.0, until - time.monotonic()))[0]:
        keys = os.read(0, 1024)
        if not keys or any(key in _QUIT for key in keys):
            return True
    return False
