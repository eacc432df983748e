"""`ccc queue` with the real command line and a real database, without a worker."""

import json
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from looking import DONE, EVIL, LANGUAGES
from msgspec.structs import replace
from rich.cells import cell_len

from ccc.backlog import database, locks, places, store, wording
from ccc.backlog.database import Database
from ccc.backlog.tables import RUNS
from ccc.backlog.task import MARKS, MOST_PRIORITY, STATES, QueuedTask
from ccc.commands.queue import command
from ccc.storage.paths import Paths, display_path
from harness import CccProject, check_golden
from harness.backlog import store_tasks
from harness.programs import path_without
from harness.records import Records

NOW = 1_790_000_000.0
START = "0123456789abcdef0123456789abcdef01234567"
QUESTION = "Which of the two formats should the exporter write, the old one or the new one?"


class Queue:
    """A project in git, with its queue."""

    def __init__(self, project: CccProject) -> None:
        self.project = project
        self.git("init", "--quiet", "--initial-branch", "main")
        self.git("commit", "--quiet", "--allow-empty", "--message", "first")
        self.where = Paths(project.env | {"CLAUDE_CONFIG_DIR": str(project.claude_dir)})

    def git(self, *arguments: str) -> str:
        names = ("-c", "user.name=a", "-c", "user.email=a@example.com")
        return subprocess.run(
            ["git", *names, *arguments],
            cwd=self.project.directory,
            env=self.project.env,
            check=True,
            capture_output=True,
            text=True,
        ).stdout

    def says(self, *arguments: str, **more: Any) -> str:
        """Run a verb that must succeed, and return what it prints."""
        return self.project.run("queue", *arguments, **more).succeeded().stdout

    def json(self, *arguments: str) -> Any:
        return json.loads(self.says(*arguments, "--json"))

    def fails(self, *arguments: str, **more: Any) -> str:
        """Run a verb that must fail with a message, and return that."""
        done = self.project.run("queue", *arguments, **more)
        assert (done.code, done.stdout) == (1, ""), done
        assert done.stderr.startswith("ccc: ")
        assert "Traceback" not in done.stderr
        return done.stderr

    @property
    def database(self) -> Database:
        return database.connect(self.where, {})

    def put(self, *tasks: QueuedTask) -> None:
        """Store tasks as they are, also those that a worker would have changed."""
        db = self.database
        for task in store_tasks(db, tasks):
            with db.change() as connection:
                store.update(connection, task.id, created_at=NOW - 600)
        db.close()

    def change(self, id_: int, **values: object) -> None:
        db = self.database
        with db.change() as connection:
            store.update(connection, id_, **values)
        db.close()


@pytest.fixture
def queue(stubbed: CccProject) -> Queue:
    """An empty queue of a project in git."""
    stubbed.configure(providers={"kimi": stubbed.provider(), "glm": stubbed.provider()})
    return Queue(stubbed)


@pytest.fixture
def many(queue: Queue) -> Queue:
    """A queue with a task in each state."""
    repo, host = str(queue.project.directory), places.host()
    ran = {"repo": repo, "runs": 1, "provider": "kimi", "host": host, "start": START}
    ran |= {"started_at": NOW - 300, "ended_at": NOW, "cost_usd": 0.4217}
    queue.put(
        QueuedTask(**ran, text="Fix the parser", state="completed", branch="ccc/1-fix-the-parser"),
        QueuedTask(**ran, text="Write the exporter", state="needs_input", detail=QUESTION),
        QueuedTask(**ran, text="Remove the cache", state="failed", outcome="stuck"),
        QueuedTask(**ran, text="Try another idea", state="cancelled", outcome="cancelled"),
        QueuedTask(text="Add a --dry-run option 并更新文档", repo=repo, providers=("kimi", "glm")),
        QueuedTask(text="Document it", repo=repo, after=(5,), priority=-1),
        QueuedTask(text="After a failure", repo=repo, after=(3,), priority=-2),
    )
    return queue


