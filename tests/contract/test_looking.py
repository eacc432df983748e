"""The commands that look at sessions, on records: whole, cut off, spoilt, and a thousand."""

import fcntl
import json
import os
import re
import struct
import subprocess
import termios
import time
from pathlib import Path
from typing import Any

import pytest

from ccc.system import terminal
from harness import CccProject, Outcome, check_golden
from harness.processes import wait_until
from harness.records import MOMENT, Records, called, init, receipt, said, story, verdict

DONE = "1a2b3c4d-0000-4000-8000-000000000001"
SENT_BACK = "1a2b3c4d-1111-4000-8000-000000000002"
QUIET = "77777777-2222-4000-8000-000000000003"
EVIL = "<script>alert(1)</script>\x1b]52;c;ZXZpbA==\x07\x1b]0;title\x07<img src=x onerror=y>"
LANGUAGES = pytest.mark.parametrize("language", ["en", "zh"])


@pytest.fixture
def records(stubbed: CccProject) -> Records:
    """The records of a user's sessions, in a zone that is the same everywhere."""
    stubbed.env["TZ"] = "UTC"
    return Records(stubbed.claude_dir / "ccc")


@pytest.fixture
def told(stubbed: CccProject, records: Records) -> Records:
    """Three sessions: one that is completed, one that was sent back, one that is switched off."""
    records.add(QUIET, [], time.time() - 200, enabled=False, count=0, outcome="", request="")
    records.add(SENT_BACK, story()[:3], time.time() - 100, count=3, outcome="not_completed")
    records.add(DONE, None, time.time() - 5)
    return records


def at_work(phase: str = "reviewing", check: str = "", **more: Any) -> dict[str, Any]:
    """A stop under way; the process that lives is the one that runs the tests."""
    stop = {"phase": phase, "check": check, "since": time.time(), "begun": 5.0, "pid": os.getpid()}
    return {"pid": os.getpid(), "claude": "/x/py", "stop": {**stop, "receipts": [], **more}}


def test_the_session_of_this_directory(stubbed: CccProject, told: Records) -> None:
    """Without an id it is the latest of the directory that one stands in, else of all."""
    assert DONE[:8] in stubbed.run("show").succeeded().stdout
    told.change(SENT_BACK, directory=str(stubbed.directory))
    told.change(DONE, directory="/elsewhere")
    assert SENT_BACK[:8] in stubbed.run("show").succeeded().stdout


# --- in both languages


@LANGUAGES
@pytest.mark.parametrize(
    "arguments",
    [
        ("status",),
        ("history",),
        ("show", DONE[:10]),
        ("show", "--full", DONE[:10]),
        ("status", "--help"),
        ("statusline", "--help"),
        ("watch", "--help"),
        ("history", "--help"),
        ("show", "--help"),
        ("report", "--help"),
    ],
    ids=lambda words: "-".join(w.strip("-") for w in words if w != DONE[:10]),
)
def test_what_is_printed(
    stubbed: CccProject, told: Records, language: str, arguments: tuple[str, ...]
) -> None:
    """What each command prints, whole."""
    done = stubbed.run(*arguments, env={"CCC_LANG": language}).succeeded()
    name = "-".join(word.strip("-") for word in arguments if word != DONE[:10])
    ages = {r"\d+ (s|min|秒前|分钟前)(?=\n)": r"N \1", str(told.directory): "<state>"}
    check_golden(f"look/{name}.{language}.txt", done.stdout, ages)
    assert done.stderr == ""


@LANGUAGES
def test_the_page(stubbed: CccProject, told: Records, language: str) -> None:
    """The report, whole, without its style sheet."""
    done = stubbed.run("report", DONE, "-o", "-", env={"CCC_LANG": language}).succeeded()
    check_golden(f"look/report.{language}.html", done.stdout, {r"(?s)<style>.*</style>": ""})
    assert f'<html lang="{"en" if language == "en" else "zh-CN"}">' in done.stdout


STATES: dict[str, dict[str, Any]] = {
    "off": {"enabled": False, "outcome": "", "count": 0},
    "on": {"outcome": "", "count": 0, "cost_usd": 0},
    "sent-back": {"outcome": "not_completed", "count": 2},
    "completed": {},
    "stuck": {"outcome": "stuck"},
    "checking": at_work("checking", "make test"),
    "reviewing": at_work(),
}


@LANGUAGES
def test_the_status_line(stubbed: CccProject, records: Records, language: str) -> None:
    """What the status line says in each state of a session."""
    lines = []
    for name, state in STATES.items():
        records.add(DONE, **{**state, **({} if "stop" not in state else at_work_now(state))})
        done = stubbed.run(
            "statusline", env={"CCC_LANG": language}, stdin=json.dumps(claude_says(DONE))
        )
        lines.append(f"{name}: {done.succeeded().stdout.strip()}")
    check_golden(f"look/statusline.{language}.txt", "\n".join(lines), {r"0:0\d": "0:0N"})


