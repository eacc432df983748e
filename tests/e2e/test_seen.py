"""Showing supervision with the real client: status line, watch and records."""

import fcntl
import json
import re
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from facts import SECONDS, scripted_project
from supervised import (
    DONE,
    FEEDBACK,
    FREELY,
    REVIEWING,
    WORKING,
    YES,
    Record,
    Run,
    bash,
    no,
    repository,
    supervise,
)

from harness import Bench, CccProject, Terminal
from harness.processes import wait_until
from harness.scripted import Rule, answer, endless, every, said_last, tool_result

pytestmark = pytest.mark.real

TASK = "please write a.txt and b.txt"
TITLE = "\x1b]0;a title of the model's\x07"


def slow_journey() -> tuple[Rule, ...]:
    """Return an agent that forgets b.txt, and a slow reviewer that uses a tool and notices."""
    reviews = [
        answer(bash("ls; sleep 1.5")),
        answer(f"{TITLE}I looked: b.txt is missing.\n{no(FEEDBACK)}"),
        answer(bash("cat b.txt; sleep 1.5")),
        answer(f"Fine now.\n{YES}"),
    ]
    return (
        Rule(REVIEWING, reviews),
        Rule(every(WORKING, said_last(FEEDBACK)), answer(bash("echo b > b.txt"))),
        Rule(every(WORKING, tool_result()), answer(DONE)),
        Rule(every(WORKING, said_last("a.txt")), answer(bash("echo a > a.txt"))),
        Rule(WORKING, answer("Hello from the agent.")),
    )


@pytest.fixture
def project(bench: Bench) -> CccProject:
    """Return a project in a repository, with a check."""
    project = bench(*slow_journey())
    repository(project)
    project.configure(supervisor={"checks": ["sleep 0.5; echo fine"]})
    return project


# --- claude's status line


@pytest.mark.tmux
@pytest.mark.parametrize(
    ("language", "off", "on", "checking", "reviewing", "done"),
    [
        (
            "en",
            "supervisor off",
            "supervisor on",
            "supervisor checking",
            "supervisor reviewing",
            "✓ completed",
        ),
        ("zh", "监督关", "监督开", "监督：检查中", "监督：审查中", "✓ 已完成"),
    ],
)
def test_the_status_line(
    project: CccProject,
    tmux: None,
    language: str,
    off: str,
    on: str,
    checking: str,
    reviewing: str,
    done: str,
) -> None:
    """The status line is there from the start and shows what the supervisor is doing."""
    project.configure(supervisor={"checks": ["sleep 3; echo fine"]})
    project.run("init", "--statusline", "--yes").succeeded()
    with project.interactive(
        "kimi", "--allowedTools", "Bash", env={"CCC_LANG": language}
    ) as terminal:
        terminal.wait_for(f"{off} · kimi · kimi-k2.7-code")
        terminal.enter(f"/supervisor {TASK}")
        terminal.wait_for(rf"{checking} 1/10 sleep 3; echo fine 0:0\d · kimi", SECONDS)
        terminal.wait_for(rf"{reviewing} 1/10 0:0\d · kimi", SECONDS)
        terminal.wait_for(rf"{on} 2/10 {done} · kimi · kimi-k2.7-code · \D*\$0\.\d+", SECONDS)
        terminal.enter("/supervisoroff")
        terminal.wait_for(f"{off} · kimi")