class TestAdd:
    def test_a_task(self, queue: Queue) -> None:
        """The number and the branch are printed, and that no worker is running."""
        done = queue.project.run("queue", "add", "Fix", "the parser!").succeeded()
        assert done.stdout == "#1 added: ccc/1-fix-the-parser · Checks: none\n"
        assert "ccc queue work" in done.stderr
        (task,) = queue.json("list")["tasks"]
        assert (task["text"], task["repo"]) == ("Fix the parser!", str(queue.project.directory))

    def test_every_option(self, queue: Queue) -> None:
        """Each option is stored; a pull request needs a push."""
        queue.says("add", "first")
        queue.git("remote", "add", "origin", "https://me:secret@example.com/x.git")
        (queue.project.bin / "gh").symlink_to("/bin/true")
        queue.says(
            *("add", "second", "--branch", "mine", "--base", "main", "--provider", "kimi,glm"),
            *("--provider", "kimi", "--check", "make test", "--check", "true", "--setup", "npm ci"),
            *("--allow", "Bash(npm *)", "--max-cost-usd", "2.5", "--max-iterations", "3"),
            *("--max-minutes", "0", "--priority", "-4", "--after", "#1", "--pr"),
        )
        task = queue.json("show", "#2")
        assert task["providers"] == ["kimi", "glm"]
        assert task["checks"] == ["make test", "true"]
        assert task["allow"] == ["Bash(npm *)"]
        assert task["limits"] == {"max_cost_usd": 2.5, "max_iterations": 3, "max_minutes": 0}
        assert (task["branch"], task["base"], task["setup"]) == ("mine", "main", "npm ci")
        assert (task["priority"], task["after"]) == (-4, [1])
        assert (task["push"], task["pull_request"]) == (True, True)
        assert task["push_url"] == "https://example.com/x.git"

    def test_no_program_for_pull_requests(self, queue: Queue) -> None:
        """Without gh and glab, a pull request is refused, unless another machine may open it."""
        queue.git("remote", "add", "origin", "https://example.com/x.git")
        queue.project.env["PATH"] = f"{queue.project.bin}:{path_without('gh', 'glab')}"
        said = queue.fails("add", "do it", "--pr")
        assert "gh auth login" in said
        assert "--push" in said
        assert queue.json("list")["tasks"] == []
        queue.says("add", "do it", "--push")

    def test_sources_of_the_text(self, queue: Queue) -> None:
        """The text comes from the words, a file, both, or stdin."""
        file = queue.project.directory / "task.md"
        file.write_text("from a file\n")
        queue.says("add", "--file", str(file))
        queue.says("add", "words and", "--file", str(file))
        queue.says("add", stdin="piped\n")
        queue.says("add", "only words", stdin="not read")
        texts = [each["text"] for each in queue.json("list")["tasks"]]
        assert texts == ["from a file", "words and\n\nfrom a file", "piped", "only words"]
        assert "no task" in queue.fails("add")
        assert "no file" in queue.fails("add", "--file", "missing.md")

    def test_a_file_of_tasks(self, queue: Queue) -> None:
        """`--from` adds all tasks of a file, or none of them."""
        lines = "- one\n- two\n- three\n"
        printed = queue.says("add", "--from", "-", "--check", "true", stdin=lines)
        assert printed.splitlines() == [
            "#1 added: ccc/1-one · Checks: true",
            "#2 added: ccc/2-two · Checks: true",
            "#3 added: ccc/3-three · Checks: true",
        ]
        assert [each["checks"] for each in queue.json("list")["tasks"]] == [["true"]] * 3
        wrong = "- one\n- task: two\n  providers: [nobody]\n"
        assert "nobody" in queue.fails("add", "--from", "-", stdin=wrong)
        assert len(queue.json("list")["tasks"]) == 3
        assert "--from" in queue.fails("add", "words", "--from", "-", stdin=lines)
        missing = queue.fails("add", "--from", "missing.yaml")
        assert "missing.yaml: there is no such file" in missing
        assert f"looked in {display_path(str(queue.project.directory))}." in missing
        assert "ccc queue add --from -" in missing
        assert ".: this is a directory" in queue.fails("add", "--from", ".")

    def test_the_repository(self, queue: Queue, tmp_path: Path) -> None:
        """A repository is its top directory or a URL; anything else is an error with a remedy."""
        below = queue.project.directory / "a" / "b"
        below.mkdir(parents=True)
        bare = tmp_path / "bare.git"
        queue.git("clone", "--quiet", "--bare", ".", str(bare))
        for repo in ("a/b", str(below), "https://example.com/x.git", "git@host:x.git", str(bare)):
            queue.says("add", "x", "--repo", repo)
        here = str(queue.project.directory)
        urls = ["https://example.com/x.git", "git@host:x.git"]
        repos = [each["repo"] for each in queue.json("list")["tasks"]]
        assert repos == [here, here, *urls, str(bare)]
        empty, plain = tmp_path / "empty", tmp_path / "plain"
        plain.mkdir()
        queue.git("init", "--quiet", str(empty))
        assert "no commit yet" in queue.fails("add", "x", "--repo", str(empty))
        assert "git commit" in queue.fails("add", "x", "--repo", str(empty))
        assert "not in a git repository" in queue.fails("add", "x", "--repo", str(plain))
        assert "--repo PATH" in queue.fails("add", "x", "--repo", "missing")

    @pytest.mark.parametrize(
        ("line", "said"),
        [
            (["--branch", "a..b"], "a..b can't be the name of a branch"),
            (["--branch=-x"], "-x can't be the name of a branch"),
            (["--branch", "with space"], "can't be the name"),
            (["--base", "missing"], "there is no commit missing"),
            (["--provider", "kimmi"], "Did you mean kimi?"),
            (["--after", "7"], "there is no task #7"),
            (["--after", "x"], 'expected the number of a task, got "x"'),
            (["--allow", "not a rule("], "permission rule"),
            (["--max-cost-usd", "-1"], "expected a number from 0"),
            (["--push"], "has no remote origin to push to"),
            (["--pr"], "git remote add origin"),
            (["--chek", "x"], "Did you mean --check?"),
        ],
    )
    def test_mistakes(self, queue: Queue, line: list[str], said: str) -> None:
        """A mistake is an error with a remedy, and nothing is stored."""
        assert said in queue.fails("add", "do it", *line)
        assert queue.json("list")["tasks"] == []


