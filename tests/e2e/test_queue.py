"""`ccc queue` with the real client: branches as results, takeover, questions, usage limits."""

import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from runs import NEED, QUICKLY
from supervised import REVIEWING, WORKING, YES, bash, no

from harness import Bench, CccProject
from harness.processes import nothing_runs, wait_until
from harness.programs import needs_sandbox
from harness.scripted import Reply, Request, Rule, answer, every, rate_limited, slow, tool_result

pytestmark = pytest.mark.real


def make(request: Request) -> Reply:
    """Let the agent write the file that its task names."""
    name = re.findall(r"file-\d+", json.dumps(request.messages))[0]
    return answer(bash(f"echo done > {name}"))


def rules(*before: Rule) -> tuple[Rule, ...]:
    """Return an agent that writes its file, and a reviewer that agrees."""
    return (
        *before,
        Rule(REVIEWING, answer(YES), name="reviewer"),
        Rule(every(WORKING, tool_result()), answer("All of it is done."), name="after"),
        Rule(WORKING, make, name="agent", times=100),
    )


class Queue:
    """The queue of a project, and its workers."""

    def __init__(self, project: CccProject) -> None:
        self.project = project
        self.workers: list[subprocess.Popen[bytes]] = []
        project.configure(run={"permissions": "all"})
        project.env |= {**QUICKLY, "CCC_SELFTEST": "off"}
        for who in ("AUTHOR", "COMMITTER"):
            project.env |= {f"GIT_{who}_NAME": "t", f"GIT_{who}_EMAIL": "t@localhost"}
        (project.directory / "file").write_text("start")
        self.git("init", "--quiet", "--initial-branch=main")
        self.git("add", "--all")
        self.git("commit", "--quiet", "-m", "start")

    def git(self, *arguments: str) -> str:
        """Run git in the user's checkout."""
        return self.project.run(*arguments, program="git").succeeded().stdout.strip()

    def add(self, number: int, *options: str) -> None:
        """Add a task."""
        self.project.run("queue", "add", f"write file-{number}", *options).succeeded()

    def work(self, *options: str) -> "subprocess.Popen[bytes]":
        """Start a worker."""
        with open(self.project.root / f"worker-{len(self.workers)}.log", "wb") as log:
            worker = subprocess.Popen(
                [self.project.ccc, "queue", "work", *options],
                cwd=self.project.directory,
                env=self.project.env,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self.workers.append(worker)
        return worker

    def drain(self) -> None:
        """Let one worker do everything."""
        assert self.work("--jobs", "2", "--once").wait(120) == 0, self.logs()

    def tasks(self) -> dict[int, dict[str, Any]]:
        """Return the tasks by their numbers."""
        listed = self.project.run("queue", "list", "--all", "--json").succeeded().stdout
        return {task["id"]: task for task in json.loads(listed)["tasks"]}

    def logs(self) -> str:
        """Return what the workers printed."""
        return "\n".join(f.read_text() for f in sorted(self.project.root.glob("worker-*.log")))

    def states(self) -> list[str]:
        """Return the states in order of the numbers."""
        return [task["state"] for _, task in sorted(self.tasks().items())]


@pytest.fixture
def queues(bench: Bench) -> Iterator["list[Queue]"]:
    """Return a list for the queues of a test, whose workers end with it."""
    made: list[Queue] = []
    yield made
    for worker in (worker for queue in made for worker in queue.workers):
        if worker.poll() is None:
            worker.send_signal(signal.SIGTERM)
            worker.wait(30)


def start(queues: "list[Queue]", bench: Bench, *before: Rule) -> Queue:
    """Return a queue whose agent writes files."""
    queues.append(Queue(bench(*rules(*before))))
    return queues[-1]


@pytest.mark.journey
def test_a_branch_is_the_result(queues: "list[Queue]", bench: Bench) -> None:
    """Two tasks become two branches with a commit each; the user's checkout stays as it was."""
    queue = start(queues, bench)
    (queue.project.directory / "mine").write_text("not committed")
    queue.add(1, "--check", "test -f file-1")
    queue.add(2)
    queue.drain()
    tasks = queue.tasks()
    assert queue.states() == ["completed", "completed"], queue.logs()
    assert tasks[1]["branch"] == "ccc/1-write-file-1"
    for number in (1, 2):
        branch = tasks[number]["branch"]
        assert queue.git("diff", "--name-only", "main", branch) == f"file-{number}"
        assert queue.git("log", "--format=%s", f"main..{branch}") == f"write file-{number}"
        assert tasks[number]["cost_usd"] > 0
        assert tasks[number]["session"]
        assert (tasks[number]["commits"], tasks[number]["added"]) == (1, 1)
    assert queue.git("branch", "--show-current") == "main"
    assert queue.git("status", "--porcelain") == "?? mine"
    shown = queue.project.run("queue", "show", "1").succeeded().stdout
    assert "git merge ccc/1-write-file-1" in shown
    nothing_runs(queue.project.home)


@pytest.mark.thorough
def test_six_tasks_two_workers_one_killed(queues: "list[Queue]", bench: Bench) -> None:
    """A killed worker's tasks go on in the same session, and no cost counts twice."""
    later = Rule(WORKING, lambda request: slow(make(request), 4), times=2, name="slow")
    queue = start(queues, bench, later)
    for number in range(1, 7):
        queue.add(number)
    first = queue.work("--jobs", "2")
    model = queue.project.model
    assert model is not None
    wait_until(lambda: len([r for r in model.requests if WORKING(r)]) >= 2, "two agents", 40)
    queue.work("--jobs", "2")
    first.send_signal(signal.SIGKILL)
    first.wait()
    wait_until(lambda: set(queue.states()) == {"completed"}, "all tasks", 120)
    tasks = queue.tasks()
    for number, task in tasks.items():
        assert queue.git("diff", "--name-only", "main", task["branch"]) == f"file-{number}"
    assert "taken over" in queue.logs()
    sessions = {task["session"] for task in tasks.values()}
    assert len(sessions) == 6
    totals = {
        session: queue.project.json(f".claude/ccc/supervisor-{session}.json")["cost_usd"]
        for session in sessions
    }
    for task in tasks.values():
        assert task["cost_usd"] == pytest.approx(totals[task["session"]])


@pytest.mark.journey
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_stop_in_the_sandbox(queues: "list[Queue]", bench: Bench, number: int) -> None:
    """What claude's sandbox leaves when a worker ends in the middle of a command isn't delivered.

    Nor does its lock stay: git can change the repository's settings.
    """
    needs_sandbox()
    command = "touch .env; echo begun > file-0; sleep 300"
    long = Rule(WORKING, answer(bash(command)), times=1, name="long")
    queue = start(queues, bench, long)
    queue.project.configure(run={"permissions": "sandbox"})
    queue.add(1)
    worker = queue.work()
    places = queue.project.home / ".local" / "state" / "ccc" / "queue" / "local"
    wait_until(lambda: list(places.glob("1-*/file-0")), "the agent's command", 120)
    (tree,) = places.glob("1-*")
    assert (tree / ".bashrc").exists(), "claude protects other files now"
    worker.send_signal(number)
    worker.wait(60)
    queue.drain()
    branch = queue.tasks()[1]["branch"]
    changed = queue.git("diff", "--name-only", "main", branch).splitlines()
    assert changed == [".env", "file-0", "file-1"], queue.logs()
    queue.git("config", "a.b", "c")


def cost_of(queue: Queue, session: str) -> float:
    """Return what a session says that it has cost."""
    state = queue.project.json(f".claude/ccc/supervisor-{session}.json")
    return float(state["cost_usd"] + state["run"]["turn_cost_usd"])


@pytest.mark.thorough
def test_what_is_under_way_counts(queues: "list[Queue]", bench: Bench) -> None:
    """The requests of a review count one by one, and one more until the run's end settles it."""
    looking = Rule(REVIEWING, answer(bash("ls")), times=1, name="looks")
    judging = Rule(every(REVIEWING, tool_result()), slow(answer(YES), 10), name="judges")
    queue = start(queues, bench, judging, looking)
    queue.add(1)
    queue.work("--once")

    def known() -> dict[str, Any]:
        session = queue.tasks()[1]["session"]
        return queue.project.json(f".claude/ccc/supervisor-{session}.json") if session else {}

    def is_counted() -> bool:
        run = known().get("run") or {}
        if run.get("phase") != "review" or not run["turn_cost_usd"]:
            return False
        task = queue.tasks()[1]
        return bool(task["cost_usd"] > cost_of(queue, task["session"]))

    wait_until(is_counted, "the cost of the review", 120)
    wait_until(lambda: queue.states() == ["completed"], "the end", 60)
    task = queue.tasks()[1]
    assert task["cost_usd"] == pytest.approx(cost_of(queue, task["session"]))


@pytest.mark.thorough
def test_a_new_session_after_a_dead_end(queues: "list[Queue]", bench: Bench) -> None:
    """A hint starts a new session; the task shows that one at once, also if its worker is killed.

    It pays for both sessions, and nothing twice.
    """
    refused = Rule(REVIEWING, answer(no("once more")), times=1, name="refused")
    long = Rule(
        every(WORKING, lambda request: "use tabs" in json.dumps(request.messages)),
        lambda request: slow(make(request), 8),
        times=1,
        name="long",
    )
    queue = start(queues, bench, refused, long)
    queue.add(1, "--max-iterations", "1")
    queue.drain()
    first = queue.tasks()[1]
    assert (first["state"], first["outcome"]) == ("failed", "iterations")
    assert first["cost_usd"] == pytest.approx(cost_of(queue, first["session"]))
    queue.project.run("queue", "answer", "1", "use tabs").succeeded()
    worker = queue.work()
    wait_until(lambda: queue.tasks()[1]["session"] != first["session"], "the new session", 40)
    second = queue.tasks()[1]
    mine = cost_of(queue, second["session"])
    # one request more than is known, since another one may be under way
    assert second["cost_usd"] <= first["cost_usd"] + 2 * mine + 1e-9
    worker.send_signal(signal.SIGKILL)
    worker.wait()
    queue.drain()
    last = queue.tasks()[1]
    assert (last["state"], last["session"]) == ("completed", second["session"]), queue.logs()
    both = first["cost_usd"] + cost_of(queue, last["session"])
    assert last["cost_usd"] == pytest.approx(both)


@pytest.mark.thorough
def test_a_cancelled_task_pays_for_its_turn(queues: "list[Queue]", bench: Bench) -> None:
    """What a turn has cost counts while it goes on, and after it was cancelled."""
    working = Rule(
        every(WORKING, tool_result()), lambda request: slow(make(request), 60), name="endless"
    )
    queue = start(queues, bench, working)
    queue.add(1)
    queue.work()
    wait_until(lambda: queue.tasks()[1]["cost_usd"] > 0, "the cost of the first request", 40)
    queue.project.run("queue", "cancel", "1").succeeded()
    wait_until(lambda: queue.states() == ["cancelled"], "the end", 10)
    task = queue.tasks()[1]
    assert task["cost_usd"] > 0
    assert task["cost_usd"] == pytest.approx(cost_of(queue, task["session"]))
    spent = json.loads(queue.project.run("queue", "budget", "--json").succeeded().stdout)
    assert spent["budget"]["used"] == pytest.approx(task["cost_usd"])


@pytest.mark.thorough
def test_a_question_and_its_answer(queues: "list[Queue]", bench: Bench) -> None:
    """A task that needs the user waits on the board; the answer continues its session."""
    question = Rule(REVIEWING, answer(NEED), times=1, name="question")
    queue = start(queues, bench, question)
    queue.add(1)
    queue.drain()
    (task,) = queue.tasks().values()
    assert task["state"] == "needs_input"
    assert "which colour?" in task["detail"]
    asked = queue.project.run("queue", "list").succeeded().stdout
    assert "needs your input" in asked
    assert 'ccc queue answer 1 "…"' in asked
    queue.project.run("queue", "answer", "1", "blue, please").succeeded()
    queue.drain()
    (after,) = queue.tasks().values()
    assert (after["state"], after["session"]) == ("completed", task["session"])
    model = queue.project.model
    assert model is not None
    assert any("blue, please" in json.dumps(request.messages) for request in model.requests)


@pytest.mark.thorough
def test_a_usage_limit_pauses_the_provider(queues: "list[Queue]", bench: Bench) -> None:
    """After a 429 nobody starts on that provider; a task with another one goes on there."""
    limited = bench(Rule(WORKING, rate_limited(3600), times=50))
    queue = start(queues, bench)
    project = queue.project
    glm, kimi = project.provider(), limited.provider()
    project.configure(providers={"kimi": kimi, "glm": glm}, run={"permissions": "all"})
    queue.add(1, "--provider", "kimi,glm")
    queue.add(2, "--provider", "kimi")
    worker = queue.work("--jobs", "1")
    wait_until(lambda: queue.states()[0] == "completed", "the other provider", 100)
    tasks = queue.tasks()
    assert tasks[1]["provider"] == "glm"
    assert tasks[2]["state"] == "waiting"
    assert tasks[2]["waits_for"]["reason"] == "limited"
    worker.send_signal(signal.SIGTERM)
    assert worker.wait(30) == 0
    assert "usage limit" in queue.logs()


@pytest.mark.thorough
def test_a_used_up_budget_starts_nothing(queues: "list[Queue]", bench: Bench) -> None:
    """With a budget, a task starts only if its reservation fits; the list says so."""
    queue = start(queues, bench)
    queue.project.run("queue", "budget", "1").succeeded()
    queue.add(1, "--max-cost-usd", "0.9")
    queue.add(2, "--max-cost-usd", "0.99")
    queue.drain()
    assert queue.states() == ["completed", "waiting"]
    listed = queue.project.run("queue", "list").succeeded().stdout
    assert "needs $0.99, $0.98 left" in listed
    spent = json.loads(queue.project.run("queue", "budget", "--json").succeeded().stdout)
    assert spent["budget"]["reserved"] == 0
    cost = queue.tasks()[1]["cost_usd"]
    assert spent["budget"]["used"] == pytest.approx(cost)
    queue.project.run("queue", "budget", "off").succeeded()
    queue.drain()
    assert queue.states() == ["completed", "completed"]


def bare(queue: Queue, name: str = "origin.git") -> Path:
    """Return a bare clone to push to."""
    origin = queue.project.root / name
    queue.git("clone", "--quiet", "--bare", ".", str(origin))
    return origin


def pushed(queue: Queue, origin: Path, task: dict[str, Any]) -> str:
    """Return the subject of what was pushed."""
    return queue.git("-C", str(origin), "log", "-1", "--format=%s", task["branch"])


def install(queue: Queue, name: str, url: str) -> Path:
    """Install a forge's program that logs how it was called, and fails while there is no log."""
    log = queue.project.root / f"{name}.log"
    program = queue.project.bin / name
    program.write_text(
        f"""#!/bin/sh
[ "$2" = list ] && exit 0
[ -e {log} ] || {{ echo "not logged in" >&2; exit 4; }}
for word; do echo "$word" >> {log}; done
echo {url}
"""
    )
    program.chmod(0o755)
    return log


def asked(queue: Queue) -> int:
    """Return how often a model was asked."""
    assert queue.project.model is not None
    return len(queue.project.model.requests)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("program", "directory", "words"),
    [
        ("gh", "", "pr create --head ccc/1-write-file-1 --title"),
        ("glab", "gitlab", "mr create --yes --source-branch ccc/1-write-file-1 --title"),
    ],
)
def test_pushed_with_a_pull_request(
    queues: "list[Queue]", bench: Bench, program: str, directory: str, words: str
) -> None:
    """A repository by its URL is cloned; the branch is pushed and the forge's program called.

    If only that fails, a retry opens the request, and asks no model.
    """
    queue = start(queues, bench)
    (queue.project.root / directory).mkdir(exist_ok=True)
    origin = bare(queue, os.path.join(directory, "origin.git"))
    address = f"https://forge.example/{program}/7"
    log = install(queue, program, address)
    queue.add(1, "--repo", origin.as_uri(), "--pr", "--base", "main")
    queue.drain()
    task = queue.tasks()[1]
    assert (task["state"], task["outcome"], task["is_pushed"]) == ("failed", "no_request", True)
    assert f"{program}: not logged in" in task["detail"]
    assert "ccc queue retry 1" in task["detail"]
    assert pushed(queue, origin, task) == "write file-1"
    log.touch()
    before = asked(queue)
    queue.project.run("queue", "retry", "1").succeeded()
    queue.drain()
    task = queue.tasks()[1]
    assert (task["state"], task["pull_request_url"]) == ("completed", address), task
    assert asked(queue) == before
    called = log.read_text().splitlines()
    assert " ".join(called).startswith(words)
    target = {"gh": "--base", "glab": "--target-branch"}[program]
    assert called[called.index(target) + 1] == "main"