@pytest.mark.tmux
@pytest.mark.parametrize(
    ("language", "waiting"), [("en", "another ccc holds the lock"), ("zh", "锁被另一个 ccc 占用")]
)
def test_a_held_lock_is_seen(project: CccProject, tmux: None, language: str, waiting: str) -> None:
    """While a hook waits for the lock, the status line says so."""
    project.run("init", "--statusline", "--yes").succeeded()
    with project.interactive("--supervisor", "kimi", env={"CCC_LANG": language}) as terminal:
        terminal.wait_for("kimi-k2.7-code")
        with open(project.claude_dir / "ccc" / "lock", "rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            terminal.put("hello there")
            terminal.press_until("Enter", "Hello from the agent")
            # the line is redrawn every two seconds
            terminal.wait_for(rf"{waiting} · \w+ .* · kimi", 6)
        wait_until(lambda: waiting not in terminal.screen(), "the line without it")
        assert "kimi-k2.7-code" in terminal.screen()


@pytest.mark.tmux
def test_a_plain_claude_has_no_line(project: CccProject, tmux: None) -> None:
    """In a session that ccc didn't start, the line stays empty without an error."""
    from facts import MANAGED, provider

    from harness import claude_binary

    settings = {"statusLine": {"type": "command", "command": f"{project.ccc} statusline"}}
    project.write(".claude/settings.json", json.dumps(settings))
    env = {**provider(project), **MANAGED}
    with project.interactive(env=env, program=str(claude_binary())) as terminal:
        terminal.wait_for("❯")
        terminal.enter("hello there")
        terminal.wait_for("Hello from the agent")
        assert "upervisor" not in terminal.screen()


# --- a watch


class BackgroundSession:
    """A supervised session that runs alongside the test."""

    def __init__(self, project: CccProject) -> None:
        self._process = subprocess.Popen(
            [project.ccc, "kimi", "-p", *FREELY, f"/supervisor {TASK}"],
            cwd=project.directory,
            env=project.env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def __enter__(self) -> "BackgroundSession":
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            self._process.terminate()
        self._process.wait(SECONDS)


def watch(project: CccProject, *arguments: str, **env: str) -> Terminal:
    """Start `ccc watch` in a second terminal."""
    return Terminal(
        [project.ccc, "watch", *arguments],
        cwd=project.directory,
        env={**project.env, **env},
        socket=project.root / "tmux-watch",
    )


@pytest.mark.tmux
def test_a_watch(project: CccProject, tmux: None) -> None:
    """A watch follows a session through its check, reviews and verdicts; q restores the screen."""
    with watch(project) as terminal:
        terminal.wait_for("No session is open")
        with BackgroundSession(project):
            terminal.wait_for(r"1 ▶ .* on +checking 1/10", SECONDS)
            terminal.wait_for(TASK)
            terminal.wait_for(r"(?m)^ +SESSION +PROJECT .*PHASE +ROUNDS +OUTCOME +COST +AGE +TASK$")
            terminal.wait_for(r"✓ sleep 0.5; echo fine exit code 0", SECONDS)
            terminal.wait_for(r"(?m)^reviewing 0:0\d · Round 1/10", SECONDS)
            terminal.wait_for(r"● Bash ls; sleep 1.5", SECONDS)
            screen = terminal.wait_for(r"I looked: b.txt is missing", SECONDS)
            assert "a title of the model's" not in screen
            terminal.wait_for(rf"✗ Round 1/10 · not completed · .*cached.*{FEEDBACK}", SECONDS)
            terminal.wait_for(r"✓ Round 2/10 · completed", SECONDS)
            terminal.wait_for(r"1 ▶ .* ended +2 +✓", SECONDS)
        terminal.press("q")
        left = terminal.wait_for(r"\[exit 0\]")
        assert "choose" not in left


@pytest.mark.tmux
def test_a_watch_of_many(project: CccProject, tmux: None) -> None:
    """With several sessions the keys choose one, and Ctrl-C quits as quietly as q."""
    for word in ("first", "second"):
        supervise(project, f"hello {word}")
    newest, older = (each["session_id"][:8] for each in status(project))
    with watch(project, CCC_LANG="zh") as terminal:
        terminal.wait_for(f"1 ▶  {newest}")
        assert "hello second" in terminal.wait_for("选择")
        terminal.press("Down")
        terminal.wait_for(f"2 ▶  {older}")
        terminal.wait_for("hello first")
        terminal.press("1")
        terminal.wait_for(f"1 ▶  {newest}")
        terminal.press("C-c")
        assert "选择" not in terminal.wait_for(r"\[exit 0\]")


def status(project: CccProject) -> list[dict[str, Any]]:
    """Return the sessions of `ccc status --json`."""
    done = project.run("status", "--json").succeeded()
    sessions: list[dict[str, Any]] = json.loads(done.stdout)["sessions"]
    return sessions


@pytest.mark.tmux
def test_tables_fit_the_terminal(project: CccProject, tmux: None) -> None:
    """On a terminal no line wraps, however long the directory is."""
    supervise(project, "hello")
    script = f"{project.ccc} status; {project.ccc} history; {project.ccc} show"
    with project.interactive("-c", script, program="/bin/sh") as terminal:
        screen = terminal.wait_for(r"\[exit 0\]")
    (line,) = re.findall(r"(?m)^\w{8}  .* ended +2 +✓ .*$", screen)
    assert re.search(r"\$0\.\d{4} reviews  \d+ s  hello$", line), screen
    assert re.search(r"(?m)^WHEN .* TASK$", screen), screen


# --- what is on record


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Run a supervised session from a false "done" to the end."""
    with scripted_project(tmp_path_factory.mktemp("looked"), *slow_journey()) as project:
        repository(project)
        project.configure(supervisor={"checks": ["echo fine"]})
        yield supervise(project, TASK)


def test_the_record_of_a_round(run: Run) -> None:
    """Each verdict records its request, its reviewer and the size of the change."""
    run.outcome.succeeded()
    first, second = run.record.verdicts
    for verdict in (first, second):
        assert verdict["request"] == TASK
        assert (verdict["provider"], verdict["limit"]) == ("kimi", 10)
        assert verdict["model"] == verdict["agent_model"] == "kimi-k2.7-code"
        assert verdict["task_started"] < verdict["stopped_at"] < time.time()
        assert verdict["receipts"][0]["output"] == "fine"
    assert first["diff"] == {"files": 1, "added": 1, "removed": 0}
    assert second["diff"] == {"files": 2, "added": 2, "removed": 0}


def test_the_state_of_a_session(run: Run) -> None:
    """The state records the session's directory, its request and its last outcome."""
    state = run.record.state
    assert Path(state["cwd"]).samefile(run.project.directory)
    assert (state["request"], state["model"], state["limit"]) == (TASK, "kimi-k2.7-code", 10)
    assert (state["outcome"], state["stop"]) == ("completed", {})


def test_the_commands_show_it(run: Run) -> None:
    """The commands show the session's rounds, steps and verdicts."""
    report = json.loads(run.project.run("show", "--json").succeeded().stdout)
    assert [each["outcome"] for each in report["rounds"]] == ["not_completed", "completed"]
    assert all(each["cached"] > 0.8 for each in report["rounds"])
    assert report["rounds"][0]["feedback"] == FEEDBACK
    first, second = (each["steps"] for each in report["rounds"])
    assert [(each["tool"], each["call"]) for each in first] == [("Bash", "ls; sleep 1.5")]
    assert first[0]["seen"].splitlines() == ["a.txt", "there.txt"]
    assert [(each["call"], each["seen"]) for each in second] == [("cat b.txt; sleep 1.5", "b")]
    assert report["rounds"][0]["closing"].endswith("I looked: b.txt is missing.")
    assert report["rounds"][1]["closing"] == "Fine now."
    text = run.project.run("show").succeeded().stdout
    assert "● Bash cat b.txt; sleep 1.5 → b\n" in text
    assert "“Fine now.”" in text
    page = run.project.run("report", "-o", "-").succeeded().stdout
    assert f"<h1>{TASK}</h1>" in page
    assert "2 files +2 −0" in page


def test_an_unattended_run_is_shown(bench: Bench) -> None:
    """`ccc run` is shown like any session, with the agent's cost."""
    project = bench(*slow_journey())
    project.run("run", TASK, "--", *FREELY).succeeded()
    (session,) = status(project)
    assert (session["unattended"], session["outcome"], session["phase"]) == (
        True,
        "completed",
        "ended",
    )
    report = json.loads(project.run("show", "--json").succeeded().stdout)
    assert report["cost_usd"]["agent"] > 0
    assert report["request"] == TASK
    assert report["seconds"] > 1


@pytest.mark.tmux
def test_continue_after_esc(project: CccProject, tmux: None) -> None:
    """After Esc in a review the session stays open, and the next prompt continues the task."""
    with project.interactive("kimi", "--allowedTools", "Bash") as terminal:
        terminal.wait_for("❯")
        terminal.enter(f"/supervisor {TASK}")
        wait_until(lambda: status(project)[0]["phase"] == "reviewing", timeout=SECONDS)
        terminal.press("Escape")
        wait_until(lambda: status(project)[0]["phase"] == "open", timeout=SECONDS)
        assert Record(project).state["enabled"] is True
        assert "! Round 1/10 · interrupted" in project.run("show").succeeded().stdout
        terminal.enter("go on")
        wait_until(lambda: status(project)[0]["outcome"] == "completed", timeout=SECONDS)
    report = json.loads(project.run("show", "--json").succeeded().stdout)
    assert (report["request"], report["requests"]) == (TASK, [TASK, "go on"])
    outcomes = [each["outcome"] for each in report["rounds"]]
    assert outcomes == ["interrupted", "not_completed", "completed"]
    assert [each["requests"] for each in report["rounds"]] == [[TASK], *([[TASK, "go on"]] * 2)]
    text = project.run("show").succeeded().stdout
    places = [text.index(each) for each in (f"\n{TASK}\n", "interrupted", "\n› go on\n", "✓ Round")]
    assert places == sorted(places)
    (history,) = json.loads(project.run("history", "--json").succeeded().stdout)["sessions"]
    assert (history["request"], history["rounds"]) == (TASK, 2)


@pytest.mark.tmux
def test_esc_before_the_first_stop(bench: Bench, tmux: None) -> None:
    """A prompt that never reached a stop still belongs to the task."""
    project = bench(
        Rule(REVIEWING, answer(YES)),
        Rule(every(WORKING, said_last("go on")), answer(DONE)),
        Rule(WORKING, endless("and on ")),
    )
    with project.interactive("kimi") as terminal:
        terminal.wait_for("❯")
        terminal.enter("/supervisor make the tests pass")
        terminal.wait_for("and on and on", SECONDS)
        terminal.press("Escape")
        terminal.wait_for("Interrupted", SECONDS)
        terminal.enter("go on")
        wait_until(lambda: Record(project).state["outcome"] == "completed", timeout=SECONDS)
    report = json.loads(project.run("show", "--json").succeeded().stdout)
    assert report["requests"] == ["make the tests pass", "go on"]
    assert [each["outcome"] for each in report["rounds"]] == ["completed"]
    assert "make the tests pass" in project.run("history").succeeded().stdout