def at_work_now(state: dict[str, Any]) -> dict[str, Any]:
    """The same stop, begun just now."""
    return {**state, "stop": {**state["stop"], "since": time.time()}}


def claude_says(session: str) -> dict[str, Any]:
    """What claude gives its status line."""
    model = {"id": "kimi-k2.7-code", "display_name": "Kimi K2.7"}
    return {"session_id": session, "cwd": "/x", "model": model, "cost": {"total_cost_usd": 1.5}}


@LANGUAGES
def test_watched(stubbed: CccProject, records: Records, language: str) -> None:
    """A review as it goes, one line an event."""
    records.add(QUIET, [], enabled=False, count=0, outcome="", cwd="/home/somebody/code")
    with watch(stubbed, "--plain", CCC_LANG=language) as watched:
        watched.wait_for(QUIET[:8])
        records.add(DONE, [], count=0, outcome="", pid=os.getpid(), claude="/x/py")
        watched.wait_for(DONE[:8])
        stop = at_work("checking", "make lint")
        records.change(DONE, count=1, **stop)
        watched.wait_for("make lint")
        lint = receipt("make lint", 0, 2.1)
        records.change(DONE, **at_work("checking", "make test", receipts=[lint]))
        watched.wait_for("make test")
        both = [lint, receipt("make test", 0, 6.1)]
        records.append(DONE, "output.jsonl", init())
        records.change(DONE, **at_work(receipts=both))
        watched.wait_for("review ")
        records.append(DONE, "output.jsonl", called("Bash", command="make -n"), "spoilt\n")
        records.append(DONE, "output.jsonl", said(f"I looked.\nTwo lines. {EVIL}"))
        watched.wait_for("Two lines")
        verdict = {**story()[1], "stopped_at": 5.0, "iteration": 1}
        records.append(DONE, "verdicts.jsonl", '{"iteration": 1, "out', "\n", verdict)
        records.change(DONE, outcome="not_completed", decided_at=time.time(), stop={})
        watched.wait_for("verdict ")
        records.change(DONE, enabled=False)
        watched.wait_for("off ")
        records.change(DONE, outcome="plan", decided_at=time.time() + 1, pid=0)
        text = watched.wait_for("ended ")
        assert watched.interrupt() == 0
    assert "\x1b" not in text
    replaced = {r"(?m)^\d\d:\d\d:\d\d": "HH:MM:SS", str(stubbed.directory): "<project>"}
    check_golden(f"look/watch-plain.{language}.txt", text, replaced)


# --- on a terminal


ENDINGS = ("completed", "iterations", "needs_user", "interrupted")
LONG = "/home/somebody/projects-of-this-year/importer-with-a-long-name"


@pytest.fixture
def many(stubbed: CccProject, records: Records) -> Records:
    """Sessions with long names and tasks, in both languages."""
    for number, ending in enumerate(ENDINGS):
        task = "让导入程序支持试运行选项，并且补充测试和说明文档" if number % 2 else None
        records.add(
            *(f"{number}a2b3c4d-0000", story()[: number + 2], time.time() - 2 - 61 * number),
            outcome=ending,
            cwd=LONG if number else "/srv/x",
            provider="" if number else "kimi",
            **({"request": task} if task else {}),
        )
    return records


@LANGUAGES
@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize("line", [("status",), ("history",), ("show", "1a2b3c4d")], ids=" ".join)
def test_on_a_terminal(
    stubbed: CccProject, many: Records, language: str, width: int, line: tuple[str, ...]
) -> None:
    """No line is wider than the terminal, and no word is broken."""
    text = on_terminal(stubbed, width, *line, CCC_LANG=language, NO_COLOR="1")
    paths = ("supervisor-", "/ccc/")  # where the logs are stands on one line, to be copied
    shown = [row for row in text.splitlines() if not any(path in row for path in paths)]
    assert max(map(terminal.width, shown)) <= width
    ages = {r"\d+ (s|min|秒前|分钟前)(?=\n|$)": r"N \1", r"(?m)^.*(supervisor-|/ccc/).*\n": ""}
    check_golden(f"look/{line[0]}-{width}.{language}.txt", text, ages)


@pytest.mark.parametrize("width", [40, 60, 72, 80])
def test_a_narrow_terminal(stubbed: CccProject, many: Records, width: int) -> None:
    """The project is cut, then columns are left out; the outcome keeps its words."""
    lines = on_terminal(stubbed, width, "status", CCC_LANG="en", NO_COLOR="1").splitlines()
    assert max(map(terminal.width, lines)) <= width
    assert "! interrupted" in lines[4]
    assert all("ended" in line for line in lines[1:])


