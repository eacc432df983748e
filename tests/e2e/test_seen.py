"""Looking at supervision on the real client: the status line, a watch, and what is on record."""

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

from ccc.scripted import Rule, answer, endless, every, said_last, tool_result
from harness import Bench, CccProject, Terminal
from harness.processes import wait_until

pytestmark = pytest.mark.real

TASK = "please write a.txt and b.txt"
TITLE = "\x1b]0;a title of the model's\x07"


def slow_journey() -> tuple[Rule, ...]:
    """An agent that forgets b.txt, and a reviewer that takes its time and a tool to notice."""
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
    """A project in a repository, with a check."""
    made = bench(*slow_journey())
    repository(made)
    made.configure(supervisor={"checks": ["sleep 0.5; echo fine"]})
    return made


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
    """The line is there from the start, and says what the supervisor is at while it is at it."""
    project.configure(supervisor={"checks": ["sleep 3; echo fine"]})
    project.run("init", "--statusline", "--yes").succeeded()
    with project.interactive("kimi", "--allowedTools", "Bash", env={"CCC_LANG": language}) as seen:
        seen.wait_for(f"{off} · kimi · kimi-k2.7-code")
        seen.enter(f"/supervisor {TASK}")
        seen.wait_for(rf"{checking} 1/10 sleep 3; echo fine 0:0\d · kimi", SECONDS)
        seen.wait_for(rf"{reviewing} 1/10 0:0\d · kimi", SECONDS)
        seen.wait_for(rf"{on} 2/10 {done} · kimi · kimi-k2.7-code · \$0\.\d+", SECONDS)
        seen.enter("/supervisoroff")
        seen.wait_for(f"{off} · kimi")


