"""`ccc queue work` as a real process: what it tells people and programs."""

import json
import os
import re
import resource
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ccc.backlog import database, settings
from ccc.backlog.admission import Budget
from ccc.system import processes
from harness import CccProject
from harness.backlog import COST, Backlog
from harness.processes import wait_until
from harness.programs import path_without

TIME = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d"


@pytest.fixture
def project(stubbed: CccProject) -> CccProject:
    """A project in git with a provider."""
    stubbed.configure(providers={"kimi": stubbed.provider()})
    who = ("-c", "user.name=a", "-c", "user.email=a@example.com")
    stubbed.run("init", "--quiet", program="git").succeeded()
    stubbed.run(*who, "commit", "-q", "--allow-empty", "-m", "first", program="git").succeeded()
    return stubbed


@pytest.fixture
def backlog(tmp_path: Path) -> Iterator[Backlog]:
    """A queue whose agent is a stand-in."""
    made = Backlog(tmp_path)
    yield made
    made.close()


def add(project: CccProject, *options: str) -> None:
    """Add a task."""
    project.run("queue", "add", "do it", *options).succeeded()


def start(project: CccProject, *options: str) -> "subprocess.Popen[str]":
    """Start a worker whose output is a pipe."""
    return subprocess.Popen(
        [project.ccc, "queue", "work", *options],
        cwd=project.directory,
        env=project.env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def states(project: CccProject) -> list[str]:
    """Return the states of all tasks."""
    listed = json.loads(project.run("queue", "list", "--json").succeeded().stdout)
    return [task["state"] for task in listed["tasks"]]


def parsed(output: str) -> list[dict[str, Any]]:
    """Return the events of a worker; each is a line with its time."""
    events = [json.loads(line) for line in output.splitlines()]
    assert all(re.fullmatch(TIME, each["time"]) for each in events)
    return events


class TestJson:
    def test_a_task_that_fails(self, project: CccProject) -> None:
        """Programs read each event from stdout; stderr stays empty."""
        add(project, "--setup", "echo no such tool >&2; exit 3")
        done = project.run("queue", "work", "--json", "--once", "--jobs", "3").succeeded()
        begin, failed, end = parsed(done.stdout)
        assert (begin["event"], begin["task"], begin["jobs"]) == ("worker_started", None, 3)
        assert begin["worker"].startswith(f"{begin['host']}-{begin['pid']}-")
        assert (failed["event"], failed["task"]) == ("failed", 1)
        assert (failed["outcome"], failed["cost_usd"]) == ("not_set_up", 0)
        assert "no such tool" in failed["detail"]
        assert (end["event"], end["task"], end["reason"]) == ("worker_ended", None, "nothing_left")
        assert done.stderr == ""

    def test_the_same_in_words(self, project: CccProject) -> None:
        """Without `--json`, people read the same events on stderr; stdout stays empty."""
        add(project, "--setup", "echo no such tool >&2; exit 3")
        done = project.run("queue", "work", "--once").succeeded()
        assert done.stdout == ""
        lines = [line for line in done.stderr.splitlines() if re.match(r"\d\d:\d\d:\d\d ", line)]
        begin, failed, end = (line[9:] for line in lines)
        assert begin.startswith("Worker localhost, at most 2 at a time.")
        assert failed == "#1 failed: setup failed"
        assert "no such tool" in done.stderr
        assert end == "No task can start now: the worker ends."

    @pytest.mark.tmux
    def test_on_a_terminal(self, project: CccProject, tmux: None) -> None:
        """There is no board: a terminal shows the same lines."""
        with project.interactive("queue", "work", "--json", width=300) as terminal:
            terminal.wait_for(r'"event": "worker_started"')
            add(project, "--setup", "exit 3")
            terminal.wait_for(r'"event": "failed", "task": 1')
            terminal.press("C-c")
            shown = terminal.wait_for(r"\[exit 0\]")
        assert '"reason": "stopped"' in shown
        assert "q stop" not in shown

    def test_a_signal(self, project: CccProject) -> None:
        """A worker that is asked to stop says that its task waits for the next one."""
        marker = project.root / "setup-runs"
        add(project, "--setup", f"touch {marker}; sleep 60")
        worker = start(project, "--json")
        wait_until(marker.exists, "the setup", 30)
        worker.send_signal(signal.SIGTERM)
        output, errors = worker.communicate(timeout=30)
        assert (worker.returncode, errors) == (0, "")
        events = [(each["event"], each["task"]) for each in parsed(output)]
        stopped = [("worker_stopping", None), ("waiting", 1), ("worker_ended", None)]
        assert events == [("worker_started", None), *stopped]

    @pytest.mark.parametrize("has_task", [True, False])
    def test_nobody_reads(self, project: CccProject, has_task: bool) -> None:
        """A worker whose reader is gone soon stops without an error, and gives its task back."""
        if has_task:
            add(project, "--setup", "sleep 60")
        worker = start(project, "--json")
        assert worker.stdout is not None
        assert worker.stderr is not None
        assert json.loads(worker.stdout.readline())["event"] == "worker_started"
        worker.stdout.close()
        assert worker.wait(20) == 0
        assert worker.stderr.read() == ""
        worker.stderr.close()
        assert states(project) == ["waiting"] * has_task

    @pytest.mark.parametrize("room", [0, 300])
    def test_a_full_disk(self, project: CccProject, room: int) -> None:
        """An event that can't be written fails no task: the worker says so, and stops."""
        most = 64 * 1024 * 1024
        # the event of its start is longer than the room
        project.run("queue", "add", "do it " * 50).succeeded()
        events = project.root / "events"
        with open(events, "ab") as stdout:
            os.truncate(events, most - room)
            worker = subprocess.Popen(
                [project.ccc, "queue", "work", "--json"],
                cwd=project.directory,
                env=project.env,
                stdin=subprocess.DEVNULL,
                stdout=stdout,
                stderr=subprocess.PIPE,
                text=True,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)),
            )
        _, errors = worker.communicate(timeout=30)
        assert worker.returncode == 0
        assert errors.count("The events can't be written (File too large)") == 1
        assert "Traceback" not in errors
        assert (b'"event": "worker_started"' in events.read_bytes()[-room:]) == bool(room)
        assert states(project) == ["waiting"]

    @pytest.mark.parametrize("other", ["--detach", "--unit"])
    def test_what_makes_no_sense(self, project: CccProject, other: str) -> None:
        """Nobody could read the lines of a worker in the background, and a unit is no JSON."""
        done = project.run("queue", "work", other, "--json")
        assert (done.code, done.stdout) == (1, "")
        assert f"--json can't be used with {other}" in done.stderr
        assert "ccc queue --help" in done.stderr

    def test_what_the_agent_did(self, backlog: Backlog) -> None:
        """Starts and ends have provider, title, outcome and cost; two jobs write whole lines."""
        backlog.add(4)
        backlog.start_worker(2, once=True).wait(60)
        events = backlog.events()
        for task in range(1, 5):
            begin, end = (each for each in events if each["task"] == task)
            assert (begin["event"], end["event"]) == ("started", "completed")
            assert (begin["provider"], begin["continues"]) == ("kimi", False)
            assert begin["title"] == f"do thing {task - 1}"
            assert (end["outcome"], end["cost_usd"], end["until"]) == ("completed", COST, None)
            assert end["branch"] == f"ccc/{task}-do-thing-{task - 1}"
            assert (end["commits"], end["added"], end["is_pushed"]) == (1, 1, False)

    def test_a_question(self, backlog: Backlog) -> None:
        """A task that needs the user is an event, too."""
        backlog.environ["STANDIN_OUTCOME"] = "needs_user"
        backlog.add(1)
        backlog.start_worker(1, once=True).wait(60)
        assert [each["event"] for each in backlog.events()][1:3] == ["started", "needs_input"]

    def test_the_budget(self, backlog: Backlog) -> None:
        """The next task's share of the budget is missing."""
        with backlog.database.change() as connection:
            settings.change(connection, budget=Budget(total=1.0))
        backlog.add(1, limits={"max_cost_usd": 3.0})
        backlog.start_worker(1, once=True).wait(60)
        _, short, end = backlog.events()
        assert (short["event"], short["needed_usd"], short["left_usd"]) == ("budget_short", 3, 1)
        assert end["reason"] == "nothing_left"