def test_paths_on_a_narrow_terminal(stubbed: CccProject, many: Records) -> None:
    """A path that does not fit beside its name stands below it, in one piece."""
    shown = on_terminal(stubbed, 40, "show", "1a2b3c4d", "--full", CCC_LANG="en", NO_COLOR="1")
    assert f"\nstate\n  {many.directory}/supervisor-" in shown


def test_rounds_that_changed_nothing(stubbed: CccProject, records: Records) -> None:
    """No change is said in words, and a limit before the first round is not after round 0."""
    ended = verdict(0, 240, "cost", diff={"files": 0, "added": 0, "removed": 0})
    records.add(DONE, [ended], count=0, outcome="cost")
    shown = stubbed.run("show").succeeded().stdout
    assert "Before the first round" in shown
    assert "no changes" in shown
    assert "+0" not in shown


def on_terminal(project: CccProject, width: int, *line: str, **env: str) -> str:
    """What ccc prints on a terminal of that width."""
    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, width, 0, 0))
    done = subprocess.Popen(
        [project.ccc, *line],
        cwd=project.directory,
        env={**project.env, "TERM": "xterm", **env},
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=subprocess.STDOUT,
    )
    os.close(theirs)
    data = b""
    try:
        while piece := os.read(ours, 65_536):
            data += piece
    except OSError:
        pass  # the other end is closed
    finally:
        os.close(ours)
    assert done.wait(20) == 0, data
    return re.sub(r"\x1b\[[0-9;]*m", "", data.decode().replace("\r\n", "\n"))


# --- the task as it was given


def test_what_was_asked(stubbed: CccProject, records: Records) -> None:
    """The first request is the task, and later ones stand before the round that they led to."""
    asked = ["make the tests pass", "go on", "and the linter"]
    lines = [
        {**story()[1], "prompt_id": "p1", "task": "p1", "requests": asked[:1], "iteration": 1},
        {**story()[4], "prompt_id": "p2", "task": "p1", "requests": asked, "iteration": 1},
    ]
    records.add(DONE, lines, request=asked[0], requests=asked)
    shown = stubbed.run("show").succeeded().stdout
    places = [
        shown.index(text) for text in (asked[0], "✗ Round 1/10", "› go on", "› and the", "✓ Ro")
    ]
    assert places == sorted(places)
    assert shown.count("make the tests pass") == 1
    value = json.loads(stubbed.run("show", "--json").succeeded().stdout)
    assert (value["request"], value["requests"]) == (asked[0], asked)
    page = stubbed.run("report", "-o", "-").succeeded().stdout
    assert "<h1>make the tests pass</h1>" in page
    assert page.index("go on") < page.index("and the linter") < page.index("Everything that was")
    assert "make the tests pass" in stubbed.run("history").succeeded().stdout


# --- a watch in a pipe


class Watch:
    """`ccc watch` with its output in a file."""

    def __init__(self, project: CccProject, *arguments: str, **env: str) -> None:
        self._file = project.root / "watched"
        with open(self._file, "wb") as output:
            self._process = subprocess.Popen(
                [project.ccc, "watch", *arguments],
                cwd=project.directory,
                env={**project.env, **env},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )

    @property
    def text(self) -> str:
        """What it has printed so far."""
        return self._file.read_text()

    def wait_for(self, text: str) -> str:
        """What it has printed, once the text is there."""
        wait_until(lambda: text in self.text, f"{text!r} in {self.text}")
        return self.text

    def interrupt(self) -> int:
        """Ctrl-C; the exit code."""
        self._process.send_signal(2)
        return self._process.wait(20)

    def __enter__(self) -> "Watch":
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait(20)


def watch(project: CccProject, *arguments: str, **env: str) -> Watch:
    """Begin to watch."""
    return Watch(project, *arguments, **env)


def test_a_pipe_is_plain_and_one_session_is_enough(stubbed: CccProject, told: Records) -> None:
    """Without a terminal there is no screen; a session that is named is the only one."""
    records = told
    with watch(stubbed, SENT_BACK[:10]) as watched:
        watched.wait_for("session")
        records.change(DONE, enabled=False)
        records.change(SENT_BACK, enabled=False)
        text = watched.wait_for("turned off")
        time.sleep(0.5)
        assert watched.interrupt() == 0
    assert [line.split()[1] for line in text.splitlines()] == [SENT_BACK[:8]] * 2


def test_a_review_under_way_is_told_from_its_beginning(
    stubbed: CccProject, records: Records
) -> None:
    """Whoever comes late sees the review so far, and not the one before it."""
    records.add(DONE, story()[:1], count=2, **at_work())
    records.append(DONE, "output.jsonl", init(), said("the first review"))
    records.append(DONE, "output.jsonl", init(), said("the second review"))
    with watch(stubbed) as watched:
        text = watched.wait_for("the second review")
        assert "the first review" not in text
        assert " verdict " not in text


