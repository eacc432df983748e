"""`ccc queue work`: a worker with a board, sentences or JSON, in the background, or a service."""

import argparse
import os
import select
import sys
import threading
import time
from collections import deque
from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from ccc import words
from ccc.backlog import database, locks, places, wording
from ccc.backlog.active_runs import WorkerOptions
from ccc.backlog.database import Database
from ccc.backlog.task import FAILED, WAITING
from ccc.backlog.worker import QueueWorker
from ccc.commands.queue.board import Board, quits
from ccc.config import ccc_json
from ccc.errors import CccError
from ccc.storage import files
from ccc.storage.journal import stamp
from ccc.storage.paths import Paths, own_program
from ccc.system import private_files, spawn, terminal
from ccc.ui import formatting

LOG = "CCC_QUEUE_LOG"  # the file that a worker in the background writes to
_JOBS = 2
_DETACH_SECONDS = 15.0
_DRAW_SECONDS = 1.0
_MOST_TOLD = 200
_TEXTS = ("provider", "title", "checks", "worker", "host", "jobs", "cause", "detail")
"""The facts that a sentence may name as they are."""
# the service manager reads keys and the database's address from a file that only its user can read
_UNIT = """\
[Unit]
Description=Worker of ccc queue

[Service]
ExecStart={command}
{variables}
# CCC_QUEUE_URL and variables with keys, one NAME=value per line
EnvironmentFile=-%h/.config/ccc/queue.env
Restart=always
RestartSec=5
KillMode=mixed
TimeoutStopSec=30

[Install]
WantedBy=default.target
"""
_KEPT = (
    *("PATH", "XDG_STATE_HOME", "CLAUDE_CONFIG_DIR", "CCC_CONFIG_DIR", "CCC_WORK_DIR"),
    *("CCC_QUEUE_DIR", "CCC_QUEUE_HOST", "CCC_LANG"),
)
"""The variables of a service that say where everything is."""


def main(where: Paths, options: argparse.Namespace) -> int:
    """Work on tasks until a signal."""
    jobs = options.jobs or _JOBS
    command = [own_program(), "queue", "work", f"--jobs={jobs}"]
    command += ["--once"] if options.once else []
    if options.unit:
        given = {name: os.environ[name] for name in _KEPT if os.environ.get(name)}
        variables = "\n".join(f"Environment={_quoted(f'{n}={v}')}" for n, v in given.items())
        line = " ".join(map(_quoted, command))
        print(_UNIT.format(command=line, variables=variables), end="")
        return 0
    if not ccc_json.read(where).providers:
        raise CccError("provider.none")
    if options.detach:
        return _detach(where, command)
    if log := os.environ.pop(LOG, ""):
        file = private_files.open_file(log, os.O_WRONLY | os.O_APPEND)
        for stream in (1, 2):
            os.dup2(file, stream)
    queue = database.connect(where, os.environ)
    plan = WorkerOptions(jobs=jobs, once=options.once, tell=_tell)
    has_screen = sys.stdin.isatty() and sys.stdout.isatty()
    has_screen = has_screen and os.environ.get("TERM", "dumb") != "dumb"
    if has_screen and not (options.json or options.once):
        is_well = _work_on_screen(where, queue, plan)
    else:
        if options.json:
            lines = JsonLines()
            plan = replace(plan, tell=lines.tell, wants_end=lines.is_closed)
        is_well = QueueWorker(where, queue, plan).run()
    sys.stdout.flush()
    # threads of the engine may wait for a step that the next worker resumes
    os._exit(0 if is_well else 1)


def _quoted(word: str) -> str:
    """Quote a word for systemd."""
    safe = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return f'"{safe}"' if safe != word or not word.isprintable() or " " in word else word


