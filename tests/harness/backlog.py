"""A queue with workers as processes, whose agent is a stand-in for `ccc run`."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from ccc.backlog import database, store
from ccc.backlog.database import Database
from ccc.backlog.tables import RUNS
from ccc.backlog.task import QueuedTask
from ccc.storage.paths import Paths

COST = 0.25
"""What each task costs."""

# Says when two runs of a task overlap, and how many run at the same time; its child outlives it.
_STANDIN = """
import fcntl, json, os, random, signal, sys, time
notes, task = os.environ["STANDIN"], os.environ["CCC_QUEUE_TASK"]
def note(what, pid=os.getpid()):
    with open(f"{notes}/log", "a") as log:
        log.write(f"{what} {task} {pid}\\n")
lock = open(f"{notes}/{task}.lock", "w")
try:
    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
except OSError:
    note("twice")
note("start")
note("child", os.posix_spawnp("sleep", ["sleep", "300"], os.environ))
if "STANDIN_STUBBORN" in os.environ:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    note("child", os.posix_spawnp("sleep", ["sleep", "300"], os.environ))
    note("child", os.posix_spawnp("sleep", ["sleep", "300"], os.environ, setsid=True))
time.sleep(float(os.environ["STANDIN_SECONDS"]) * random.uniform(0.5, 1.5))
with open(f"result-{task}", "w") as result:
    result.write("done")
outcome = os.environ.get("STANDIN_OUTCOME", "completed")
state = os.environ["CLAUDE_CONFIG_DIR"] + "/ccc/supervisor-" + os.environ["CCC_SUPERVISOR_ID"]
with open(f"{state}.new", "w") as file:
    json.dump({"cost_usd": %s, "run": {"cwd": os.getcwd()}}, file)
os.rename(f"{state}.new", f"{state}.json")
note("end")
print(json.dumps({"outcome": outcome, "api_status": int(os.environ.get("STANDIN_STATUS", 0))}))
"""

_WORKER = """
import os, sys
from ccc.backlog import active_runs, database, runs, worker
from ccc.commands.queue.work import JsonLines
from ccc.storage.paths import Paths
where = Paths(os.environ)
runs.RATE_SECONDS = float(os.environ.get("RATE_SECONDS", runs.RATE_SECONDS))
program = (sys.executable, sys.argv[2])
plan = active_runs.WorkerOptions(jobs=int(sys.argv[1]), once="--once" in sys.argv, program=program,
                   tell=JsonLines().tell)