def test_a_stop_that_nobody_saw(stubbed: CccProject, records: Records) -> None:
    """A stop that came and went between two looks is told from its record."""
    records.add(DONE, [], count=0, outcome="", pid=os.getpid(), claude="/x/py")
    with watch(stubbed) as watched:
        watched.wait_for("session")
        records.append(DONE, "verdicts.jsonl", story()[0])
        records.change(DONE, pid=0)
        text = watched.wait_for("ended ")
    assert [line.split()[2] for line in text.splitlines()] == [
        *("session", "checked", "checked", "verdict", "ended")
    ]


@pytest.mark.tmux
def test_a_watch_scrolls(stubbed: CccProject, records: Records, tmux: None) -> None:
    """What went off the screen can be looked at, and the end comes back."""
    records.add(DONE, story()[:1], count=2, **at_work())
    records.append(
        DONE, "output.jsonl", init(), *(said(f"line number {n}.") for n in range(100, 180))
    )
    with stubbed.interactive("watch") as terminal:
        assert "number 100." not in terminal.wait_for("number 179.")
        terminal.press(*["PPage"] * 9)  # a key that is held down
        assert "number 179." not in terminal.wait_for("number 100.")
        for _ in range(9):
            terminal.press("NPage")
        terminal.wait_for("number 179.")
        terminal.press("q")
        terminal.wait_for(r"\[exit 0\]")


@pytest.mark.thorough
def test_the_hook_as_it_goes(tmp_path: Path) -> None:
    """What the Stop hook keeps of a stop under way is what a watch shows."""
    from stops import SECONDS, Supervised

    supervised = Supervised(CccProject(tmp_path / "bench", stub=True))
    checked, reviewed = tmp_path / "checked", tmp_path / "reviewed"
    supervised.configure(checks=[f"until [ -e {checked} ]; do sleep 0.1; done; echo fine"])
    waits = f"[time.sleep(0.1) for _ in range(500) if not os.path.exists({str(reviewed)!r})]"
    supervised.claude(f"say('I am looking.'); {waits}; result(NO)")
    with watch(supervised.project) as watched:
        watched.wait_for("session")
        hook = supervised.start()
        watched.wait_for("check ")
        checked.touch()
        watched.wait_for("says ")
        reviewed.touch()
        text = watched.wait_for("verdict ")
        hook.communicate(timeout=SECONDS)
    kinds = [line.split()[2] for line in text.splitlines()]
    assert kinds[:7] == ["session", "stop", "check", "checked", "review", "says", "verdict"], text
    assert supervised.state["stop"] == {}
    assert supervised.state["outcome"] == "not_completed"
    (verdict,) = supervised.verdicts
    assert verdict["receipts"][0]["output"] == "fine"


def test_a_killed_hook_is_not_at_work(tmp_path: Path) -> None:
    """A stop that was killed is not shown as a review for ever."""
    from stops import Supervised

    supervised = Supervised(CccProject(tmp_path / "bench", stub=True))
    supervised.claude("hang()")
    hook = supervised.start()
    wait_until(lambda: supervised.notes("hangs"))
    assert _status(supervised.project)[0]["phase"] == "reviewing"
    hook.kill()
    hook.wait(20)
    for pid in supervised.family():
        os.kill(pid, 9)
    assert _status(supervised.project)[0]["phase"] == "ended"


def _status(project: CccProject, *arguments: str) -> list[dict[str, Any]]:
    done = project.run("status", "--json", *arguments, env={"CCC_SUPERVISOR_ID": None})
    found: list[dict[str, Any]] = json.loads(done.succeeded().stdout)["sessions"]
    return found


@pytest.mark.parametrize("line", ["history", "status", f"show {DONE}", "provider list"])
def test_a_reader_that_goes_away(stubbed: CccProject, told: Records, line: str) -> None:
    """As other tools: no word, and the code of a closed pipe."""
    ours, theirs = os.pipe()
    os.close(ours)
    with os.fdopen(theirs, "wb") as closed:
        done = subprocess.run(
            [stubbed.ccc, *line.split()],
            cwd=stubbed.directory,
            env=stubbed.env,
            stdin=subprocess.DEVNULL,
            stdout=closed,
            stderr=subprocess.PIPE,
            timeout=60,
            check=False,
        )
    assert (done.returncode, done.stderr) == (141, b"")


