"""Measure what the queue adds to a task, an idle worker, and the list of many tasks."""

import os
import statistics
import subprocess
import time
from pathlib import Path

from bench.scene import CCC, PYTHON, Scene
from bench.table import Case, Row, Section, against
from ccc.backlog import database, store
from ccc.backlog.database import Database
from ccc.backlog.task import COMPLETED, FAILED, WAITING, QueuedTask
from ccc.storage.paths import Paths

_STANDIN = 'print(\'{"outcome": "completed", "cost_usd": {"total": 0.1}}\')\n'
_WORKER = """
import os, sys
from ccc.backlog import active_runs, database, worker
from ccc.storage.paths import Paths
where = Paths(os.environ)
program = (sys.executable, sys.argv[1])
plan = active_runs.WorkerOptions(jobs=1, once="--once" in sys.argv, program=program)
worker.QueueWorker(where, database.connect(where, os.environ), plan).run()
os._exit(0)
"""
_TASK_MS, _CORE_PERCENT, _MEGABYTES, _LIST_MS = 150.0, 2.0, 120.0, 2_000.0
_MANY = 10_000


def queue(directory: Path, quick: bool) -> list[Row]:
    """Measure the queue on SQLite."""
    scene = Scene(directory)
    (directory / "standin.py").write_text(_STANDIN)
    git = ("git", "-c", "user.name=bench", "-c", "user.email=bench@localhost")
    scene.run((*git, "init", "--quiet"))
    scene.run((*git, "commit", "--quiet", "--allow-empty", "--message", "start"))
    per_task = _per_task(scene, 5 if quick else 40)
    percent, megabytes = _idle(scene, 5.0 if quick else 30.0)
    _add(scene, _MANY, COMPLETED)
    listing = statistics.median(_seconds(scene, CCC, "queue", "list") for _ in range(5))
    _add_blocked(scene, _MANY)
    blocked_percent, _ = _idle(scene, 5.0 if quick else 30.0)
    blocked_listing = statistics.median(_seconds(scene, CCC, "queue", "list") for _ in range(5))
    values = (
        *(per_task * 1000, percent, megabytes, listing * 1000),
        *(blocked_percent, blocked_listing * 1000),
    )
    limits = (_TASK_MS, _CORE_PERCENT, _MEGABYTES, _LIST_MS, _CORE_PERCENT, _LIST_MS)
    return [
        against(case, value, limit)
        for case, value, limit in zip(QUEUE.cases, values, limits, strict=True)
    ]


def _add(scene: Scene, count: int, state: str = WAITING, after: tuple[int, ...] = ()) -> int:
    """Add tasks; return the number of the last one."""
    opened = _open(scene)
    repo = str(scene.project)
    tasks = [
        QueuedTask(text=f"task {n}", repo=repo, state=state, after=after) for n in range(count)
    ]
    with opened.change() as connection:
        last = [store.add(connection, each) for each in tasks][-1].id
    opened.close()
    return last


def _add_blocked(scene: Scene, count: int) -> None:
    """Add tasks that wait for one that has failed."""
    failed = _add(scene, 1, FAILED)
    _add(scene, count, after=(failed,))


def _open(scene: Scene) -> Database:
    environ = {"CLAUDE_CONFIG_DIR": str(scene.claude_dir)}
    return database.connect(Paths(environ), environ)


def _worker(scene: Scene, *options: str) -> tuple[str, ...]:
    return (PYTHON, "-c", _WORKER, str(scene.root / "standin.py"), *options)


def _seconds(scene: Scene, *command: str) -> float:
    start = time.perf_counter()
    scene.run(command)
    return time.perf_counter() - start


def _per_task(scene: Scene, count: int) -> float:
    """Return the seconds that a task takes besides its agent and the worker's start."""
    _add(scene, 1)
    start = _seconds(scene, *_worker(scene, "--once"))
    _add(scene, count + 1)
    whole = _seconds(scene, *_worker(scene, "--once"))
    opened = _open(scene)
    with opened.read() as connection:
        assert store.totals(connection) == {COMPLETED: count + 2}
    opened.close()
    agent = statistics.median(
        _seconds(scene, PYTHON, str(scene.root / "standin.py")) for _ in range(10)
    )
    return (whole - start) / count - agent


def _idle(scene: Scene, seconds: float) -> tuple[float, float]:
    """Return the share of a core in percent and the megabytes of a worker that starts nothing."""
    worker = subprocess.Popen(_worker(scene), env=scene.environ, cwd="/")
    try:
        time.sleep(3)
        before = _processor_seconds(worker.pid)
        time.sleep(seconds)
        used = _processor_seconds(worker.pid) - before
        with open(f"/proc/{worker.pid}/status") as status:
            (line,) = (line for line in status if line.startswith("VmRSS"))
    finally:
        worker.terminate()
        worker.wait(20)
    return used / seconds * 100, int(line.split()[1]) * 1024 / 1e6


def _processor_seconds(pid: int) -> float:
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


QUEUE = Section(
    "queue",
    "The queue",
    "On SQLite, with a stand-in for `ccc run` that ends at once. The reference is what each may "
    "take. Figures of an idle worker are from Linux.",
    ("measured", "against"),
    (
        Case(
            "a task, in ms",
            "Everything but the agent: the start, the worktree, durable steps, the commit, the "
            "end. One task after the other.",
            1.0,
        ),
        Case("an idle worker, in percent of a core", "It looks into the database.", 1.0),
        Case("an idle worker, in MB", "Most of it is DBOS and SQLAlchemy.", 1.0),
        Case("ccc queue list with 10,000 tasks, in ms", "The whole command.", 1.0),
        Case(
            "an idle worker with 10,000 waiting tasks, in percent of a core",
            "They wait for one that has failed.",
            1.0,
        ),
        Case("ccc queue list with 10,000 waiting tasks, in ms", "It prints all of them.", 1.0),
    ),
    queue,
)