class TestList:
    @LANGUAGES
    def test_what_is_printed(self, many: Queue, language: str) -> None:
        """The list in full, with what keeps each task and the question."""
        printed = many.says("list", env={"CCC_LANG": language})
        check_golden(f"queue/list.{language}.txt", printed)

    @LANGUAGES
    def test_one_task(self, many: Queue, language: str) -> None:
        """Everything about one task, with its runs and how to go on."""
        _complete(many)
        printed = many.says("show", "1", env={"CCC_LANG": language})
        root = {str(many.project.directory): "<project>", r"\d+-\d+-\d+ [\d:]+": "<date>"}
        root |= {r"\d\d-\d\d \d\d:\d\d": "<started>  "}
        check_golden(f"queue/show.{language}.txt", printed, root)

    def test_values(self, many: Queue) -> None:
        """The JSON output has everything that is shown."""
        value = many.json("list")
        assert [each["id"] for each in value["tasks"]] == [2, 3, 5, 6, 7, 1, 4]
        assert value["totals"]["waiting"] == 3
        reasons = {each["id"]: each["waits_for"] for each in value["tasks"]}
        assert reasons[5] is None
        assert reasons[6] == {"reason": "after", "detail": "5", "until": None}
        assert reasons[7]["reason"] == "blocked"
        assert (value["workers"], value["more"]) == ([], 0)

    def test_selection(self, many: Queue) -> None:
        """States, a number and all select tasks; the default leaves out old ones."""
        assert [each["id"] for each in many.json("list", "--state", "failed")["tasks"]] == [3]
        both = many.json("list", "--state", "failed", "--state", "completed")["tasks"]
        assert [each["id"] for each in both] == [3, 1]
        assert len(many.json("list", "-n", "2")["tasks"]) == 2
        assert "5 more: ccc queue list --all" in many.says("list", "-n", "2")
        old = QueuedTask(text="x", repo="/x", state="completed", ended_at=1.0, started_at=1.0)
        many.put(*[old] * 20)
        assert len(many.json("list")["tasks"]) == 5 + 10
        assert len(many.json("list", "--all")["tasks"]) == 27
        assert "12 more" in many.says()
        assert "one of" in many.fails("list", "--state", "nothing")

    def test_pauses_and_the_budget(self, many: Queue) -> None:
        """A waiting task tells that the queue or its provider is paused, or the budget used up."""
        many.says("pause", "kimi")
        many.says("pause", "glm")
        assert "kimi is paused" in many.says("list")
        many.says("budget", "0/day")
        assert "budget used up" in many.says("list")
        many.says("pause")
        assert "queue paused" in many.says("list")

    def test_many_tasks(self, queue: Queue) -> None:
        """A long list is complete; `make bench` holds how long it takes."""
        db = queue.database
        store_tasks(db, [QueuedTask(text=f"task number {n}", repo="/x") for n in range(1_000)])
        db.close()
        for line in (["list"], ["list", "--json", "--all"]):
            done = queue.project.run("queue", *line).succeeded()
        assert len(json.loads(done.stdout)["tasks"]) == 1_000

    def test_others_texts(self, queue: Queue) -> None:
        """No text controls the terminal."""
        queue.put(QueuedTask(text=EVIL, repo="/x", state="needs_input", detail=EVIL, branch=EVIL))
        for line in (["list"], ["show", "1"], ["list", "--json"], ["show", "1", "--json"]):
            assert not set(queue.says(*line)) & set("\x1b\x07\x9b\x9d")

    @pytest.mark.tmux
    @pytest.mark.parametrize("language", ["en", "zh"])
    def test_eighty_columns(self, many: Queue, language: str, tmux: None) -> None:
        """On a narrow terminal no row of the list is wrapped."""
        with many.project.interactive(
            "queue", "list", env={"CCC_LANG": language}, width=80
        ) as terminal:
            screen = terminal.wait_for(r"\[exit 0\]")
        marks = [line[0] for line in screen.splitlines() if line[1:2] == " "]
        assert marks.count("·") == 3
        assert f"ccc queue answer {2}" in screen


def small_board(queue: Queue, keys: str, **env: str) -> list[str]:
    """Return the lines of the board on 80x24, which are full and not wrapped."""
    with queue.project.interactive("queue", env=env, width=80, height=24) as terminal:
        screen = terminal.wait_for(rf"{keys}\n*\Z")
        terminal.press("q")
        terminal.wait_for(r"\[exit 0\]")
    lines = screen.rstrip("\n").splitlines()
    assert len(lines) == 24
    assert max(map(cell_len, lines)) <= 80
    begin = next(at for at, line in enumerate(lines) if line.startswith("   # "))
    # a row of a task, or the question below it
    assert {line[:1] for line in lines[begin + 1 : -2]} <= {*MARKS.values(), " "}
    return lines


