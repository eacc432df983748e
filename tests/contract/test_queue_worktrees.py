"""Which worktrees of ended tasks are removed, after the time that `ccc queue keep` sets."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ccc.backlog import janitor, settings, store
from ccc.backlog.task import COMPLETED, FAILED, QueuedTask
from harness.backlog import Backlog


@pytest.fixture
def ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Backlog]:
    """A queue with three tasks that a worker has completed."""
    made = Backlog(tmp_path, seconds=0.0)
    # worktrees are removed only where the queue creates them
    monkeypatch.setenv("HOME", made.environ["HOME"])
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    made.add(3)
    made.start_worker(2, once=True).wait(60)
    assert [task.state for task in made.tasks()] == [COMPLETED] * 3, made.logs()
    yield made
    made.close()


def keep(backlog: Backlog, days: float) -> None:
    """Set how long worktrees are kept, and clean up."""
    with backlog.database.change() as connection:
        settings.change(connection, keep_days=days)
    time.sleep(0.01)
    janitor.remove_worktrees(backlog.database)


def exists(task: QueuedTask) -> bool:
    """Return whether the worktree that a task had is there."""
    return Path(task.worktree).is_dir()


def test_worktrees_of_completed_tasks(ended: Backlog) -> None:
    """A clean one goes and its branch stays; one with edits stays, and that of a failed task."""
    clean, edited, failed = ended.tasks()
    (Path(edited.worktree) / "file").write_text("an edit of the user's")
    with ended.database.change() as connection:
        store.update(connection, failed.id, state=FAILED)
    keep(ended, 7)
    assert all(map(exists, (clean, edited, failed)))
    keep(ended, 0)
    assert [exists(task) for task in (clean, edited, failed)] == [False, True, True]
    assert ended.tasks()[0].worktree == ""
    assert clean.branch in ended.git("branch", "--format=%(refname:short)").split()
    assert clean.worktree not in ended.git("worktree", "list")
