"""`ccc queue logs ID`: print what the runs of a task have shown, and follow it."""

import argparse
import sys
import time

from ccc import words
from ccc.backlog import places, store, wording
from ccc.backlog.database import Database
from ccc.backlog.snapshot import open_queue
from ccc.backlog.task import NEEDS_INPUT, RUNNING, WAITING, QueuedTask
from ccc.errors import CccError
from ccc.storage.paths import Paths
from ccc.system import terminal

_TICK_SECONDS = 0.5
_PIECE = 1024 * 1024
_MOST_IN_JSON = 4 * _PIECE


def main(where: Paths, options: argparse.Namespace) -> int:
    """Print the log of a task; with `-f`, until it ends."""
    with open_queue(where) as queue:
        task = _find(queue, options.id)
        if task.host and task.host != places.host():
            raise CccError("queue.elsewhere", id=task.id, host=task.host)
        log = _Log(places.log_file(where, task.id))
        if options.json:
            text, question = log.end(), task.detail if task.state == NEEDS_INPUT else None
            facts = {"id": task.id, "file": log.path, "text": text, "question": question}
            print(terminal.as_json(facts))
            return 0
        if not log.print() and not options.follow:
            terminal.tell(words.say("queue.no_log", id=task.id))
        if options.follow:
            task = _follow(queue, task, log)
        if task.state == NEEDS_INPUT:
            asked, command = wording.question(task)
            print(terminal.fit(terminal.plain(asked), sys.stdout) + f"\n  {command}")
    return 0


def _find(queue: Database, id_: int) -> QueuedTask:
    with queue.read() as connection:
        return store.find(connection, id_)


def _follow(queue: Database, task: QueuedTask, log: "_Log") -> QueuedTask:
    """Print the log until the task ends or asks; return how it is then."""
    if task.state == WAITING:
        terminal.tell(words.say("queue.not_started", id=task.id))
    try:
        while task.state in (RUNNING, WAITING):
            time.sleep(_TICK_SECONDS)
            log.print()
            task = _find(queue, task.id)
        log.print()
    except KeyboardInterrupt:
        pass  # the usual way to stop
    return task


class _Log:
    """A file that a worker writes; it may not exist yet."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._position = 0
        self._rest = b""

    def _read(self, position: int, most: int) -> bytes:
        """Read from a position, which counts from the end if it is negative."""
        try:
            with open(self.path, "rb") as file:
                end = file.seek(0, 2)
                file.seek(position if position >= 0 else max(0, end + position))
                return file.read(most)
        except FileNotFoundError:
            return b""

    def end(self) -> str:
        """Return the end of the log."""
        data = self._read(-_MOST_IN_JSON, _MOST_IN_JSON)
        return terminal.plain(data.decode(errors="replace"))

    def print(self) -> bool:
        """Print the new part of the log; return whether there is any."""
        begin = self._position
        while data := self._read(self._position, _PIECE):
            self._position += len(data)
            whole, newline, self._rest = (self._rest + data).rpartition(b"\n")
            sys.stdout.write(terminal.plain((whole + newline).decode(errors="replace")))
        sys.stdout.flush()
        return self._position > begin