def test_an_interrupted_round(stubbed: CccProject, records: Records) -> None:
    """Where the only round was interrupted, no check has decided anything."""
    ended = verdict(1, 240, "interrupted", receipts=[receipt("make test", 0, 6.1)])
    records.add(DONE, [ended], count=1, outcome="interrupted")
    shown = stubbed.run("show").succeeded().stdout
    assert "! interrupted" in shown
    assert "the checks decided" not in shown
    records.add(DONE, [{**ended, "outcome": "iterations"}], count=1, outcome="iterations")
    assert "the checks decided" in stubbed.run("show").succeeded().stdout


# --- which session


@pytest.mark.parametrize("command", ["show", "report", "watch"])
def test_which_session(stubbed: CccProject, told: Records, command: str) -> None:
    """The beginning of an id is enough, where it is one; else it is said which there are."""
    several = stubbed.run(command, "1a2b")
    assert (several.code, several.stdout) == (1, "")
    assert "several sessions begin with 1a2b" in several.stderr
    assert DONE[:13] in several.stderr
    assert SENT_BACK[:13] in several.stderr
    unknown = stubbed.run(command, "1a2b3d")
    assert (unknown.code, unknown.stdout) == (1, "")
    assert f"Did you mean this one?\n  {DONE[:13]}  " in unknown.stderr
    assert SENT_BACK[:13] not in unknown.stderr
    nothing = stubbed.run(command, "zzz")
    assert f"The newest supervised sessions:\n  {DONE[:13]}  " in nothing.stderr
    assert "  Add a --dry-run option to the importer,…\n" in nothing.stderr
    assert QUIET[:13] not in nothing.stderr


def test_no_session_at_all(stubbed: CccProject) -> None:
    """A new user is told so, and not with an error where there is nothing to choose."""
    assert "No session is open" in stubbed.run("status").succeeded().stdout
    assert "No supervised sessions yet. Start one" in stubbed.run("history").succeeded().stdout
    assert stubbed.run("statusline", stdin="{}").succeeded().stdout == ""
    for command in ("show", "report"):
        done = stubbed.run(command)
        assert (done.code, done.stdout) == (1, "")
        assert "no supervised sessions yet" in done.stderr
        assert "/supervisor your task" in done.stderr


def test_without_a_name_it_is_the_newest(stubbed: CccProject, told: Records) -> None:
    """The supervised session that changed last is the one that is meant."""
    for number in range(3):
        # opened, closed, never supervised
        records = {"enabled": False, "count": 0, "outcome": "", "request": ""}
        told.add(f"9999000{number}-x", [], time.time() + number, **records)
    shown = json.loads(stubbed.run("show", "--json").succeeded().stdout)
    assert shown["session_id"] == DONE
    page = stubbed.run("report", "-o", "-").succeeded().stdout
    assert DONE in page
    for line in (("history", "--json"), ("status", "--json"), ("status", "--all", "--json")):
        listed = json.loads(stubbed.run(*line).succeeded().stdout)["sessions"]
        assert [each["session_id"] for each in listed] == [DONE, SENT_BACK]


def test_only_unsupervised_sessions(stubbed: CccProject, records: Records) -> None:
    """Sessions in which nothing was supervised are no reason to show an empty one."""
    records.add(QUIET, [], enabled=False, count=0, outcome="", request="")
    for command in ("show", "report"):
        done = stubbed.run(command)
        assert (done.code, done.stdout) == (1, "")
        assert "no supervised sessions yet" in done.stderr
    assert "No supervised sessions yet" in stubbed.run("history").succeeded().stdout
    # by its name it can be seen all the same
    assert "Outcome      -" in stubbed.run("show", QUIET[:8]).succeeded().stdout


def test_a_session_that_is_just_supervised(stubbed: CccProject, records: Records) -> None:
    """Switched on and not stopped yet: there is no round, and that is said."""
    records.add(DONE, None, time.time() - 60)
    open_ = {"pid": os.getpid(), "claude": "/x/py", "count": 0, "outcome": "", "request": ""}
    records.add(QUIET, [], **open_)
    shown = stubbed.run("show").succeeded().stdout
    assert QUIET in shown
    assert "No rounds yet" in shown