def fill(queue: Queue, running: int, asking: int) -> int:
    """Store running tasks and questions with long texts, and some others; return how many."""
    worker = locks.WorkerLock(queue.database, queue.where, 1)
    long = "with a title that is longer than a line of a terminal with eighty columns 并更新文档"
    ran = {"repo": "/x", "runs": 1, "provider": "kimi", "started_at": time.time() - 300}
    ended = ran | {"ended_at": time.time(), "cost_usd": 12.4217}
    now = ran | {"state": "running", "worker": worker.name}
    asks = ended | {"state": "needs_input", "detail": QUESTION * 4}
    queue.put(
        *(QueuedTask(**now, text=f"Importer {n} {long}") for n in range(running)),
        *(QueuedTask(**asks, text=f"Exporter {n} {long}") for n in range(asking)),
        *(QueuedTask(**ended, state="failed", outcome="stuck", text=long) for _ in range(2)),
        *(QueuedTask(repo="/x", text=long, providers=("kimi", "glm")) for _ in range(15)),
        *(QueuedTask(**ended, state="completed", text=long) for _ in range(5)),
    )
    return running + asking + 22


def _complete(queue: Queue) -> None:
    queue.change(
        1,
        worktree="/w/1-fix-the-parser",
        session="5b010000-0000-4000-8000-000000000001",
        commits=2,
        files=3,
        added=40,
        removed=7,
        checks=["make test"],
        limits={"max_cost_usd": 2.0},
        outcome="completed",
        pull_request_url="https://example.com/pull/7",
        is_pushed=True,
    )
    run = {"task": 1, "provider": "kimi", "worker": "desk-1-abc", "fence": 1}
    run |= {"reserved_usd": 2.0, "session": "", "before_usd": 0.0}
    first = {"started_at": NOW - 900, "ended_at": NOW - 600, "outcome": "needs_user"}
    second = {"started_at": NOW - 300, "ended_at": NOW, "outcome": "completed"}
    db = queue.database
    with db.change() as connection:
        for each in (first, second):
            connection.execute(sa.insert(RUNS).values(**run, **each, cost_usd=0.2))
    db.close()