@pytest.mark.tmux
def test_the_board_of_a_worker(project: CccProject, tmux: None) -> None:
    """On 80x24, the worker shows what runs and waits; afterwards it prints what happened."""
    title = "that is longer than a line of a terminal with eighty columns has room for"
    tasks = [{"task": f"{n} {title}", "setup": "sleep 60" if n else "exit 3"} for n in range(30)]
    project.run("queue", "add", "--from", "-", stdin=json.dumps(tasks)).succeeded()
    line = ("queue", "work", "--jobs", "3")
    with project.interactive(*line, width=80, height=24) as terminal:
        screen = terminal.wait_for(r"3 running · 1 failed · 26 waiting")
        lines = screen.rstrip("\n").splitlines()
        assert len(lines) == 24
        assert max(map(len, lines)) <= 80
        assert [each[:1] for each in lines[3:7]] == ["▸", "▸", "▸", "✗"]
        assert "failed: setup failed" in lines[6]
        assert lines[-2] == "… 11 more"
        assert lines[-1].startswith("q stop the worker")
        terminal.press("q")
        after = terminal.wait_for(r"\[exit 0\]")
    assert re.search(r"(?m)^\d\d:\d\d:\d\d #1 failed: setup failed$", after)
    assert "The worker has stopped." in after
    assert "26 waiting" not in after


