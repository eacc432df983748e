"""A machine at work, for the page: sessions in every phase, and a queue."""

import os
import time
from pathlib import Path
from typing import Any

from ccc.backlog import database, settings, store
from ccc.backlog.admission import Budget
from ccc.backlog.task import COMPLETED, FAILED, NEEDS_INPUT, RUNNING, WAITING, QueuedTask
from ccc.storage.paths import Paths
from harness.backlog import store_tasks
from harness.project import CccProject
from harness.records import PRICED, Records, called, init, receipt, said, story, tokens, verdict

REVIEWED = "1a2b3c4d-0000-4000-8000-000000000001"
RUNS = "2b3c4d5e-0000-4000-8000-000000000002"
ASKS = "3c4d5e6f-0000-4000-8000-000000000003"
DONE = "4d5e6f70-0000-4000-8000-000000000004"
_ALIVE: dict[str, Any] = {"claude": "/x/py"}
_REVIEW = (
    said("I'll check the quoting first, then run the tests myself."),
    called("Bash", command="git diff HEAD --stat"),
    called("Bash", command="make test"),
    said("The tests pass. Now a field with a line break, which the request names."),
    called("Bash", command="python -m exporter sample.csv --json | head"),
)
_AGENT = (
    said("The retry works for timeouts. Next: a test for a connection that is refused."),
    called("Edit", file_path="tests/test_client.py"),
    called("Bash", command="make test"),
)


class Scene:
    """Sessions in every phase, whose processes are the one that runs the tests."""

    def __init__(self, project: CccProject) -> None:
        self.project = project
        self.records = Records(project.claude_dir / "ccc")
        self.home = str(project.home)
        self._add_reviewed()
        self._add_run()
        self._add_question()
        self.records.add(DONE, None, time.time() - 4_000, cwd=f"{self.home}/code/importer")

    def _add_reviewed(self) -> None:
        lint, test = receipt("make lint", 0, 2.1), receipt("make test", 0, 6.1)
        stop = {
            "phase": "reviewing",
            "since": time.time() - 14,
            "begun": 5.0,
            "pid": os.getpid(),
            "receipts": [lint, test],
        }
        self.records.add(
            REVIEWED,
            [_now(each, 600 - 200 * n) for n, each in enumerate(story()[:2])],
            cwd=f"{self.home}/code/exporter",
            request="Export the table as CSV and JSON, with tests for quotes and line breaks",
            outcome="not_completed",
            count=3,
            decided_at=time.time() - 400,
            pid=os.getpid(),
            stop=stop,
            **_ALIVE,
        )
        self.records.append(REVIEWED, "output.jsonl", init(), *_REVIEW)

    def _add_run(self) -> None:
        run = {
            "cwd": f"{self.home}/code/client",
            "phase": "agent",
            "limits": {"max_cost_usd": 5},
            "agent_cost_usd": 0.412,
            "agent_cost_source": PRICED,
            "elapsed_seconds": 400,
        }
        task = "Retry failed requests three times with a growing delay"
        self.records.add(
            RUNS,
            [
                _now(
                    verdict(
                        *(1, 0, "not_completed", "There is no test for a refused connection."),
                        cost_usd=0.018,
                        tokens=tokens(41_000, 39_500, 500),
                        seconds=21.0,
                        receipts=[receipt("make test", 0, 5.9)],
                        diff={"files": 2, "added": 48, "removed": 3},
                    ),
                    120,
                )
            ],
            cwd=f"{self.home}/code/client",
            provider="deepseek",
            request=task,
            outcome="",
            count=1,
            pid=os.getpid(),
            run={**run, "task": task},
            **_ALIVE,
        )
        self.records.append(RUNS, "agent.jsonl", init(), *_AGENT)

    def _add_question(self) -> None:
        question = "Which registrar account should I use, the team's or your own?"
        self.records.add(
            ASKS,
            [_now(verdict(1, 0, "needs_user", question, seconds=12.0, cost_usd=0.011), 900)],
            time.time() - 900,
            cwd=f"{self.home}/code/site",
            request="Move the site to the new domain",
            outcome="needs_user",
            count=1,
            run={"task": "Move the site", "cwd": f"{self.home}/code/site", "outcome": "needs_user"},
        )

    @property
    def where(self) -> Paths:
        """The paths of ccc in the scratch home."""
        return Paths(self.project.env | {"CLAUDE_CONFIG_DIR": str(self.project.claude_dir)})

    def add_queue(self) -> list[QueuedTask]:
        """Add a queue with a task in each state."""
        repo, now = f"{self.home}/code/app", time.time()
        costs: dict[str, Any] = {"runs": 1, "cost_source": PRICED, "provider": "kimi"}
        tasks = [
            QueuedTask(
                text="Let users choose the format of dates",
                state=NEEDS_INPUT,
                detail="Should the choice be stored for each user, or in the browser?",
                started_at=now - 800,
                ended_at=now - 500,
                cost_usd=0.31,
                **costs,
            ),
            QueuedTask(
                text="Replace the old HTTP client",
                state=RUNNING,
                started_at=now - 95,
                cost_usd=0.12,
                **costs,
            ),
            QueuedTask(
                text="Describe the new options in the README", state=WAITING, providers=("glm",)
            ),
            QueuedTask(text="Remove the deprecated settings", state=WAITING, after=(2,)),
            QueuedTask(
                text="Sort the list of projects by name",
                state=COMPLETED,
                started_at=now - 3_000,
                ended_at=now - 2_500,
                cost_usd=0.22,
                files=3,
                added=41,
                removed=7,
                **costs,
            ),
            QueuedTask(
                text="Update the dependencies",
                state=FAILED,
                outcome="iterations",
                started_at=now - 5_000,
                ended_at=now - 4_000,
                cost_usd=1.4,
                **costs,
            ),
        ]
        queue = database.connect(self.where, {})
        stored = store_tasks(queue, [_in(task, repo) for task in tasks])
        with queue.change() as connection:
            settings.change(connection, budget=Budget(per_day=20.0))
        queue.close()
        return stored

    def task(self, id_: int) -> QueuedTask:
        """Return a task as it is now."""
        queue = database.connect(self.where, {})
        with queue.read() as connection:
            found = store.find(connection, id_)
        queue.close()
        return found

    def change_task(self, id_: int, **values: Any) -> None:
        """Change a task as another command does."""
        queue = database.connect(self.where, {})
        with queue.change() as connection:
            store.update(connection, id_, **values)
        queue.close()

    @property
    def is_paused(self) -> bool:
        """Whether the queue is paused."""
        queue = database.connect(self.where, {})
        with queue.read() as connection:
            rules = settings.load(connection)
        queue.close()
        return rules.is_paused

    def state(self, session: str) -> Any:
        """Return the state of a session."""
        return self.project.json(f".claude/ccc/{Path(f'supervisor-{session}.json')}")


def _in(task: QueuedTask, repo: str) -> QueuedTask:
    from msgspec.structs import replace

    return replace(task, repo=repo)


def _now(line: dict[str, Any], seconds: float) -> dict[str, Any]:
    """Return a line of the verdicts file, decided so many seconds ago."""
    moment = time.time() - seconds
    stamp = time.strftime("%Y-%m-%dT%H:%M:%S+00:00", time.gmtime(moment))
    return {**line, "time": stamp, "stopped_at": moment - 30, "task_started": moment - 300}