class TestChanges:
    def test_cancel_retry_answer(self, many: Queue) -> None:
        """Tasks change their states, all or none of those named."""
        assert many.says("cancel", "5", "#6") == "#5 is now cancelled\n#6 is now cancelled\n"
        assert "can't cancel #1: completed" in many.fails("cancel", "7", "1")
        assert many.json("show", "7")["state"] == "waiting"
        assert many.says("retry", "3", "5") == (
            "#3 is now waiting (priority 0)\n#5 is now waiting (priority 0)\n"
        )
        assert "can't retry #7: waiting" in many.fails("retry", "7")
        many.says("answer", "2", "the new", "one")
        assert many.json("show", "2")["message"] == "the new one"
        many.says("answer", "2", stdin="also this\n")
        assert many.json("show", "2")["message"] == "the new one\n\nalso this"
        assert "can't answer #1: completed" in many.fails("answer", "1", "x")
        assert "no answer" in many.fails("answer", "4")
        assert "can't answer #7" in many.fails("answer", "7", "x")
        assert "there is no task #99" in many.fails("cancel", "99")

    def test_a_running_task(self, queue: Queue) -> None:
        """A running task is cancelled by its worker, and can't be removed."""
        lock = locks.WorkerLock(queue.database, queue.where, 1)
        running = QueuedTask(text="x", repo="/x", state="running", started_at=time.time())
        queue.put(replace(running, worker=lock.name))
        assert "its worker ends the run" in queue.says("cancel", "1")
        assert "being cancelled" in queue.says("list")
        assert "can't remove #1: running" in queue.fails("rm", "1", "--yes")
        assert "can't move #1" in queue.fails("move", "1", "first")

    def test_a_task_of_a_dead_worker(self, queue: Queue) -> None:
        """Nobody else would end it, so it is cancelled at once."""
        queue.put(QueuedTask(text="x", repo="/x", state="running", worker="gone", started_at=NOW))
        assert "interrupted: worker gone" in queue.says("list")
        assert queue.says("cancel", "1") == "#1 is now cancelled\n"

    def test_a_unit_for_systemd(self, queue: Queue) -> None:
        """`work --unit` prints a service that finds everything, and no secret."""
        env = {"CCC_QUEUE_URL": "postgresql://u:secret@127.0.0.1:1/x", "CCC_QUEUE_DIR": "/a b/100%"}
        unit = queue.says("work", "--jobs", "3", "--unit", env=env)
        assert f"ExecStart={queue.project.ccc} queue work --jobs=3\n" in unit
        assert 'Environment="CCC_QUEUE_DIR=/a b/100%%"\n' in unit
        assert "EnvironmentFile=-%h/.config/ccc/queue.env" in unit
        assert "secret" not in unit

    def test_move(self, many: Queue) -> None:
        """A task gets another turn."""

        def order() -> list[int]:
            return [each["id"] for each in many.json("list", "--state", "waiting")["tasks"]]

        assert order() == [5, 6, 7]
        many.says("move", "7", "first")
        assert order() == [7, 5, 6]
        many.says("move", "7", "last")
        assert order() == [5, 6, 7]
        assert "(priority -5)" in many.says("move", "5", "-5")
        assert order() == [6, 7, 5]
        assert "expected first, last" in many.fails("move", "5", "up")

    def test_remove(self, many: Queue, tmux: None) -> None:
        """A task is removed after a confirmation; its number isn't used again."""
        assert "--yes" in many.fails("rm", "7")
        assert many.says("rm", "7", "4", "--yes") == "#7 removed\n#4 removed\n"
        assert "there is no task #7" in many.fails("show", "7")
        assert many.says("add", "new").startswith("#8 added")
        with many.project.interactive("queue", "rm", "8") as terminal:
            terminal.wait_for("Remove #8")
            terminal.enter("n")
            terminal.wait_for("Nothing was changed")
        assert many.json("show", "8")["id"] == 8

    def test_remove_what_others_wait_for(self, many: Queue) -> None:
        """A task that others wait for is removed only with them, or if they are to start anyway."""
        said = many.fails("rm", "3", "--yes")
        assert "can't remove #3: #7 would wait for it forever" in said
        assert "ccc queue rm 3 --force" in said
        blocked = many.says("show", "7")
        assert "  ccc queue retry 3\n  ccc queue rm 3 --force\n" in blocked
        assert many.says("rm", "3", "--force", "--yes") == (
            "#3 removed\n#7 no longer waits for #3\n"
        )
        assert many.json("show", "7")["after"] == []
        assert many.json("show", "7")["waits_for"] is None
        assert many.says("rm", "5", "6", "--yes") == "#5 removed\n#6 removed\n"

    def test_remove_what_others_have_waited_for(self, queue: Queue) -> None:
        """A completed task can be removed: what waited for it can start."""
        first = QueuedTask(text="first", repo="/x", state="completed")
        queue.put(first, QueuedTask(text="second", repo="/x", after=(1,)))
        value = queue.json("rm", "1", "--yes")
        assert [(each["id"], each["worktree_removed"]) for each in value["tasks"]] == [(1, False)]
        assert value["no_longer_wait"] == []
        assert queue.json("show", "2")["waits_for"] is None
        queue.says("add", "third", "--after", "2")
        assert queue.json("rm", "2", "--yes", "--force")["no_longer_wait"] == [3]

    def test_the_worktree_goes(self, queue: Queue) -> None:
        """The worktree is removed, the branch stays."""
        directory = Path(places.directory(queue.project.env)) / "1-x"
        queue.git("worktree", "add", "--quiet", "-b", "ccc/1-x", str(directory))
        repo, host = str(queue.project.directory), places.host()
        queue.put(
            QueuedTask(text="x", repo=repo, state="failed", worktree=str(directory), host=host)
        )
        queue.says("rm", "1", "--yes")
        assert not directory.exists()
        assert "ccc/1-x" in queue.git("branch", "--list", "--all")

    def test_a_worktree_that_cannot_be_saved(self, queue: Queue) -> None:
        """It stays, and the command says where and why; the other tasks are removed with theirs."""
        repo, host = str(queue.project.directory), places.host()
        trees = [Path(places.directory(queue.project.env)) / f"{n}-x" for n in (1, 2, 3)]
        for n, tree in enumerate(trees, 1):
            queue.git("worktree", "add", "--quiet", "-b", f"ccc/{n}-x", str(tree))
            (tree / "work").write_text("not committed")
            values = {"worktree": str(tree), "branch": f"ccc/{n}-x", "host": host}
            queue.put(QueuedTask(text="x", repo=repo, state="failed", **values))
        for n in (1, 3):
            shutil.rmtree(queue.project.directory / ".git" / "worktrees" / f"{n}-x")
        done = queue.project.run("queue", "rm", "1", "2", "--yes")
        assert (done.code, done.stdout) == (1, "#1 removed\n#2 removed\n")
        assert str(trees[0]) in done.stderr.replace("\n", "")
        assert [tree.exists() for tree in trees] == [True, False, True]
        assert "work" in queue.git("ls-tree", "--name-only", "ccc/2-x")
        done = queue.project.run("queue", "rm", "3", "--yes", "--json")
        (value,) = json.loads(done.stdout)["tasks"]
        assert (done.code, value["id"], value["worktree_removed"]) == (1, 3, False)
        assert str(trees[2]) in value["worktree_problem"]
        assert queue.json("list")["tasks"] == []

    def test_a_task_added_during_the_question(self, queue: Queue, tmux: None) -> None:
        """What has begun to wait for the task keeps it, and those removed with it."""
        queue.says("add", "other")
        queue.says("add", "first")
        with queue.project.interactive("queue", "rm", "1", "2") as terminal:
            terminal.wait_for("Remove #1, #2")
            queue.says("add", "second", "--after", "2")
            terminal.enter("y")
            terminal.wait_for("can't remove #2: #3 would wait for it forever")
        assert [each["id"] for each in queue.json("list")["tasks"]] == [1, 2, 3]
        assert queue.json("show", "3")["after"] == [2]


