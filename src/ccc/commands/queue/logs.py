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
        path = places.log_file(where, task.id)
        if options.json:
            text = _text(_read(path, -_MOST_IN_JSON, _MOST_IN_JSON))
            question = task.detail if task.state == NEEDS_INPUT else None
            facts = {"id": task.id, "file": path, "text": text, "question": question}
            print(terminal.as_json(facts))
            return 0
        end = _print(path, 0)
        if not end and not options.follow:
            terminal.tell(words.say("queue.no_log", id=task.id))
        if options.follow:
            task = _follow(queue, task, path, end)
        if task.state == NEEDS_INPUT:
            asked, command = wording.question(task)
            print(terminal.fit(terminal.plain(asked), sys.stdout) + f"\n  {command}")
    return 0


def _find(queue: Database, id_: int) -> QueuedTask:
    with queue.read() as connection:
        return store.find(connection, id_)


def _follow(queue: Database, task: QueuedTask, path: str, end: int) -> QueuedTask:
    """Print the log until the task ends or asks; return how it is then."""
    if task.state == WAITING:
        terminal.tell(words.say("queue.not_started", id=task.id))
    try:
        while task.state in (RUNNING, WAITING):
            time.sleep(_TICK_SECONDS)
            end = _print(path, end)
            task = _find(queue, task.id)
        _print(path, end)
    except KeyboardInterrupt:
        pass  # the usual way to stop
    return task


def _print(path: str, begin: int) -> int:
    """Print the log from a position on, whole lines only; return where they end."""
    while data := _read(path, begin, _PIECE):
        end = data.rfind(b"\n") + 1 or (len(data) if len(data) == _PIECE else 0)
        if not end:
            break
        sys.stdout.write(_text(data[:end]))
        begin += end
    sys.stdout.flush()
    return begin


def _read(path: str, begin: int, most: int) -> bytes:
    """Read from a position, which counts from the end if it is negative; nothing if it is new."""
    try:
        with open(path, "rb") as file:
            end = file.seek(0, 2)
            file.seek(begin if begin >= 0 else max(0, end + begin))
            return file.read(most)
    except FileNotFoundError:
        return b""


def _text(data: bytes) -> str:
    return terminal.plain(data.decode(errors="replace"))