def _work_on_screen(where: Paths, queue: Database, plan: WorkerOptions) -> bool:
    board = Board(queue, where, "worker.keys")
    next_draw, told = 0.0, deque[str](maxlen=_MOST_TOLD)
    with board.open() as live:

        def draw() -> None:
            nonlocal next_draw
            if time.monotonic() >= next_draw:
                next_draw = time.monotonic() + _DRAW_SECONDS
                board.update(live)

        def note(event: str, task: int, facts: Mapping[str, Any]) -> None:
            # the screen itself shows that the worker works
            if event != "worker_started":
                told.append(_describe(event, task, facts))

        screen = replace(plan, draw=draw, tell=note, wants_end=lambda: quits(0.0))
        is_well = QueueWorker(where, queue, screen).run()
    for line in told:
        terminal.tell(line)
    return is_well


def _detach(where: Paths, command: list[str]) -> int:
    """Start the worker in the background, and wait until it works."""
    file = os.path.join(places.records(where), "worker.log")
    files.make_directory(os.path.dirname(file))
    queue = database.connect(where, os.environ)
    known = {each["name"] for each in locks.find_living(queue, where)}
    spawn.start_detached(command, {**os.environ, LOG: file}, low_priority=False)
    until = time.monotonic() + _DETACH_SECONDS
    while time.monotonic() < until:
        new = [each for each in locks.find_living(queue, where) if each["name"] not in known]
        if new:
            terminal.tell(words.say("worker.detached", pid=new[0]["pid"], file=file))
            return 0
        time.sleep(0.1)
    raise CccError("worker.not_detached", file=file)


def _tell(event: str, task: int, facts: Mapping[str, Any]) -> None:
    terminal.tell(_describe(event, task, facts))


def _describe(event: str, task: int, facts: Mapping[str, Any]) -> str:
    """Return the time and what happened, in the user's words."""
    values: dict[str, object] = {name: facts.get(name, "") for name in _TEXTS}
    values["id"] = task
    for name in ("needed_usd", "left_usd"):
        values[name] = formatting.money(facts.get(name, 0.0))
    values["cost"] = formatting.money(facts.get("cost_usd", 0.0), facts.get("cost_source", ""))
    if event == WAITING and facts.get("until"):
        values["until"] = wording.moment(facts["until"])
    if event == FAILED:
        outcome = facts["outcome"]
        detail = terminal.plain(wording.detail(outcome, facts["detail"]))
        values["outcome"] = wording.outcome(outcome)
        values["detail"] = f"\n  {detail}" if detail else ""
    sentence = words.say(f"worker.{_sentence(event, facts)}", **values)
    return f"{time.strftime('%H:%M:%S')} {sentence}"


def _sentence(event: str, facts: Mapping[str, Any]) -> str:
    """Return the name of the sentence for an event; some have several."""
    if event == "started" and facts.get("continues"):
        return "continues"
    if event == WAITING and facts.get("until"):
        return "limited"
    if event == "database_lost" and facts.get("is_final"):
        return "database_gone"
    if event == "worker_ended":
        return f"ended_{facts['reason']}"
    return event


class JsonLines:
    """Prints events as JSON on stdout, one object per line; several threads may do so."""

    def __init__(self) -> None:
        self._is_closed = False
        self._lock = threading.Lock()

    def tell(self, event: str, task: int, facts: Mapping[str, Any]) -> None:
        """Print an event; one that can't be written decides nothing about a task."""
        values = {"time": stamp(), "event": event, "task": task or None, **facts}
        if "until" in facts:
            values["until"] = stamp(facts["until"]) if facts["until"] else None
        with self._lock:
            if self._is_closed:
                return
            try:
                print(terminal.as_json(values), flush=True)
            except OSError as error:
                self._is_closed = True
                # the rest of the output must not fail, too
                os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
                if not isinstance(error, BrokenPipeError):
                    cause = error.strerror or str(error)
                    terminal.tell(words.say("worker.events_lost", cause=cause))

    def is_closed(self) -> bool:
        """Return whether no event can be written any more: nobody reads, or the disk is full."""
        if not self._is_closed:
            poll = select.poll()
            poll.register(1, 0)
            gone = select.POLLERR | select.POLLHUP  # of a pipe or a socket
            self._is_closed = any(found & gone for _, found in poll.poll(0))
        return self._is_closed