def test_the_provider_of_this_directory(stubbed: CccProject, told: Records) -> None:
    """A directory that has a provider of its own says so, on top of the sessions."""
    assert "Provider of this directory" not in stubbed.run("status").succeeded().stdout
    stubbed.run("provider", "use", "kimi", "--here").succeeded()
    first, second, *_ = stubbed.run("status").succeeded().stdout.splitlines()
    assert (first, second.split()[0]) == ("Provider of this directory: kimi", "SESSION")
    below = stubbed.directory / "below"
    below.mkdir()
    done = subprocess.run(
        [stubbed.ccc, "status"],
        cwd=below,
        env=stubbed.env,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith("Provider of this directory: kimi\n")
    other = subprocess.run(
        [stubbed.ccc, "status"],
        cwd="/",
        env=stubbed.env,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "Provider of this directory" not in other.stdout


# --- as values


def test_the_figures_agree(stubbed: CccProject, records: Records) -> None:
    """Rounds and costs of a session with two tasks and a run's agent: the same everywhere."""
    second = [{**each, "prompt_id": "p2"} for each in story()[1:3]]
    extra = {**story()[0], "outcome": "iterations", "prompt_id": "p2"}
    run = {"cwd": "/x", "task": "do it", "agent_cost_usd": 1.25}
    records.add(DONE, [*story(), *second, extra], count=2, cost_usd=0.0403, run=run)
    shown = json.loads(stubbed.run("show", "--json").succeeded().stdout)
    (status,) = _status(stubbed)
    (history,) = json.loads(stubbed.run("history", "--json").succeeded().stdout)["sessions"]
    assert status["rounds"] == history["rounds"] == 7
    total = pytest.approx(0.0772 + 0.0403 + 1.25)
    assert status["cost_usd"] == history["cost_usd"] == shown["cost_usd"]["total"] == total
    page = stubbed.run("report", "-o", "-").succeeded().stdout
    for text in (stubbed.run("show").stdout, page, stubbed.run("status").stdout):
        assert "7" in text
    for text in (stubbed.run("history").stdout, page, stubbed.run("status").stdout):
        assert "$1.3675" in text


def test_values(stubbed: CccProject, told: Records) -> None:
    """What programs are told is what is on record."""
    status = _status(stubbed)
    assert [each["session_id"] for each in status] == [DONE, SENT_BACK]
    assert [each["enabled"] for each in status] == [True, True]
    assert [each["phase"] for each in status] == ["ended"] * 2
    history = json.loads(stubbed.run("history", "--json", "-n", "1").succeeded().stdout)
    assert (history["more"], history["sessions"][0]["rounds"]) == (1, 5)
    shown = json.loads(stubbed.run("show", "--json", DONE).succeeded().stdout)
    assert [each["outcome"] for each in shown["rounds"]] == [v["outcome"] for v in story()]
    assert shown["rounds"][1]["diff"] == {"files": 3, "added": 88, "removed": 6}
    assert shown["rounds"][0]["steps"] == []
    assert shown["rounds"][4]["steps"][1] == {
        "tool": "Bash",
        "call": "make test",
        "failed": False,
        "seen": "tests/test_importer.py ...\n3 passed in 0.28s",
    }
    assert shown["rounds"][4]["steps"][2]["call"] == "README.md"
    assert shown["rounds"][4]["closing"].startswith("I ran the tests")
    assert shown["cost_usd"]["reviews"] == pytest.approx(0.0772)
    assert shown["logs"]["verdicts"].endswith("-verdicts.jsonl")


@pytest.mark.parametrize(
    "line", [("status", "x"), ("history", "-n", "0"), ("history", "-n", "x"), ("show", "a", "b")]
)
def test_mistakes(stubbed: CccProject, told: Records, line: tuple[str, ...]) -> None:
    """A mistake is an error for people."""
    done = stubbed.run(*line)
    assert (done.code, done.stdout) == (1, "")
    assert done.stderr.startswith("ccc")
    assert done.stderr.endswith(f"See: ccc {line[0]} --help\n")
    assert "Usage: ccc" not in done.stderr


# --- spoilt records


@pytest.fixture
def spoilt(records: Records) -> Records:
    """Sessions that somebody has cut, filled with rubbish, or written by another version."""
    records.add(DONE)
    for number, text in enumerate(
        ["", "{", "[]", "null", '{"run": 3, "stop": [], "feedback": "x", "count": "many"}', "\xff"]
    ):
        name = f"5b01{number}"
        records.add(name, [])
        (records.directory / f"supervisor-{name}.json").write_bytes(text.encode("latin-1"))
        records.append(name, "verdicts.jsonl", text + "\n", '{"iteration": {}}\n')
    whole = records.file(DONE, "verdicts.jsonl").read_text()
    records.file(DONE, "verdicts.jsonl").write_text("rubbish\n\x00\n" + whole + whole[:700])
    (records.directory / "supervisor-..json").write_text("{}")
    (records.directory / "supervisor-dir.json").mkdir()
    return records


@pytest.mark.parametrize(
    "line",
    [
        *(("status",), ("status", "--all"), ("status", "--all", "--json"), ("history",)),
        *(("show", DONE), ("show", DONE, "--json"), ("report", DONE, "-o", "-")),
        ("statusline",),
    ],
    ids=" ".join,
)
def test_spoilt_records(stubbed: CccProject, spoilt: Records, line: tuple[str, ...]) -> None:
    """What can't be read is passed over, and the rest is shown."""
    done = stubbed.run(*line, stdin=json.dumps({"session_id": DONE})).succeeded()
    assert done.stderr == ""
    assert "Traceback" not in done.stdout
    assert "kimi" in done.stdout


def test_a_spoilt_session_can_not_be_shown(stubbed: CccProject, spoilt: Records) -> None:
    """A session whose state can't be read is named."""
    done = stubbed.run("show", "5b011")
    assert (done.code, done.stdout) == (1, "")
    assert "supervisor-5b011.json" in done.stderr


def test_a_huge_record(stubbed: CccProject, records: Records) -> None:
    """Of a file without an end the end is read."""
    records.add(DONE)
    path = records.file(DONE, "verdicts.jsonl")
    lines = path.read_text()
    with open(path, "w") as file:
        file.write('{"iteration": 1, "feedback": "' + "x" * 40_000_000 + '"}\n' + lines)
    done = stubbed.run("show", "--json", DONE).succeeded()
    assert len(json.loads(done.stdout)["rounds"]) == 5


# --- others' texts


@pytest.fixture
def evil(records: Records) -> Records:
    """A session in which every text wants to steer the terminal and the browser."""
    lines = story()
    for each in lines:
        each |= {"feedback": EVIL, "request": EVIL, "provider": EVIL, "model": EVIL}
        each["receipts"] = [receipt(EVIL, 1, 1.0, EVIL)]
        each["tokens"] = {"input": 1}
    texts = dict.fromkeys(("provider", "model", "cwd", "request", "outcome"), EVIL)
    records.add(DONE, lines, **texts, feedback=[EVIL])
    return records


@pytest.mark.parametrize(
    "line",
    [("status",), ("history",), ("show", DONE), ("statusline",), ("report", DONE, "-o", "-")],
    ids=" ".join,
)
def test_others_texts(stubbed: CccProject, evil: Records, line: tuple[str, ...]) -> None:
    """No text of a model, a user or a file steers the terminal or the browser."""
    given = {"session_id": DONE, "model": {"display_name": EVIL}}
    done = stubbed.run(*line, stdin=json.dumps(given), env={"NO_COLOR": "1"}).succeeded()
    assert not set(done.stdout) & set("\x1b\x07\x9b\x9d")
    assert "alert(1)" in done.stdout
    assert "52;c" not in done.stdout
    if line[0] == "report":
        assert "<script" not in done.stdout
        assert "<img" not in done.stdout
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in done.stdout


# --- the status line


@pytest.mark.parametrize(
    ("stdin", "env"),
    [
        ("", {}),
        ("{", {}),
        ("[]", {}),
        ('{"session_id": 3}', {}),
        ('{"session_id": "../../etc/passwd"}', {}),
        ("{}", {"CCC_SUPERVISOR_ID": "../x"}),
        ("{}", {"CCC_SUPERVISOR_ID": "of-another-home"}),
        ("{}", {"HOME": None}),
    ],
)
def test_the_status_line_is_never_in_the_way(
    stubbed: CccProject, told: Records, stdin: str, env: dict[str, str | None]
) -> None:
    """Where ccc knows nothing of the session it says nothing, and it never fails."""
    done = stubbed.run("statusline", stdin=stdin, env=env).succeeded()
    assert (done.stdout, done.stderr) == ("", "")


def test_whose_status_line(stubbed: CccProject, told: Records) -> None:
    """The supervisor's id wins over claude's own of the session."""
    for env, mark in (({}, "✓"), ({"CCC_SUPERVISOR_ID": SENT_BACK}, "✗")):
        done = stubbed.run("statusline", stdin=json.dumps(claude_says(DONE)), env=env)
        assert mark in done.succeeded().stdout


def test_an_id_is_no_path(stubbed: CccProject, told: Records) -> None:
    """What is no name of a session does not lead to a file."""
    (told.directory / "supervisor-x").mkdir()
    state = (told.directory / f"supervisor-{DONE}.json").read_text()
    (told.directory / "supervisor-x" / "y.json").write_text(state)
    assert stubbed.run("statusline", stdin='{"session_id": "x/y"}').succeeded().stdout == ""


def test_a_status_line_without_an_end(stubbed: CccProject, told: Records) -> None:
    """An input that never ends is not read for ever."""
    done = stubbed.run("statusline", stdin='{"session_id": "' + "x" * 5_000_000).succeeded()
    assert (done.stdout, done.stderr) == ("", "")


def test_a_status_line_that_nobody_reads(stubbed: CccProject, told: Records) -> None:
    """A reader that has gone is no reason to fail."""
    code = f"{stubbed.ccc} statusline >&- 2>&- <<< '{json.dumps(claude_says(DONE))}'"
    assert stubbed.run("-c", code, program="/bin/bash").code == 0


# --- many


def test_a_thousand_sessions(stubbed: CccProject, records: Records) -> None:
    """The newest are shown, it is said how many more there are, and all can be had."""
    now = time.time()
    for number in range(1_000):
        records.add(f"{number:04}-x", [], now - number, count=1, outcome="completed")
    done = stubbed.run("status").succeeded()
    lines = done.stdout.splitlines()
    assert [line.split()[0] for line in lines[1:-1]] == [f"{n:04}-x" for n in range(20)]
    assert lines[-1] == "980 more: ccc status --all"
    assert len(_status(stubbed, "--all")) == 1_000
    history = json.loads(stubbed.run("history", "--json", "-n", "1000").succeeded().stdout)
    assert (len(history["sessions"]), history["more"]) == (1_000, 0)


def test_old_sessions(stubbed: CccProject, records: Records) -> None:
    """A session that has not changed for a day is shown only while it runs."""
    old = time.time() - 90_000
    records.add("running", [], old, pid=os.getpid(), claude="/x/py")
    records.add("over", [], old)
    assert [each["session_id"] for each in _status(stubbed)] == ["running"]
    assert "1 more" in stubbed.run("status").succeeded().stdout


# --- the page


def test_where_the_page_is(stubbed: CccProject, told: Records) -> None:
    """The page is the user's alone, where they stand or where they say; it says where."""
    done = stubbed.run("report", DONE).succeeded()
    path = stubbed.directory / f"ccc-report-{DONE[:8]}.html"
    assert done.stdout.splitlines()[0] == str(path)
    assert path.stat().st_mode & 0o777 == 0o600
    other = stubbed.root / "elsewhere.html"
    stubbed.run("report", DONE, "-o", str(other)).succeeded()
    assert other.read_text() == path.read_text()


def test_no_place_for_the_page(stubbed: CccProject, told: Records) -> None:
    """A directory that is missing is not made."""
    for place in ("/", str(stubbed.root / "missing" / "x.html")):
        done = stubbed.run("report", DONE, "-o", place)
        assert (done.code, done.stdout) == (1, "")
        assert place in done.stderr
    assert not (stubbed.root / "missing").exists()


def test_the_page_needs_nothing(stubbed: CccProject, told: Records) -> None:
    """Nothing is loaded, nothing is run."""
    page = _page(stubbed.run("report", DONE, "-o", "-"))
    for word in ("<script", "<link", "src=", "url(", "@import", "http://", "https://", "<iframe"):
        assert word not in page
    assert "default-src 'none'" in page


def test_a_page_of_little(stubbed: CccProject, records: Records) -> None:
    """A session that was never judged has a page too, and so has one of a hundred rounds."""
    records.add(DONE, [], outcome="", request="", decided_at=0)
    assert "No rounds yet." in _page(stubbed.run("report", DONE, "-o", "-"))
    many = [{**story()[2], "iteration": number} for number in range(1, 101)]
    records.add(DONE, many)
    page = _page(stubbed.run("report", DONE, "-o", "-"))
    assert page.count('class="up"') == 300


def _page(done: Outcome) -> str:
    page = done.succeeded().stdout
    assert page.startswith("<!doctype html>\n")
    assert page.endswith("</html>\n")
    return page


def test_moments_are_of_the_story() -> None:
    """The made-up records lie in a known time."""
    assert time.strftime("%Y-%m-%d", time.gmtime(MOMENT)) == "2026-11-06"


def test_a_report_in_an_odd_place(stubbed: CccProject, told: Records) -> None:
    """Only a regular file is written to, and then nobody else can read it."""
    fifo = stubbed.directory / "fifo"
    os.mkfifo(fifo)
    for place in (str(fifo), "/dev/null", str(stubbed.directory), "/no/such/place.html"):
        outcome = stubbed.run("report", DONE, "-o", place)
        assert outcome.code == 1, place
        assert "Traceback" not in outcome.stderr
    assert os.path.exists("/dev/null")
    page = stubbed.directory / "open.html"
    page.write_text("old")
    page.chmod(0o644)
    stubbed.run("report", DONE, "-o", str(page)).succeeded()
    assert page.stat().st_mode & 0o777 == 0o600
    assert page.read_text().startswith("<!")


@pytest.mark.parametrize("line", [["status", "--json"], ["history", "--json"], ["status"]])
def test_a_directory_that_is_no_utf8(stubbed: CccProject, told: Records, line: list[str]) -> None:
    """A name that the terminal can't write is written as far as it can."""
    state = stubbed.claude_dir / "ccc" / f"supervisor-{DONE}.json"
    content = json.loads(state.read_text())
    content["cwd"] = "/tmp/odd-\udcff"
    state.write_text(json.dumps(content))
    stubbed.run(*line, env={"PYTHONIOENCODING": "utf-8:strict"}).succeeded()
    stubbed.run(*line, env={"PYTHONIOENCODING": "ascii:strict"}).succeeded()