@pytest.mark.tmux
@pytest.mark.parametrize(
    ("language", "waiting"), [("en", "another ccc holds the lock"), ("zh", "锁被另一个 ccc 占用")]
)
def test_a_held_lock_is_seen(project: CccProject, tmux: None, language: str, waiting: str) -> None:
    """A hook that waits for the lock can say nothing; the line says it until the lock is free."""
    project.run("init", "--statusline", "--yes").succeeded()
    with project.interactive("--supervisor", "kimi", env={"CCC_LANG": language}) as seen:
        seen.wait_for("kimi-k2.7-code")
        with open(project.claude_dir / "ccc" / "lock", "rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            seen.enter("hello there")
            seen.wait_for("Hello from the agent")
            # the line is drawn every two seconds
            seen.wait_for(rf"{waiting} · \w+ .* · kimi", 6)
        wait_until(lambda: waiting not in seen.screen(), "the line without it")
        assert "kimi-k2.7-code" in seen.screen()


@pytest.mark.tmux
def test_a_plain_claude_has_no_line(project: CccProject, tmux: None) -> None:
    """In a session that ccc did not start the line stays empty, and nothing complains."""
    from facts import MANAGED, provider

    from harness import claude_binary

    settings = {"statusLine": {"type": "command", "command": f"{project.ccc} statusline"}}
    project.write(".claude/settings.json", json.dumps(settings))
    env = {**provider(project), **MANAGED}
    with project.interactive(env=env, program=str(claude_binary())) as seen:
        seen.wait_for("❯")
        seen.enter("hello there")
        seen.wait_for("Hello from the agent")
        assert "upervisor" not in seen.screen()


# --- a watch


class Working:
    """A supervised session that runs beside the test."""

    def __init__(self, project: CccProject) -> None:
        self._process = subprocess.Popen(
            [project.ccc, "kimi", "-p", *FREELY, f"/supervisor {TASK}"],
            cwd=project.directory,
            env=project.env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def __enter__(self) -> "Working":
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            self._process.terminate()
        self._process.wait(SECONDS)


def watching(project: CccProject, *arguments: str, **env: str) -> Terminal:
    """`ccc watch` in a second terminal."""
    return Terminal(
        [project.ccc, "watch", *arguments],
        cwd=project.directory,
        env={**project.env, **env},
        socket=project.root / "tmux-watch",
    )


@pytest.mark.tmux
def test_a_watch(project: CccProject, tmux: None) -> None:
    """From an empty screen through a check, a review and its verdicts; q leaves it as it was."""
    with watching(project) as seen:
        seen.wait_for("No session is open")
        with Working(project):
            seen.wait_for(r"1 ▶ .* on +checking 1/10", SECONDS)
            seen.wait_for(TASK)
            seen.wait_for(r"(?m)^ +SESSION +PROJECT .*PHASE +ROUNDS +OUTCOME +COST +AGE$")
            seen.wait_for(r"✓ sleep 0.5; echo fine exit 0", SECONDS)
            seen.wait_for(r"(?m)^reviewing 0:0\d · Round 1/10", SECONDS)
            seen.wait_for(r"● Bash ls; sleep 1.5", SECONDS)
            shown = seen.wait_for(r"I looked: b.txt is missing", SECONDS)
            assert "a title of the model's" not in shown
            seen.wait_for(rf"✗ Round 1/10 · not completed · .*cached.*{FEEDBACK}", SECONDS)
            seen.wait_for(r"✓ Round 2/10 · completed", SECONDS)
            seen.wait_for(r"1 ▶ .* ended +2 +✓", SECONDS)
        seen.press("q")
        left = seen.wait_for(r"\[exit 0\]")
        assert "choose" not in left


@pytest.mark.tmux
def test_a_watch_of_many(project: CccProject, tmux: None) -> None:
    """With several sessions the keys choose, and Ctrl-C ends it as quietly as q."""
    for word in ("first", "second"):
        supervise(project, f"hello {word}")
    newest, older = (each["session_id"][:8] for each in status(project))
    with watching(project, CCC_LANG="zh") as seen:
        seen.wait_for(f"1 ▶  {newest}")
        assert "hello second" in seen.wait_for("选择")
        seen.press("Down")
        seen.wait_for(f"2 ▶  {older}")
        seen.wait_for("hello first")
        seen.press("1")
        seen.wait_for(f"1 ▶  {newest}")
        seen.press("C-c")
        assert "选择" not in seen.wait_for(r"\[exit 0\]")


def status(project: CccProject) -> list[dict[str, Any]]:
    """The sessions, as values."""
    done = project.run("status", "--json").succeeded()
    found: list[dict[str, Any]] = json.loads(done.stdout)["sessions"]
    return found


@pytest.mark.tmux
def test_tables_fit_the_terminal(project: CccProject, tmux: None) -> None:
    """On a terminal no line is broken, however long the directory is."""
    supervise(project, "hello")
    script = f"{project.ccc} status; {project.ccc} history; {project.ccc} show"
    with project.interactive("-c", script, program="/bin/sh") as seen:
        shown = seen.wait_for(r"\[exit 0\]")
    (line,) = re.findall(r"(?m)^\w{8}  .* ended +2 +✓ .*$", shown)
    assert re.search(r"\$0\.\d{4}  \d+ s$", line), shown
    assert re.search(r"(?m)^WHEN .* TASK$", shown), shown


# --- what is on record


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A supervised session, from a false "done" to the end, looked at while it goes."""
    with scripted_project(tmp_path_factory.mktemp("looked"), *slow_journey()) as project:
        repository(project)
        project.configure(supervisor={"checks": ["echo fine"]})
        yield supervise(project, TASK)


def test_the_record_of_a_round(run: Run) -> None:
    """Each verdict says what it is about, who judged, and how much had changed by then."""
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
    """The state says where the session is, what it is about and what the last stop came to."""
    state = run.record.state
    assert Path(state["cwd"]).samefile(run.project.directory)
    assert (state["request"], state["model"], state["limit"]) == (TASK, "kimi-k2.7-code", 10)
    assert (state["outcome"], state["stop"]) == ("completed", {})


def test_shown_as_it_was(run: Run) -> None:
    """The commands show the session as it was."""
    shown = json.loads(run.project.run("show", "--json").succeeded().stdout)
    assert [each["outcome"] for each in shown["rounds"]] == ["not_completed", "completed"]
    assert all(each["cached"] > 0.8 for each in shown["rounds"])
    assert shown["rounds"][0]["feedback"] == FEEDBACK
    first, second = (each["steps"] for each in shown["rounds"])
    assert [(each["tool"], each["call"]) for each in first] == [("Bash", "ls; sleep 1.5")]
    assert first[0]["seen"].splitlines() == ["a.txt", "there.txt"]
    assert [(each["call"], each["seen"]) for each in second] == [("cat b.txt; sleep 1.5", "b")]
    assert shown["rounds"][0]["closing"].endswith("I looked: b.txt is missing.")
    assert shown["rounds"][1]["closing"] == "Fine now."
    text = run.project.run("show").succeeded().stdout
    assert "● Bash cat b.txt; sleep 1.5 → b\n" in text
    assert "“Fine now.”" in text
    page = run.project.run("report", "-o", "-").succeeded().stdout
    assert f"<h1>{TASK}</h1>" in page
    assert "2 files +2 −0" in page


def test_a_run_without_a_person(bench: Bench) -> None:
    """`ccc run` is shown like any session, with what the agent has cost."""
    project = bench(*slow_journey())
    project.run("run", TASK, "--", *FREELY).succeeded()
    (seen,) = status(project)
    assert (seen["unattended"], seen["outcome"], seen["phase"]) == (True, "completed", "ended")
    shown = json.loads(project.run("show", "--json").succeeded().stdout)
    assert shown["cost_usd"]["agent"] > 0
    assert shown["request"] == TASK
    assert shown["seconds"] > 1


@pytest.mark.tmux
def test_esc_and_on(project: CccProject, tmux: None) -> None:
    """After Esc in a review the session is open; what is typed next goes on with the same task."""
    with project.interactive("kimi", "--allowedTools", "Bash") as seen:
        seen.wait_for("❯")
        seen.enter(f"/supervisor {TASK}")
        wait_until(lambda: status(project)[0]["phase"] == "reviewing", timeout=SECONDS)
        seen.press("Escape")
        wait_until(lambda: status(project)[0]["phase"] == "open", timeout=SECONDS)
        assert Record(project).state["enabled"] is True
        assert "! Round 1/10 · interrupted" in project.run("show").succeeded().stdout
        seen.enter("go on")
        wait_until(lambda: status(project)[0]["outcome"] == "completed", timeout=SECONDS)
    shown = json.loads(project.run("show", "--json").succeeded().stdout)
    assert (shown["request"], shown["requests"]) == (TASK, [TASK, "go on"])
    outcomes = [each["outcome"] for each in shown["rounds"]]
    assert outcomes == ["interrupted", "not_completed", "completed"]
    assert [each["requests"] for each in shown["rounds"]] == [[TASK], *([[TASK, "go on"]] * 2)]
    text = project.run("show").succeeded().stdout
    places = [text.index(each) for each in (f"\n{TASK}\n", "interrupted", "\n› go on\n", "✓ Round")]
    assert places == sorted(places)
    (history,) = json.loads(project.run("history", "--json").succeeded().stdout)["sessions"]
    assert (history["request"], history["rounds"]) == (TASK, 2)


@pytest.mark.tmux
def test_esc_before_the_first_stop(bench: Bench, tmux: None) -> None:
    """A prompt that never came to a stop is the task all the same."""
    project = bench(
        Rule(REVIEWING, answer(YES)),
        Rule(every(WORKING, said_last("go on")), answer(DONE)),
        Rule(WORKING, endless("and on ")),
    )
    with project.interactive("kimi") as seen:
        seen.wait_for("❯")
        seen.enter("/supervisor make the tests pass")
        seen.wait_for("and on and on", SECONDS)
        seen.press("Escape")
        seen.wait_for("Interrupted", SECONDS)
        seen.enter("go on")
        wait_until(lambda: Record(project).state["outcome"] == "completed", timeout=SECONDS)
    shown = json.loads(project.run("show", "--json").succeeded().stdout)
    assert shown["requests"] == ["make the tests pass", "go on"]
    assert [each["outcome"] for each in shown["rounds"]] == ["completed"]
    assert "make the tests pass" in project.run("history").succeeded().stdout
