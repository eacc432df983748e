"""`ccc queue work`: a worker with a board or lines of JSON, in the background, or as a service."""

import argparse
import os
import sys
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import replace

from ccc import words
from ccc.backlog import database, locks, places
from ccc.backlog.active_runs import WorkerOptions
from ccc.backlog.database import Database
from ccc.backlog.worker import QueueWorker
from ccc.commands.queue import worker_events
from ccc.commands.queue.board import Board, quits
from ccc.config import ccc_json
from ccc.errors import CccError
from ccc.storage.paths import Paths, own_program
from ccc.system import private_files, spawn, terminal

LOG = "CCC_QUEUE_LOG"  # the file that a worker in the background writes to
_JOBS = 2
_DETACH_SECONDS = 15.0
_DRAW_SECONDS = 1.0
_MOST_TOLD = 200
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
    plan = WorkerOptions(jobs=jobs, once=options.once, tell=worker_events.tell)
    has_screen = sys.stdin.isatty() and sys.stdout.isatty()
    has_screen = has_screen and os.environ.get("TERM", "dumb") != "dumb"
    if has_screen and not (options.json or options.once):
        is_well = _work_on_screen(where, queue, plan)
    else:
        if options.json:
            lines = worker_events.JsonLines()
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

        def tell(event: str, task: int, facts: Mapping[str, object]) -> None:
            # the screen itself shows that the worker works
            if event != "worker_started":
                told.append(worker_events.describe(event, task, facts))

        screen = replace(plan, draw=draw, tell=tell, wants_end=lambda: quits(0.0))
        is_well = QueueWorker(where, queue, screen).run()
    for line in told:
        terminal.tell(line)
    return is_well


def _detach(where: Paths, command: list[str]) -> int:
    """Start the worker in the background, and wait until it works."""
    file = os.path.join(places.records(where), "worker.log")
    os.makedirs(os.path.dirname(file), mode=0o700, exist_ok=True)
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