@pytest.mark.parametrize("is_replaced", [False, True])
def test_a_database_that_is_gone(backlog: Backlog, is_replaced: bool) -> None:
    """A worker whose database was removed or replaced ends, with everything that it runs."""
    backlog.add(1)
    worker = backlog.start_worker(1, STANDIN_SECONDS="60")
    wait_until(backlog.alive, "the agent", 30)
    backlog.database.close()
    directory = backlog.root / "home" / ".claude" / "ccc"
    for file in list(directory.glob("queue.db*")):
        file.rename(backlog.root / file.name)
    if is_replaced:
        backlog.database = database.connect(backlog.where, backlog.environ)
    assert worker.wait(15) == 1
    assert backlog.alive() == []
    events = backlog.events()
    told = [(each["event"], each.get("is_final"), each.get("reason")) for each in events]
    assert ("database_lost", True, None) in told
    assert told[-1] == ("worker_ended", None, "database_lost")
    assert [each for each, *_ in told].count("database_back") == 0
    assert "was removed or replaced" in backlog.logs()


def test_a_worker_that_cannot_go_on(backlog: Backlog) -> None:
    """A worker that fails unexpectedly says so, and its exit code does, too."""
    broken = "from ccc.backlog import poller\npoller.Poller._look = lambda self: 1 / 0\n"
    (backlog.root / "sitecustomize.py").write_text(broken)
    worker = backlog.start_worker(1, PYTHONPATH=str(backlog.root))
    assert worker.wait(30) == 1
    log = backlog.logs()
    assert "ZeroDivisionError" in log
    assert '"reason": "failed"' in log


def test_a_setup_that_starts_a_daemon(backlog: Backlog) -> None:
    """What the setup leaves running lives on, and keeps the task from nothing."""
    pid = backlog.root / "daemon"
    backlog.add(1, setup=f"setsid sleep 300 < /dev/null > /dev/null 2>&1 & echo $! > {pid}")
    backlog.start_worker(once=True)
    try:
        backlog.wait(120)
        assert [task.state for task in backlog.tasks()] == ["completed"]
        assert processes.is_alive(int(pid.read_text()), "sleep")
    finally:
        processes.kill(int(pid.read_text()))


def test_a_pull_request_that_nobody_can_open(backlog: Backlog) -> None:
    """On a machine without gh and glab, the task fails before the agent is paid."""
    backlog.environ["PATH"] = path_without("gh", "glab")
    backlog.add(1, push=True, pull_request=True, push_url="https://example.com/x.git")
    backlog.start_worker(1, once=True).wait(60)
    (task,) = backlog.tasks()
    assert (task.state, task.outcome) == ("failed", "not_prepared"), backlog.logs()
    assert "ccc queue retry 1" in task.detail
    assert backlog.noted()["start"] == []