class TestRules:
    def test_pauses(self, queue: Queue) -> None:
        """The queue or a provider is paused and resumed."""
        assert queue.says("pause", "kimi") == "Paused: kimi\n"
        assert queue.says("pause") == "Paused: the whole queue, kimi\n"
        assert queue.json("resume")["paused"] is False
        assert queue.says("resume", "kimi") == "Nothing is paused.\n"
        assert "Did you mean kimi" in queue.fails("pause", "kimmi")

    def test_the_budget(self, many: Queue) -> None:
        """The budget per day and in total, what is used and left, and when some is free again."""
        assert many.says("budget") == "No budget. Used so far: $0.00\n"
        _complete(many)
        db = many.database
        with db.change() as connection:
            ended = sa.case((RUNS.c.id == 1, time.time() - 3_600), else_=time.time() - 90_000)
            connection.execute(sa.update(RUNS).values(ended_at=ended))
        db.close()
        first, second = many.says("budget", "20/day").splitlines()
        assert first == "Budget: $0.20 of $20.00 used in 24 hours, $19.80 left"
        assert "More of the budget is free at" in second
        assert "$0.40 of $1.00 used in total, $0.60 left" in many.says("budget", "$1")
        value = many.json("budget")["budget"]
        assert (value["per_day"], value["total"], value["left"]) == (20.0, 1.0, pytest.approx(0.6))
        assert many.says("budget", "off") == "No budget. Used so far: $0.40\n"
        for wrong in ("much", "-1", "1/week", "nan", "1e9"):
            assert "20/day" in many.fails("budget", "--", wrong)

    def test_limits(self, queue: Queue) -> None:
        """The limits of a provider; 0 removes one."""
        assert queue.says("limit") == "No provider has a limit.\n"
        assert queue.says("limit", "kimi", "--jobs", "2") == "kimi: 2 at once\n"
        assert queue.says("limit", "kimi", "--per-minute", "5") == (
            "kimi: 2 at once, 5 per minute\n"
        )
        assert queue.json("limit")["limits"] == {"kimi": {"jobs": 2, "per_minute": 5}}
        assert queue.says("limit", "kimi", "--jobs", "0") == "kimi: 5 per minute\n"
        assert "missing: NAME" in queue.fails("limit", "--jobs", "2")
        assert "unknown provider" in queue.fails("limit", "nobody", "--jobs", "1")

    def test_keep(self, queue: Queue) -> None:
        """How long worktrees are kept."""
        assert "for 7 days" in queue.says("keep")
        assert "for 0.5 days" in queue.says("keep", "0.5")
        assert queue.json("keep")["keep_days"] == 0.5
        assert "expected a number" in queue.fails("keep", "x")