@pytest.mark.thorough
@pytest.mark.parametrize("cause", ["rejected", "away"])
@pytest.mark.parametrize("kind", ["directory", "url"])
def test_a_push_that_fails(queues: "list[Queue]", bench: Bench, kind: str, cause: str) -> None:
    """The error says how to go on, the commit is there, and a retry pushes without an agent."""
    queue = start(queues, bench)
    origin = bare(queue)
    queue.git("remote", "add", "origin", str(origin))
    repo = origin.as_uri() if kind == "url" else str(queue.project.directory)
    queue.add(1, "--repo", repo, "--push", "--setup", f"touch {queue.project.root}/ready")
    hook, gone = origin / "hooks" / "pre-receive", queue.project.root / "gone.git"
    if cause == "rejected":
        hook.write_text("#!/bin/sh\necho only on Mondays\nexit 1\n")
        hook.chmod(0o755)
        queue.drain()
    else:
        worker = queue.work("--once")
        wait_until((queue.project.root / "ready").exists, "the worktree", 60)
        origin.rename(gone)
        assert worker.wait(120) == 0
    task = queue.tasks()[1]
    assert (task["state"], task["outcome"], task["is_pushed"]) == ("failed", "not_delivered", False)
    assert {"rejected": "only on Mondays", "away": "does not"}[cause] in task["detail"]
    shown = queue.project.run("queue", "show", "1").succeeded().stdout
    assert "failed: not pushed" in shown
    assert "the agent doesn't run again" in shown
    assert "  ccc queue retry 1\n" in shown
    subject = ("-C", task["worktree"], "log", "-1", "--format=%s", task["branch"])
    assert queue.git(*subject) == "write file-1"
    if cause == "rejected":
        hook.unlink()
    else:
        gone.rename(origin)
    before, cost = asked(queue), task["cost_usd"]
    queue.project.run("queue", "retry", "1").succeeded()
    queue.drain()
    task = queue.tasks()[1]
    assert (task["state"], task["is_pushed"], task["cost_usd"]) == ("completed", True, cost)
    assert asked(queue) == before
    assert pushed(queue, origin, task) == "write file-1"


@pytest.mark.thorough
def test_detached(queues: "list[Queue]", bench: Bench) -> None:
    """A worker in the background tells its pid, works, and ends with SIGTERM."""
    queue = start(queues, bench)
    told = queue.project.run("queue", "work", "--detach").succeeded().stderr
    pid = int(re.findall(r"pid (\d+)", told)[0])
    try:
        queue.add(1)
        wait_until(lambda: queue.states() == ["completed"], "the task", 60)
    finally:
        os.kill(pid, signal.SIGTERM)
    wait_until(lambda: not os.path.exists(f"/proc/{pid}"), "the end", 20)
    log = next(queue.project.claude_dir.glob("ccc/queue/local/worker.log")).read_text()
    assert "#1 completed" in log
    time.sleep(0.1)
    nothing_runs(queue.project.home)