is_well = worker.QueueWorker(where, database.connect(where, os.environ), plan).run()
os._exit(0 if is_well else 1)
"""


def store_tasks(queue: Database, tasks: Sequence[QueuedTask]) -> list[QueuedTask]:
    """Store tasks without checking them."""
    with queue.change() as connection:
        return [store.add(connection, each) for each in tasks]


class Backlog:
    """A queue in a scratch home, with a repository."""

    def __init__(self, root: Path, url: str = "", seconds: float = 0.2) -> None:
        self.root = root
        self.notes = root / "notes"
        self.repo = root / "repo"
        self.workers: list[subprocess.Popen[bytes]] = []
        for directory in (self.notes, self.repo, root / "home" / ".claude"):
            directory.mkdir(parents=True)
        self.environ = {
            **{k: v for k, v in os.environ.items() if not k.startswith(("CCC_", "CLAUDE"))},
            "HOME": str(root / "home"),
            "CLAUDE_CONFIG_DIR": str(root / "home" / ".claude"),
            "STANDIN": str(self.notes),
            "STANDIN_SECONDS": str(seconds),
            **{f"GIT_{who}_NAME": "t" for who in ("AUTHOR", "COMMITTER")},
            **{f"GIT_{who}_EMAIL": "t@localhost" for who in ("AUTHOR", "COMMITTER")},
            **({"CCC_QUEUE_URL": url} if url else {}),
        }
        for name in ("XDG_STATE_HOME", "PYTHONPATH"):
            self.environ.pop(name, None)
        provider = {"env": {"ANTHROPIC_BASE_URL": "http://127.0.0.1:9"}}
        config = {"providers": {"kimi": provider, "glm": provider}, "current_provider": "kimi"}
        (root / "home" / ".claude" / "ccc.json").write_text(json.dumps(config))
        (root / "standin.py").write_text(_STANDIN % COST)
        (self.repo / "file").write_text("start")
        for line in ("init --quiet", "add --all", "commit --quiet -m start"):
            self.git(*line.split())
        self.database = database.connect(self.where, self.environ)

    @property
    def where(self) -> Paths:
        """The paths of ccc in the scratch home."""
        return Paths(self.environ)

    def git(self, *arguments: str) -> str:
        """Run git in the repository."""
        done = subprocess.run(
            ["git", *arguments], cwd=self.repo, env=self.environ, capture_output=True, check=True
        )
        return done.stdout.decode().strip()

    def add(self, count: int, **values: object) -> list[QueuedTask]:
        """Add tasks."""
        given = {"repo": str(self.repo), **values}
        tasks = [QueuedTask(**{"text": f"do thing {n}", **given}) for n in range(count)]  # type: ignore[arg-type]
        return store_tasks(self.database, tasks)

    def tasks(self) -> list[QueuedTask]:
        """Return all tasks by number."""
        with self.database.read() as connection:
            return sorted(store.load(connection), key=lambda task: task.id)

    def running(self) -> int:
        """Return how many runs hold a place."""
        query = sa.select(sa.func.count()).select_from(RUNS).where(RUNS.c.ended_at.is_(None))
        with self.database.read() as connection:
            return connection.execute(query).scalar_one()

    def start_worker(
        self, jobs: int = 2, once: bool = False, **env: str
    ) -> "subprocess.Popen[bytes]":
        """Start a worker in a process of its own."""
        number = len(self.workers)
        line = [sys.executable, "-c", _WORKER, str(jobs), str(self.root / "standin.py")]
        with open(self.root / f"worker-{number}.log", "wb") as log:
            worker = subprocess.Popen(
                [*line, *(("--once",) if once else ())],
                env={**self.environ, **env},
                cwd="/",
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self.workers.append(worker)
        return worker

    def logs(self) -> str:
        """Return what the workers have printed."""
        files = sorted(self.root.glob("worker-*.log"))
        return "\n".join(f"{file.name}:\n{file.read_text()}" for file in files)

    def events(self) -> list[dict[str, Any]]:
        """Return what the workers have told, one worker after another."""
        files = sorted(self.root.glob("worker-*.log"))
        return [json.loads(line) for file in files for line in file.read_text().splitlines()]

    def noted(self) -> dict[str, list[tuple[str, int]]]:
        """Return what the stand-ins have noted: kind to task and pid."""
        found: dict[str, list[tuple[str, int]]] = {
            kind: [] for kind in ("start", "child", "end", "twice")
        }
        log = self.notes / "log"
        for line in log.read_text().splitlines() if log.exists() else ():
            kind, task, pid = line.split()
            found[kind].append((task, int(pid)))
        return found

    def alive(self) -> list[int]:
        """Return the stand-ins that are running."""
        return [pid for _, pid in self.noted()["start"] if self._is_ours(pid)]

    def alive_children(self) -> list[int]:
        """Return the running processes that stand-ins have started."""
        return [pid for _, pid in self.noted()["child"] if self._is_ours(pid)]

    def busy_workers(self) -> "list[subprocess.Popen[bytes]]":
        """Return the workers with a stand-in that is running."""
        parents = {_parent(pid) for pid in self.alive()}
        return [worker for worker in self.workers if worker.pid in parents]

    def _is_ours(self, pid: int) -> bool:
        """Return whether a process runs and belongs to this queue."""
        try:
            with open(f"/proc/{pid}/environ", "rb") as file:
                return f"STANDIN={self.notes}".encode() in file.read().split(b"\0")
        except OSError:
            return False

    def wait(self, seconds: float) -> None:
        """Wait until all tasks have ended."""
        end = time.monotonic() + seconds
        while not all(task.is_ended for task in self.tasks()):
            assert time.monotonic() < end, self.logs()
            time.sleep(0.2)

    def close(self) -> None:
        """End all workers."""
        for worker in self.workers:
            if worker.poll() is None:
                worker.send_signal(signal.SIGTERM)
        for worker in self.workers:
            try:
                worker.wait(20)
            except subprocess.TimeoutExpired:
                worker.kill()
                worker.wait()
        self.database.close()


def _parent(pid: int) -> int:
    try:
        with open(f"/proc/{pid}/stat") as file:
            return int(file.read().rpartition(")")[2].split()[1])
    except OSError:
        return 0