class TestLogs:
    def test_the_log(self, queue: Queue) -> None:
        """The log of a task is printed without control characters."""
        queue.says("add", "x")
        done = queue.project.run("queue", "logs", "1").succeeded()
        assert (done.stdout, done.stderr) == ("", "#1 has no log yet\n")
        self.write(queue, "first\n\n\x1b[31msecond\x1b[0m\n")
        assert queue.says("logs", "#1") == "first\n\nsecond\n"
        assert queue.json("logs", "1")["text"] == "first\n\nsecond\n"

    def write(self, queue: Queue, text: str) -> None:
        file = Path(places.log_file(queue.where, 1))
        file.parent.mkdir(parents=True, exist_ok=True)
        with open(file, "a") as log:
            log.write(text)

    def test_following(self, queue: Queue) -> None:
        """`-f` prints what is added, until the task ends."""
        queue.put(QueuedTask(text="x", repo="/x", state="running", started_at=time.time()))
        follower = subprocess.Popen(
            [queue.project.ccc, "queue", "logs", "1", "-f"],
            cwd=queue.project.directory,
            env=queue.project.env,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert follower.stdout is not None
        self.write(queue, "one\n")
        assert follower.stdout.readline() == "one\n"
        self.write(queue, "two\n")
        queue.change(1, state="completed")
        assert follower.communicate(timeout=30)[0] == "two\n"
        assert follower.returncode == 0

    def test_another_machine(self, queue: Queue) -> None:
        """The log is on the machine that ran the task."""
        queue.put(QueuedTask(text="x", repo="/x", state="failed", host="far-away"))
        assert "another machine: far-away" in queue.fails("logs", "1")


def test_every_verb_has_json() -> None:
    """Programs can use every verb; a log that is followed has no end, so it is no object."""
    for verb in command.VERBS:
        assert "--json" in command.build_parser(verb)._option_string_actions, verb


def test_a_followed_log_is_no_json(queue: Queue) -> None:
    """The combination is refused, and not one of the options ignored."""
    assert "can't be used with" in queue.fails("logs", "1", "-f", "--json")


def test_an_unknown_verb(queue: Queue) -> None:
    """The nearest verb is suggested."""
    assert 'Did you mean "queue list"?' in queue.fails("lits")
    assert "See: ccc queue --help" in queue.fails("xyzzy")


@pytest.fixture
def without_the_extra(queue: Queue, tmp_path: Path) -> Queue:
    """A queue whose packages are not installed."""
    hidden = tmp_path / "hidden"
    hidden.mkdir()
    for name in ("sqlalchemy", "dbos", "psycopg", "yaml"):
        error = f"ModuleNotFoundError('No module named {name}', name={name!r})"
        (hidden / f"{name}.py").write_text(f"raise {error}\n")
    queue.project.env["PYTHONPATH"] = str(hidden)
    return queue


def test_without_the_extra(without_the_extra: Queue) -> None:
    """Help and completion work; each verb tells what to install."""
    queue = without_the_extra
    assert queue.says("--help").startswith("Usage: ccc queue")
    assert queue.says("add", "--help").startswith("Usage: ccc queue")
    completed = queue.project.run("completion", "--words", "queue", "mo").succeeded()
    assert completed.stdout == "move\n"
    completed = queue.project.run("completion", "--words", "queue", "add", "--pri").succeeded()
    assert completed.stdout == "--priority\n"
    queue.put(QueuedTask(text="x", repo="/x"))
    completed = queue.project.run("completion", "--words", "queue", "show", "").succeeded()
    assert (completed.stdout, completed.stderr) == ("1\n", "")
    url = {"CCC_QUEUE_URL": "postgresql://ccc@127.0.0.1:9/ccc"}
    completed = queue.project.run("completion", "--words", "queue", "show", "", env=url).succeeded()
    assert (completed.stdout, completed.stderr) == ("", "")
    for line in ([], ["add", "x"], ["list"], ["show", "1"], ["budget"], ["rm", "1"], ["logs", "1"]):
        message = queue.fails(*line)
        assert "not installed (sqlalchemy)" in message
        assert "pip install 'ccc-supervisor[queue]'" in message
    assert queue.project.run("status").succeeded().stderr == ""


class TestShared:
    def test_a_wrong_address(self, queue: Queue) -> None:
        """The address must be that of a Postgres database; its password isn't shown."""
        for url in ("mysql://host/ccc", "nonsense"):
            said = queue.fails("list", env={"CCC_QUEUE_URL": url})
            assert "CCC_QUEUE_URL is not the address" in said
        url = "postgresql://me:secret-word@127.0.0.1:9/ccc"
        said = queue.fails("list", env={"CCC_QUEUE_URL": url})
        assert "can't use the queue's database" in said
        assert "secret-word" not in said


def test_states_have_words() -> None:
    """Each state has a mark, a style and a place in the usage."""
    from ccc.backlog import wording

    assert set(wording._STYLES) == set(STATES)


@pytest.mark.tmux
class TestBoard:
    def test_the_board(self, many: Queue, tmux: None) -> None:
        """The board fits the terminal, follows changes, and ends with q."""
        with many.project.interactive("queue", width=80) as terminal:
            screen = terminal.wait_for("q quit")
            assert "3 waiting · 1 completed" in screen
            assert 'ccc queue answer 2 "…"' in screen
            assert "Which of the two formats" in screen
            assert "ccc/1-fix-the-parser" in screen
            assert max(map(len, screen.splitlines())) <= 80
            many.says("cancel", "7")
            terminal.wait_for("2 waiting")
            terminal.press("q")
            terminal.wait_for(r"\[exit 0\]")

    @pytest.mark.parametrize(
        ("running", "asking", "shown"),
        [
            (2, 1, ("Exporter 0", 'ccc queue answer 3 "…"', "Importer 1")),
            (7, 7, ("Exporter 6", "Importer 6")),
            (30, 3, ("Exporter 2", 'ccc queue answer 33 "…"', "Importer 0")),
            (3, 30, ("Exporter 0", "Importer 2")),
        ],
    )
    def test_more_tasks_than_lines(
        self, queue: Queue, tmux: None, running: int, asking: int, shown: tuple[str, ...]
    ) -> None:
        """On 80x24, questions and running tasks are visible, and the rest is counted."""
        total = fill(queue, running, asking)
        lines = small_board(queue, "q quit")
        assert all(text in "\n".join(lines) for text in shown)
        ids = [line.split()[1] for line in lines if line[:1] in {*MARKS.values()}]
        assert len(ids) == len({*ids}) > 5
        assert lines[-2] == f"… {total - len(ids)} more"
        assert f"{asking} need{'s' * (asking == 1)} your input" in lines[0]

    def test_a_small_terminal_in_chinese(self, queue: Queue, tmux: None) -> None:
        """Wide characters don't wrap either."""
        fill(queue, 3, 2)
        queue.says("budget", "20/day")
        queue.says("pause")
        assert "另外还有" in small_board(queue, "q 退出", CCC_LANG="zh")[-2]

    def test_ctrl_c(self, queue: Queue, tmux: None) -> None:
        """Ctrl-C ends the board of an empty queue, too."""
        with queue.project.interactive("queue", env={"CCC_LANG": "zh"}, width=80) as terminal:
            terminal.wait_for("队列是空的")
            terminal.press("C-c")
            terminal.wait_for(r"\[exit 0\]")


class TestGoOn:
    """What the user reads about a task that didn't succeed."""

    @pytest.mark.parametrize(
        ("outcome", "detail", "said"),
        [
            ("iterations", "10", "after 10 rounds"),
            ("minutes", "30", "after 30 minutes"),
            ("cost", "2.5", "after $2.5"),
            ("stuck", "the test still fails", "the test still fails"),
        ],
    )
    def test_a_limit(self, queue: Queue, outcome: str, detail: str, said: str) -> None:
        """The limit is said in words, and a hint for the agent is among the next steps."""
        queue.put(QueuedTask(text="x", repo="/r", state="failed", outcome=outcome, detail=detail))
        shown = queue.says("show", "1").splitlines()
        assert [line.split(None, 1)[1] for line in shown if line.startswith("Detail")] == [said]
        assert '  ccc queue answer 1 "…"' in shown
        assert "  ccc queue retry 1" in shown

    def test_no_hint_helps(self, queue: Queue) -> None:
        """Where the agent is not the problem, no hint for it is offered."""
        queue.put(
            QueuedTask(text="x", repo="/r", state="failed", outcome="not_delivered", detail="7")
        )
        assert "answer" not in queue.says("show", "1")

    def test_the_last_feedback(self, queue: Queue, records: Records) -> None:
        """What the reviewer said last explains why the limit was reached."""
        given = ["first", "The export has no header."]
        records.add(DONE, [], time.time(), feedback=given, outcome="iterations")
        queue.put(
            QueuedTask(text="x", repo="/r", state="failed", outcome="iterations", session=DONE)
        )
        shown = queue.says("show", "1")
        assert "The export has no header." in shown
        assert "first" not in shown

    def test_the_log_of_a_question(self, many: Queue) -> None:
        """The log of a task that asks ends with the question and the way to answer."""
        said = " ".join(many.says("logs", "2").split())
        assert said.endswith(f'#2 asks: {QUESTION} ccc queue answer 2 "…"')
        assert many.json("logs", "2")["question"] == QUESTION
        assert many.json("logs", "3")["question"] is None

    def test_following_a_waiting_task(self, many: Queue) -> None:
        """It says that the task hasn't started, and waits for it."""
        project = many.project
        following = subprocess.Popen(
            [project.ccc, "queue", "logs", "5", "-f"],
            cwd=project.directory,
            env=project.env,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert following.stderr
        assert "#5 hasn't started yet" in following.stderr.readline()
        many.says("cancel", "5")
        assert following.wait(10) == 0
        following.stderr.close()

    def test_a_second_answer(self, many: Queue) -> None:
        """The user learns that both answers are given, and `show` prints them."""
        first = many.project.run("queue", "answer", "2", "the new one").succeeded()
        assert "earlier answer" not in first.stderr
        second = many.project.run("queue", "answer", "2", "with a header").succeeded()
        assert "added to your earlier answer" in second.stderr
        shown = many.says("show", "2")
        assert "the new one" in shown
        assert "with a header" in shown

    @pytest.mark.parametrize(
        ("place", "bound"), [("first", MOST_PRIORITY), ("last", -MOST_PRIORITY)]
    )
    def test_no_priority_is_beyond_the_bounds(self, queue: Queue, place: str, bound: int) -> None:
        """A task moves before or after those with the most extreme priority."""
        queue.put(*(QueuedTask(text=text, repo="/r", priority=bound) for text in "ab"))
        queue.put(QueuedTask(text="c", repo="/r", priority=5))
        for id_ in ("2", "1"):
            queue.says("move", id_, place)
        tasks = queue.json("list")["tasks"]
        order = [task["id"] for task in tasks]
        assert order == ([1, 2, 3] if place == "first" else [3, 2, 1])
        assert all(abs(task["priority"]) <= MOST_PRIORITY for task in tasks)


@pytest.mark.parametrize(
    ("hours", "said"),
    [(0, "12:00"), (9, "21:00"), (23, "11:00 tomorrow"), (40, "2026-09-23 04:00")],
)
def test_a_moment_names_its_day(hours: int, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A time without a day is one of today."""
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    noon = 1_790_000_000.0 // 86_400 * 86_400 + 43_200
    monkeypatch.setattr(time, "time", lambda: noon)
    try:
        assert wording.moment(noon + hours * 3_600) == said
    finally:
        monkeypatch.undo()
        time.tzset()


@pytest.mark.parametrize("content", [b"no database at all", b"SQLite format 3\0" + b"x" * 5_000])
def test_a_damaged_database(queue: Queue, content: bytes) -> None:
    """The error says that the file is damaged, and how to go on."""
    queue.says("add", "do it")
    (queue.project.claude_dir / "ccc/queue.db").write_bytes(content)
    said = queue.fails("list")
    assert "is damaged" in said
    assert "sqlite3 queue.db .recover" in said
